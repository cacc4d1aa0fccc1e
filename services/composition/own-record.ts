import { existsSync } from 'node:fs';
import type { Logger } from 'pino';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { originOf } from '../../events/proof/tree-head.ts';
import { originReader } from '../../events/store/origin.ts';
import type { EventStore } from '../../events/store/store.ts';
import { tellIfSlow, telling } from '../../events/tell-if-slow.ts';
import { originIn } from '../audit/checkpoints/checkpoint-file.ts';
import { openBeside, originOf as originOfTables, projectionsOf } from './live-tables.ts';
import { RecordMissing } from './missing-record.ts';
import { join } from 'node:path';
import { readText, writeDurably } from '../../kb/snapshot/durable-file.ts';
import type { Settings } from './settings.ts';

/** A file of this host that shows from which record it was made. */
interface Trace {
  readonly file: string;
  /** @param origin identifies a record (see `originReader`). */
  isOf(origin: string): boolean;
}

/**
 * Finds out whether a shared store has another record than the one from which this host has files, or none: its address
 * is wrong, or its record was lost. The files are read by this call, because services build them anew from any record.
 *
 * One file that belongs to the store's record is enough: then the others are old or were mixed up, which health and
 * `doctor` report. Files exist only after the first recorded event, so a restart before that is no problem.
 *
 * @returns a function that reads the store and resolves with the error, or with `null`. It rejects with the faults of
 * the store.
 */
export async function ownRecord(
  settings: Settings,
): Promise<(store: Pick<EventStore, 'readAll' | 'readStream'>) => Promise<RecordMissing | null>> {
  // The files are read before the store, because another process may record the first event at this moment.
  const traces = await tracesOn(settings);
  return async (store) => {
    if (traces.length === 0) return null;
    const origin = await originReader(store)();
    if (origin !== undefined && traces.some((trace) => trace.isOf(origin))) return null;
    const files = traces.map(({ file }) => file).join(', ');
    return new RecordMissing(
      origin === undefined
        ? `the record at EVENTSTORE_URL is empty, but files of a record are on this host: ${files}`
        : `the record at EVENTSTORE_URL is another one than that of the files on this host: ${files}`,
      'set EVENTSTORE_URL to the address of their record, or put a backup of it back; or, to go on with the record that is there, stop the services and move these files, each with its -wal and -shm, to another folder',
    );
  };
}

/**
 * Refuses a store with another record than that of this host's files. If the store cannot be reached yet, the start
 * goes on, but nothing is read or appended until the store has shown the right record. Its origin is then noted in
 * `DATA_DIR`, or with the first append if the record is empty. Within two seconds the log says that the store, at
 * `servers`, does not answer.
 *
 * @throws {RecordMissing} if the store has another record.
 */
export async function heedOwnRecord(
  store: EventStore,
  settings: Settings,
  logger: Pick<Logger, 'error' | 'warn'>,
  servers: readonly string[] = [],
): Promise<EventStore> {
  const look = await ownRecord(settings);
  const note = noteOrigin(store, settings, logger);
  let isRight = false;
  tellWhileAway(store, servers, logger);
  try {
    const missing = await look(store);
    if (missing !== null) throw missing;
    isRight = true;
    void note();
  } catch (error) {
    if (error instanceof RecordMissing) throw error;
    // Damaged files are reported by the parts that read them.
    isRight = !isBelegError(error, 'STORE_UNAVAILABLE');
  }

  let isTold = false;
  const assertRight = async (): Promise<void> => {
    if (isRight) return;
    const missing = await look(store);
    isRight = missing === null;
    if (missing === null) return void note();
    if (!isTold) logger.error({ err: missing }, 'nothing is read from this record or written to it');
    isTold = true;
    throw new BelegError('STORE_UNAVAILABLE', {
      detail: 'the event store has another record than the one that is meant',
      cause: missing,
    });
  };
  return {
    ...store,
    async append(...given) {
      await assertRight();
      const appended = await store.append(...given);
      void note();
      return appended;
    },
    async *readStream(...given) {
      await assertRight();
      yield* store.readStream(...given);
    },
    async *readAll(...given) {
      await assertRight();
      void note();
      yield* store.readAll(...given);
    },
    async end() {
      await assertRight();
      return store.end();
    },
    async ping() {
      await assertRight();
      return store.ping();
    },
  };
}

