import { existsSync } from 'node:fs';
import { isNoDatabase, tellsDamage } from '../../../events/sqlite/faults.ts';
import { damageOf } from '../../../events/sqlite/integrity.ts';
import { isReadable } from '../../../events/sqlite/readable-file.ts';
import { originReader } from '../../../events/store/origin.ts';
import type { Position } from '../../../events/store/store.ts';
import type { Settings } from '../../composition/settings.ts';
import type { OpenRecord } from '../../foundation/record.ts';
import {
  BUILT_ANEW,
  headOf,
  openBeside,
  originOf,
  projectionsOf,
  setAsideOf,
  type KnownProjection,
} from '../../composition/live-tables.ts';
import { count } from '../number-format.ts';
import { inUseBy, LOOK_AGAIN, unlessInUse, warning, type Finding } from './finding.ts';

/** Tables that have not taken an event this long after it was recorded have stopped. */
const STILL_MS = 60_000;

/**
 * Checks whether the tables can be read, belong to this record, and have taken all of its events. `isServed`: whether
 * services run, so that the tables should not be behind.
 */
export async function lookAtTables(
  settings: Settings,
  record: OpenRecord,
  { isServed, now }: { isServed: boolean; now: Date },
): Promise<Finding[]> {
  const origin = await originReader(record.store)();
  const findings: Finding[] = [];
  for (const known of projectionsOf(settings)) {
    const { name } = known.projection;
    const newest = isServed ? await newestSince(record, known, now) : null;
    const judged = judge(known, origin, newest) ?? (await judgeFile(known));
    if (judged !== null) findings.push(warning(`${name} tables`, ...judged));
  }
  return findings;
}

/** The place of the last event that the tables should have by now; `null` if there is none. */
async function newestSince(
  { store }: OpenRecord,
  { projection: { types } }: KnownProjection,
  now: Date,
): Promise<Position | null> {
  for await (const { metadata, position } of store.readAll({ direction: 'backwards', types })) {
    if (!(now.getTime() - Date.parse(metadata.at) < STILL_MS)) return position;
  }
  return null;
}

/**
 * The advice for damaged tables. A start rebuilds only tables whose damage it notices, and it does not read every page.
 */
const BUILT_WHEN_REMOVED =
  'nothing is lost: stop the service and remove this file; the next start builds the tables anew from the record';

/**
 * Checks the whole file for damage, because a page that nobody has read yet may be damaged too. Returns what was found
 * and the advice; `null` if there is no damage.
 */
async function judgeFile({ file }: KnownProjection): Promise<[found: string, advice: string] | null> {
  if (!isReadable(file)) return null;
  return unlessInUse(
    async () => {
      const damage = await damageOf(file);
      return damage === null ? null : [`${file} is damaged: ${damage}`, BUILT_WHEN_REMOVED];
    },
    () => [inUseBy(file), LOOK_AGAIN],
  );
}

/** What is wrong with the tables, and what to do. */
function judge(
  { projection: { name, version }, file, isOwnFile }: KnownProjection,
  origin: string | undefined,
  newest: Position | null,
): [found: string, advice: string] | null {
  if (!existsSync(file)) return null;
  const rebuild = `run beleg audit projections rebuild ${name}`;
  try {
    using db = openBeside(file);
    const aside = setAsideOf(db, name);
    const head = headOf(db, name);
    const theirs = originOf(db, name);
    if (theirs !== null && origin !== undefined && theirs !== origin) {
      return [
        `${file} is of another record`,
        'they are built anew at the next start, or within seconds where it runs; see that this is the record that is meant',
      ];
    }
    if (head !== null && head.version === version && newest !== null && head.position < newest) {
      return [
        `they stand still: events that were recorded more than ${STILL_MS / 1_000} seconds ago are not in them`,
        `the log of the ${name} service says why; ${rebuild}`,
      ];
    }
    if (aside.events === 0) return null;
    return [
      `${count(aside.events, 'event')} could not be applied: ${aside.named.join(', ')}`,
      `beleg audit verify says whether they are damaged; if not, ${rebuild}, which tries again; if they stay, report it`,
    ];
  } catch (error) {
    if (!tellsDamage(error)) throw error;
    if (!isOwnFile && isNoDatabase((error as Error).cause)) {
      return [
        `${file} is no database, so it may be a file of somebody else, and a start leaves it alone`,
        'set PV_AUDIT_DB_PATH to another file, or remove this one: the tables are built from the record',
      ];
    }
    return [`${file} is damaged`, BUILT_ANEW];
  }
}
