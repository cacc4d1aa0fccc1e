import { existsSync, statSync } from 'node:fs';
import { RebuildAuditTables, RebuildTradingTables } from '../../../events/messages/audit.ts';
import { BelegError } from '../../../events/errors.ts';
import { tellsDamage } from '../../../events/sqlite/faults.ts';
import { readSettings } from '../../composition/settings.ts';
import { openRecord } from '../../composition/runtime.ts';
import { EXIT } from '../exit-codes.ts';
import { count } from '../number-format.ts';
import { toJson } from '../../foundation/json.ts';
import { openLink } from '../link.ts';
import { startProgressBar } from '../progress-bar.ts';
import {
  BUILT_ANEW,
  countRows,
  hasTable,
  headOf,
  openBeside,
  projectionsOf,
  setAsideOf,
  type KnownProjection,
} from '../../composition/live-tables.ts';
import { isAhead } from './projections/tables-ahead.ts';
import { verifyProjection as verifyOne, type VerifiedProjection } from './projections/verify.ts';
import type { Position, RecordReader } from '../../../events/store/store.ts';

/** `beleg audit projections list`: the positions and sizes of the tables. */
export async function listProjections({ json }: { json?: true }): Promise<void> {
  const settings = readSettings(process.env);
  await using record = await openRecord(settings);
  const listed: ListedProjection[] = [];
  for (const known of projectionsOf(settings)) listed.push(await listProjection(known, record.store));
  console.log(json ? toJson(listed, 2) : listed.map(formatListed).join('\n\n'));
}

const REBUILDS = { audit: RebuildAuditTables, trading: RebuildTradingTables } as const;

/** `beleg audit projections rebuild`: asks the service that writes the tables to rebuild them. */
export async function rebuildProjection(name: string, { json }: { json?: true }): Promise<void> {
  if (!Object.hasOwn(REBUILDS, name)) {
    tellUnknown(name);
    return;
  }
  await using link = await openLink(readSettings(process.env));
  const rebuilt = await link.call(REBUILDS[name as keyof typeof REBUILDS], {});
  const { position, duration_ms } = rebuilt;
  console.log(
    json
      ? toJson(rebuilt, 2)
      : `${name}: rebuilt in ${(duration_ms / 1_000).toFixed(1)} s, up to position ${position}`,
  );
}

/** `beleg audit projections verify`: exits with 1 if tables differ from the record, or cannot be compared. */
export async function verifyProjection(name: string | undefined, { json }: { json?: true }): Promise<void> {
  const settings = readSettings(process.env);
  const known = projectionsOf(settings).filter(
    ({ projection }) => name === undefined || projection.name === name,
  );
  if (known.length === 0) {
    tellUnknown(name!);
    return;
  }
  await using record = await openRecord(settings);
  using bar = startProgressBar('rebuilding');
  let events = 0;
  const found: VerifiedProjection[] = [];
  for (const one of known) {
    found.push(await verifyOne(one, record, () => bar.update(++events, null)).catch(tellDamage(one)));
  }
  bar.stop();
  console.log(json ? toJson(found, 2) : found.map(formatVerified).join('\n\n'));
  if (!found.every(isWhole)) process.exitCode = EXIT.failure;
}

/**
 * The explanation for damaged tables. SQLite's own message would not say that they can be built anew and nothing is
 * lost.
 */
const tellDamage =
  ({ projection: { name } }: KnownProjection) =>
  (error: unknown): never => {
    if (!tellsDamage(error)) throw error;
    throw new BelegError('STORE_UNAVAILABLE', {
      detail: `the file of the ${name} tables is damaged, and ${BUILT_ANEW}`,
      cause: error,
    });
  };

function tellUnknown(name: string): void {
  console.error(`beleg: there is no projection ${name}; choose one of ${Object.keys(REBUILDS).join(', ')}`);
  process.exitCode = EXIT.notFound;
}

export const isWhole = ({ version, expected, tables }: VerifiedProjection): boolean =>
  version === expected && tables.every(({ different }) => different === 0);

