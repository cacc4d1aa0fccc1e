import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { accountStream, MarketSourceTaken } from '../../../events/catalog/trading.ts';
import { isBelegError, NOT_IN_TIME } from '../../../events/errors.ts';
import { tellsDamage } from '../../../events/sqlite/faults.ts';
import { describeFinding } from '../../../events/proof/finding-words.ts';
import { isSystemError, withPath } from '../../../events/system-error.ts';
import { checkCheckpointFile, ForeignCheckpoints } from '../../audit/checkpoints/checkpoint-file.ts';
import type { Settings } from '../../composition/settings.ts';
import type { OpenRecord } from '../../foundation/record.ts';
import { foreignSource } from '../../trading/foreign-source.ts';
import {
  DAMAGED_KEYS_ADVICE,
  findMissingRecord,
  isRecordHeld,
  openRecord,
} from '../../composition/runtime.ts';
import { ownRecord } from '../../composition/own-record.ts';
import { messageOf } from '../report-failure.ts';
import { judgeClock } from './clock.ts';
import { fault, inUseBy, LOOK_AGAIN, ok, unlessInUse, warning, type Finding } from './finding.ts';
import { tablesAhead } from '../audit/projections/tables-ahead.ts';
import { checkKeys, damagedKeys, KEYS_ADVICE, namesOf } from '../audit/check-keys.ts';
import { lookAtEvents } from './look-at-events.ts';
import { lookAtTables } from './look-at-tables.ts';
import { count } from '../number-format.ts';

/** Checks the record, its checkpoint file and the clock, because events keep the time of a wrong clock. */
export async function lookAtRecord(settings: Settings, now: Date = new Date()): Promise<Finding[]> {
  const what = 'record';
  const { dataDir, distributed } = settings;
  try {
    const missing = distributed === null ? await findMissingRecord(settings) : null;
    if (missing !== null) return [fault(what, missing.found, missing.advice), judgeClock(null, now)];
    if (distributed === null && !existsSync(join(dataDir, 'events.db'))) {
      return [ok(what, 'none yet; it will be created at the first start'), judgeClock(null, now)];
    }
    await using record = await openRecord(settings);
    const foreign = distributed === null ? null : await (await ownRecord(settings))(record.store);
    if (foreign !== null) return [fault(what, foreign.found, foreign.advice), judgeClock(null, now)];
    const [last] = await Array.fromAsync(record.store.readAll({ direction: 'backwards', limit: 1 }));
    const newest = last?.metadata.at ?? null;
    const isHeld = distributed === null && isRecordHeld(settings);
    const held = isHeld ? '; in use by a running service' : '';
    return [
      ok(what, newest === null ? 'empty' : `readable, newest event at ${newest}${held}`),
      await judgeKeys(settings, record),
      await judgeCheckpoints(settings, record),
      ...(await judgeSource(settings, record)),
      await lookAtEvents(record),
      ...(await tablesAhead(settings, record.store)).map((finding) =>
        fault(what, describeFinding(finding), LOST_END_ADVICE),
      ),
      ...(await lookAtTables(settings, record, { isServed: distributed !== null || isHeld, now })),
      judgeClock(newest, now, await latestTime(record)),
    ];
  } catch (error) {
    if (distributed !== null) {
      const found = isBelegError(error) ? (error.detail ?? error.title) : messageOf(error);
      const advice =
        found === NOT_IN_TIME
          ? 'it may be busy: try again in a minute, then look into the log of EventStoreDB'
          : 'check EventStoreDB and the rights of its user';
      return [fault(what, `it cannot be read: ${found}`, advice)];
    }
    const advice = tellsDamage(error)
      ? 'stop the service, which writes nothing to a damaged file once it has met the damage; move events.db to another folder and put a backup in its place; what waits in the spool is recorded at the next start'
      : `check the permissions of the files in ${dataDir}`;
    return [fault(what, messageOf(error), advice), ...(await judgeKeysFile(settings))];
  }
}

const LOST_END_ADVICE =
  'if you put an older record there, go on: a start builds the tables anew; if not, keep all files, and put events.db with its events.db-wal back from where they are, or from a backup';

/** The number of newest events whose text and times are checked; `beleg audit verify` checks the text of all. */
const LOOKED_AT = 50_000;

/** The latest time of the newest events. All times are in UTC, so they compare as text. */
async function latestTime({ store }: OpenRecord): Promise<string | null> {
  let latest: string | null = null;
  for await (const { metadata } of store.readAll({ direction: 'backwards', limit: LOOKED_AT })) {
    if (latest === null || metadata.at > latest) latest = metadata.at;
  }
  return latest;
}

function judgeKeysFile(settings: Settings): Promise<Finding[]> {
  const what = 'text keys';
  return unlessInUse(
    async () =>
      (await damagedKeys(settings)).map((finding) =>
        fault(what, describeFinding(finding), DAMAGED_KEYS_ADVICE),
      ),
    () => [warning(what, inUseBy('keys.db'), LOOK_AGAIN)],
  );
}

async function judgeKeys(settings: Settings, record: OpenRecord): Promise<Finding> {
  const what = 'text keys';
  const { distributed } = settings;
  const [damaged] = await judgeKeysFile(settings);
  if (damaged !== undefined) return damaged;
  const keys = await checkKeys(record, LOOKED_AT);
  const { requests, unknown, missing } = keys;
  if (missing > 0) {
    const found = `missing or replaced, and not erased, for ${count(missing, 'request')}: ${namesOf(keys)}`;
    return fault(what, found, KEYS_ADVICE);
  }
  if (unknown === 0) return ok(what, `the text of ${count(requests, 'request')} opens, or was erased`);
  if (distributed !== null) return ok(what, 'not looked at: this user may not read them');
  return fault(
    what,
    `the text of ${count(unknown, 'request')} cannot be opened: this user may not read keys.db`,
    'correct its permissions',
  );
}

/**
 * Checks the source of market data. The account keeps the source that it began with: a start with another one is
 * refused.
 */
async function judgeSource({ trading }: Settings, { store }: OpenRecord): Promise<Finding[]> {
  for await (const { type, data } of store.readStream(accountStream(trading.account))) {
    if (type !== MarketSourceTaken.type) continue;
    const foreign = foreignSource(trading, MarketSourceTaken.schema.parse(data).source);
    return foreign === null ? [] : [fault('account', foreign.found, foreign.advice)];
  }
  return [];
}

/** Checks the checkpoint file. If it belongs to another record, no checkpoint is added to it. */
async function judgeCheckpoints({ audit }: Settings, { store }: OpenRecord): Promise<Finding> {
  const what = 'checkpoints';
  const { checkpointFile: path } = audit;
  if (!existsSync(path)) return ok(what, `${path} will be created with the first one`);
  try {
    await checkCheckpointFile(path, store);
    return ok(what, `${path} is of this record`);
  } catch (error) {
    if (isSystemError(error)) {
      const advice =
        'see to it that this user may read it; if something else is in its place, move that aside';
      return fault(what, messageOf(withPath(error, path)), advice);
    }
    if (!(error instanceof ForeignCheckpoints)) throw error;
    return fault(
      what,
      `${path}: ${error.message}`,
      'if a wrong file or an older record was put there, put the right one back (see beleg audit verify); ' +
        'else move the file aside and keep it: the next checkpoint writes a new one',
    );
  }
}
