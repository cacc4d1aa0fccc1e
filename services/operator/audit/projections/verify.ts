import { quoted } from '../../../../events/projections/tables.ts';
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { BelegError } from '../../../../events/errors.ts';
import type { Rows } from '../../../../events/projections/projection.ts';
import { Statements } from '../../../../events/sqlite/statements.ts';
import type { Position } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../foundation/record.ts';
import { countRows, headOf, openBeside, type KnownProjection } from '../../../composition/live-tables.ts';

export type VerifiedProjection = Awaited<ReturnType<typeof verifyProjection>>;

/** Differences are checked this many times, because the live tables may not have taken the newest erasure yet. */
const LOOKS = 3;
const PAUSE_MS = 200;

/**
 * Rebuilds the tables up to the exact position of the live tables and compares them row by row. `onEvent` is called for
 * each event that was read.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE` if the record, the tables, or a key of their text is not available here.
 */
export async function verifyProjection(
  known: KnownProjection,
  record: Pick<OpenRecord, 'store' | 'codec'>,
  onEvent: () => void,
) {
  const { projection, file } = known;
  const { name, version: expected } = projection;
  /** `version` is that of the tables, `expected` that of this release; `position` is how far the record was read. */
  const none = { name, file, version: null, expected, position: null, tables: [] };
  if (!existsSync(file)) return none;
  using db = openBeside(file);
  const head = headOf(db, name);
  if (head === null) return none;
  if (head.version !== expected) return { ...none, version: head.version, position: head.position };
  const catchUp = rebuildIn(db, known, record, onEvent);
  // Most of the work is done before the live tables are locked, so that their writer is not held up.
  await catchUp(head.position);
  for (let looks = 1; ; looks++) {
    // In this transaction the live tables do not change.
    db.exec('BEGIN');
    const { position, tables } = headOf(db, name)!;
    await catchUp(position);
    const compared = tables.map((table) => compareTable(db, table));
    db.exec('COMMIT');
    if (looks === LOOKS || compared.every(({ different }) => different === 0)) {
      return { name, file, version: expected, expected, position, tables: compared };
    }
    await delay(PAUSE_MS);
  }
}

/** Creates empty tables. The returned function applies the events up to a position. */
function rebuildIn(
  db: DatabaseSync,
  { projection }: KnownProjection,
  { store, codec }: Pick<OpenRecord, 'store' | 'codec'>,
  onEvent: () => void,
): (position: Position | '') => Promise<void> {
  const statements = new Statements(db);
  const rows: Rows = {
    run: (sql, ...values) => void statements.of(sql).run(...values),
    get: (sql, ...values) => statements.of(sql).get(...values),
    all: (sql, ...values) => statements.of(sql).all(...values),
  };
  let after: Position | '' = '';
  db.exec(projection.tables);
  return async (position) => {
    if (position <= after) return;
    for await (const recorded of store.readAll({
      after: after === '' ? undefined : after,
      types: projection.types,
    })) {
      if (recorded.position > position) break;
      const event = await codec.decode(recorded);
      if (event?.isSealed === true) {
        throw new BelegError('STORE_UNAVAILABLE', {
          detail:
            'the encryption keys of the text are not available here, so tables with text cannot be built',
        });
      }
      if (event !== undefined) projection.apply(rows, event, recorded);
      onEvent();
    }
    after = position;
  };
}

const FIRST = 10;

const same = (name: string): string => `live.${quoted(name)} IS fresh.${quoted(name)}`;

/** Compares in SQLite, so that equal rows never enter this process. */
function compareTable(db: DatabaseSync, table: string) {
  const columns = db.prepare(`PRAGMA main.table_info(${quoted(table)})`).all();
  const names = columns.map(({ name }) => name as string);
  const key = columns.filter(({ pk }) => (pk as number) > 0).map(({ name }) => name as string);
  const there = `${quoted(key[0]!)} IS NOT NULL`;
  const differences = db.prepare(
    `SELECT live.${there}, fresh.${there}, ${key.map((name) => `coalesce(live.${quoted(name)}, fresh.${quoted(name)})`).join(', ')},
       ${names.map(same).join(', ')}
     FROM live.${quoted(table)} AS live FULL JOIN main.${quoted(table)} AS fresh ON ${key.map(same).join(' AND ')}
     WHERE NOT (${names.map(same).join(' AND ')})`,
  );
  differences.setReturnArrays(true);
  // Only the keys of rows are printed, because the rest may be free text.
  const first = [];
  let different = 0;
  for (const [isLive, isFresh, ...values] of differences.iterate() as unknown as Iterable<unknown[]>) {
    different += 1;
    if (first.length >= FIRST) continue;
    // `missing` from the live table, or `extra` if the record has no such row.
    const kind = isLive !== 1 ? 'missing' : isFresh !== 1 ? 'extra' : 'changed';
    const sameness = values.slice(key.length);
    first.push({
      table,
      key: Object.fromEntries(key.map((name, i) => [name, String(values[i])])),
      kind,
      columns: kind === 'changed' ? names.filter((_, i) => sameness[i] !== 1) : [],
    });
  }
  return { table, rows: countRows(db, table), different, first };
}