function formatListed(listed: ListedProjection): string {
  const { name, file, version, expected, position, is_ahead, behind, set_aside, bytes, rows } = listed;
  if (version === null) return formatNone(name, file);
  const width = Math.max(...Object.keys(rows).map(({ length }) => length));
  return [
    `${name} ${version === expected ? `version ${version}` : `version ${version}, from a different release (this one uses ${expected})`}`,
    `  file      ${file} (${(bytes / 1_048_576).toFixed(1)} MiB)`,
    `  position  ${position === '' ? 'before the first event' : position}`,
    is_ahead
      ? '  ahead     of the record: an older record was put back, and the tables must be rebuilt'
      : `  behind    ${behind === MOST_BEHIND ? `${behind} events or more` : count(behind, 'event')}`,
    ...(set_aside.events === 0
      ? []
      : [
          `  set aside ${count(set_aside.events, 'event')} that could not be applied: ${set_aside.named.join(', ')}`,
        ]),
    ...Object.entries(rows).map(
      ([table, number]) => `  ${table.padEnd(width)}  ${number === null ? GONE : count(number, 'row')}`,
    ),
  ].join('\n');
}

const GONE = 'missing: the running service builds the tables anew within seconds, and so does the next start';

/** Tables are read as files, and may be missing on another machine or below another DATA_DIR. */
const formatNone = (name: string, file: string): string =>
  `${name}: no tables in ${file}; look on the machine where the ${name} service runs`;

function formatVerified(found: VerifiedProjection): string {
  const { name, file, version, expected, position, tables } = found;
  if (version === null) return formatNone(name, file);
  if (version !== expected) {
    return `${name}: the tables have version ${version}, but this release uses ${expected}; run \`beleg audit projections rebuild ${name}\``;
  }
  const lines = tables.flatMap(({ table, rows, different, first }) => [
    `  ${table}: ${count(rows, 'row')}, ${different === 0 ? 'same as the record' : `${different} different`}`,
    ...first.map(
      ({ key, kind, columns }) =>
        `    ${kind}  ${Object.entries(key)
          .map(([column, value]) => `${column}=${value}`)
          .join(' ')}${columns.length > 0 ? `  (${columns.join(', ')})` : ''}`,
    ),
    ...(different > first.length ? [`    … and ${different - first.length} more`] : []),
  ]);
  return [`${name} at position ${position === '' ? '(none)' : position}`, ...lines].join('\n');
}

type ListedProjection = Awaited<ReturnType<typeof listProjection>>;

/** Events beyond this number are not counted, because nobody needs the exact number. */
const MOST_BEHIND = 100_000;

/** The position and size of one projection. */
async function listProjection({ projection, file }: KnownProjection, store: RecordReader) {
  const { name, version: expected } = projection;
  const none: ReturnType<typeof setAsideOf> = { events: 0, named: [] };
  const nothing = {
    name,
    file,
    expected,
    version: null,
    position: null,
    is_ahead: false,
    set_aside: none,
    bytes: 0,
    rows: {},
  };
  if (!existsSync(file)) return { ...nothing, behind: await countAfter(store, projection, '') };
  using db = openBeside(file);
  const head = headOf(db, name);
  /** The number of recorded events that are not in the tables yet, at most `MOST_BEHIND`. */
  const behind = await countAfter(store, projection, head?.position ?? '');
  const bytes = [file, `${file}-wal`].reduce(
    (sum, part) => sum + (statSync(part, { throwIfNoEntry: false })?.size ?? 0),
    0,
  );
  if (head === null) return { ...nothing, bytes, behind };
  const { version, position, tables } = head;
  // Somebody may have removed a table from the file.
  const rows = Object.fromEntries(
    tables.map((table) => [table, hasTable(db, table) ? countRows(db, table) : null]),
  );
  const is_ahead = await isAhead(store, position);
  return {
    name,
    file,
    version,
    expected,
    position,
    is_ahead,
    behind,
    set_aside: setAsideOf(db, name),
    bytes,
    rows,
  };
}

async function countAfter(
  store: RecordReader,
  { types }: KnownProjection['projection'],
  position: string,
): Promise<number> {
  let behind = 0;
  const after = position === '' ? undefined : (position as Position);
  const events = store.readAll({ after, types, limit: MOST_BEHIND });
  for await (const _ of events) behind += 1;
  return behind;
}
