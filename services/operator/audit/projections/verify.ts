import { quoted } from '../../../../events/projections/tables.ts';
import { existsSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { BelegError } from '../../../../events/errors.ts';
import type { Rows } from '../../../../events/projections/projection.ts';
import { Statements } from '../../../../events/sqlite/statements.ts';
import type { Position } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../foundation/record.ts';
import { countRows, headOf, openBeside, type KnownProjection } from './live-tables.ts';

export type VerifiedProjection = Awaited<ReturnType<typeof verifyProjection>>;

/** A text may be erased already of which the live tables have not heard: what differs is looked at again. */
const LOOKS = 3;
const PAUSE_MS = 200;

/**
 * Builds the tables again, up to exactly where the live ones are, and compares row by row. `onEvent` is called for each
 * event that was looked at.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`: the record, the tables, or a key of what is written in them, is not at hand.
 */
export async function verifyProjection(
  known: KnownProjection,
  record: Pick<OpenRecord, 'store' | 'codec'>,
  onEvent: () => void,
) {
  const { projection, file } = known;
  const { name, version: expected } = projection;
  /** `version`: of the tables; `expected`: of this release; `position`: up to here the record was looked at. */
  const none = { name, file, version: null, expected, position: null, tables: [] };
  if (!existsSync(file)) return none;
  using db = openBeside(file);
  const head = headOf(db, name);
  if (head === null) return none;
  if (head.version !== expected) return { ...none, version: head.version, position: head.position };
  const catchUp = rebuildIn(db, known, record, onEvent);
  // The longest way first: whoever writes the live tables is not held up by it.
  await catchUp(head.position);
  for (let looks = 1; ; looks++) {
    // The live tables stand still meanwhile, as they are seen from here.
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

/** Makes the tables of the record; what it returns takes in what happened up to a position, and not what came after. */
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

/** Row by row, in SQLite: what is the same is never looked at here. */
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
  // The content of a row is not printed: it may be text.
  const first = [];
  let different = 0;
  for (const [isLive, isFresh, ...values] of differences.iterate() as unknown as Iterable<unknown[]>) {
    different += 1;
    if (first.length >= FIRST) continue;
    // `missing` from the live table; `extra`: the record knows nothing of it.
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