/** Logs once that the store does not answer, while other parts of the process start. */
function tellWhileAway(
  store: Pick<EventStore, 'ping'>,
  servers: readonly string[],
  logger: Pick<Logger, 'warn'>,
): void {
  const tell = telling(() => logger.warn({ servers }, 'the event store cannot be reached yet'));
  void tellIfSlow(store.ping(), tell).catch(tell);
}

/** The least time between two checks whether the note is still there. */
const LOOK_MS = 10_000;

/**
 * Notes the record's origin in `DATA_DIR`, at the first call at which the record has an event, and again if somebody
 * has removed the note. It never fails: a later call tries again.
 */
function noteOrigin(
  store: Pick<EventStore, 'readAll' | 'readStream'>,
  { dataDir }: Settings,
  logger: Pick<Logger, 'warn'>,
): () => Promise<void> {
  const file = originFileIn(dataDir);
  let origin: string | undefined;
  let noting: Promise<void> | undefined;
  let lookedAt = -Infinity;
  const write = async (): Promise<void> => {
    try {
      origin ??= await originReader(store)();
      if (origin === undefined) noting = undefined;
      else await writeOriginFile(file, origin);
    } catch (error) {
      // The parts that need the store report that it is away; it is closed if a start has failed.
      if (isBelegError(error, 'STORE_UNAVAILABLE')) return;
      logger.warn(
        { err: error, file },
        'it could not be noted by which first event this host knows its record',
      );
    }
  };
  return () => {
    // Somebody may remove the file while the process runs.
    if (performance.now() - lookedAt >= LOOK_MS) noting = undefined;
    if (noting === undefined) lookedAt = performance.now();
    return (noting ??= write());
  };
}

async function tracesOn(settings: Settings): Promise<Trace[]> {
  const traces: Trace[] = [];
  for (const { projection, file } of projectionsOf(settings)) {
    const theirs = originOfTablesIn(file, projection.name);
    if (theirs !== null) traces.push({ file, isOf: (origin) => origin === theirs });
  }
  const { checkpointFile: file } = settings.audit;
  const checkpoints = await originIn(file).catch(() => null);
  if (checkpoints !== null) traces.push({ file, isOf: (origin) => originOf(origin) === checkpoints });
  const originFile = originFileIn(settings.dataDir);
  const noted = await readOriginFile(originFile).catch(() => null);
  if (noted !== null) traces.push({ file: originFile, isOf: (origin) => origin === noted });
  return traces;
}

/**
 * The origin in tables. Tables that are damaged, or that this user may not read, give none; the parts that need them
 * report that.
 */
function originOfTablesIn(file: string, projection: string): string | null {
  if (!existsSync(file)) return null;
  try {
    using db = openBeside(file);
    return originOfTables(db, projection);
  } catch {
    return null;
  }
}

/**
 * The file in `DATA_DIR` with the origin of the shared record (see `originReader`), by which this host recognises the
 * record. Tables and checkpoints have the origin too, but a host without `audit` and `trading` has none of these, and
 * may have answers that wait for the record.
 */
const originFileIn = (dataDir: string): string => join(dataDir, 'record-origin');

/** Reads the origin; `null` if none was noted yet. */
async function readOriginFile(file: string): Promise<string | null> {
  return (await readText(file))?.trim() || null;
}

/** Notes the origin. Rejects with the fault of the disk. */
async function writeOriginFile(file: string, origin: string): Promise<void> {
  if ((await readOriginFile(file)) !== origin) await writeDurably(file, `${origin}\n`);
}
