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
import { originFileIn, readOriginFile, writeOriginFile } from './origin-file.ts';
import type { Settings } from './settings.ts';

/** A file of this host that says from which record it was made. */
interface Trace {
  readonly file: string;
  /** @param origin by what a record is known (see `originReader`) */
  isOf(origin: string): boolean;
}

/**
 * Whether a shared store has another record than the one of which this host has files, or none: its address is wrong, or
 * its record was lost. The files are read by this call, because services build them anew from whatever record they meet.
 *
 * One file that is of the record at the address is enough: then the others are old or were mixed up, which health and
 * `doctor` say. The files only tell anything once an event was recorded, so that a start before the first event is no
 * second one.
 *
 * @returns looks at the store; resolves with the error that says so, or with `null`. Rejects with the faults of the store.
 */
export async function ownRecord(
  settings: Settings,
): Promise<(store: Pick<EventStore, 'readAll' | 'readStream'>) => Promise<RecordMissing | null>> {
  // Before the store is read, because another process may record the first event at this moment.
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
 * Refuses a store with another record than that of this host's files. Where the store cannot be reached yet, a start
 * goes on, and nothing is read or appended until the store has shown that it has the right one. Its origin is then noted
 * in `DATA_DIR`, or with the first append where the record is empty. The log says within two seconds that the store, at `servers`, does
 * not answer.
 *
 * @throws {RecordMissing}
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
    // What is damaged is told by those who read it.
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

/** Says once that the store does not answer, while other parts of the process start. */
function tellWhileAway(
  store: Pick<EventStore, 'ping'>,
  servers: readonly string[],
  logger: Pick<Logger, 'warn'>,
): void {
  const tell = telling(() => logger.warn({ servers }, 'the event store cannot be reached yet'));
  void tellIfSlow(store.ping(), tell).catch(tell);
}

/** How often it is looked at most whether the note is still there. */
const LOOK_MS = 10_000;

/**
 * Notes in `DATA_DIR` by what the record is known, at the first call at which it has an event, and again where somebody has removed that. It
 * fails nobody: what could not be noted is noted by a later call.
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
      // Who needs the store says that it is away, and it is closed where a start has failed.
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

/** Tables that are damaged, or that this user may not read, tell nothing; whoever needs them says so. */
function originOfTablesIn(file: string, projection: string): string | null {
  if (!existsSync(file)) return null;
  try {
    using db = openBeside(file);
    return originOfTables(db, projection);
  } catch {
    return null;
  }
}
