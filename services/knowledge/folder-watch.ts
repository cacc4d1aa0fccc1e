import { watch } from 'node:fs';
import type { Logger } from 'pino';
import { isBelegError } from '../../events/errors.ts';
import { systemClock, type Clock } from '../foundation/clock.ts';
import { countChanges, type FolderChanges } from './folder-changes.ts';
import type { Knowledge } from './index-in-use.ts';

/** Network drives and some containers tell nothing of changes. */
const LOOK_MS = 60_000;
/** Nothing has to happen for so long before a look: programs write a file in several steps, and people copy many. */
const QUIET_MS = 500;
/** A folder that never comes to rest is read after this time anyway. */
const LONGEST_WAIT_MS = 5_000;

interface FolderWatchOptions {
  readonly knowledge: Pick<Knowledge, 'folder' | 'changes'>;
  /** Rebuilds the index, and rejects where that fails; `null` where changes are to be reported and not taken in. */
  readonly take: ((changes: FolderChanges) => Promise<unknown>) | null;
  readonly logger: Logger;
  readonly clock?: Clock;
}

/**
 * Sees that files in the folder of a base are other than those that the index in service was built from, by the file system's word
 * and by a look every minute, and has them taken in. What was tried is not tried again until the files change once more.
 */
export function watchFolder({ knowledge, take, logger, clock = systemClock }: FolderWatchOptions) {
  let newerSince: Date | null = null;
  let tried: string | null = null;
  let isClosed = false;
  let isAway = false;
  let callOff: (() => void) | null = null;
  let firstEvent: number | null = null;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    if (isClosed) return;
    let changes: FolderChanges;
    try {
      changes = await knowledge.changes();
      isAway = false;
    } catch (error) {
      // Until it is there again, the index in service is all there is.
      if (!isAway) logger.warn({ err: error }, 'the folder of the knowledge base cannot be looked at');
      isAway = true;
      return;
    }
    if (countChanges(changes) === 0) {
      newerSince = null;
      return;
    }
    newerSince ??= new Date(clock.now());
    if (take === null || isClosed || changes.state === tried) return;
    tried = changes.state;
    try {
      await take(changes);
      newerSince = null;
    } catch (error) {
      // A reindex that somebody has asked for, or a record that is away: the next look comes to it.
      if (isBelegError(error, 'REINDEX_RUNNING', 'STORE_UNAVAILABLE', 'SERVICE_UNAVAILABLE')) tried = null;
      logger.warn(
        { err: error },
        'changed files of the knowledge base were not taken in; the index in use stays',
      );
    }
  }

  /** One look after the other. */
  const lookNext = (): void => {
    callOff?.();
    callOff = null;
    firstEvent = null;
    looking = looking.then(look);
  };

  function onEvent(): void {
    firstEvent ??= clock.now();
    callOff?.();
    const wait = Math.min(QUIET_MS, Math.max(0, firstEvent + LONGEST_WAIT_MS - clock.now()));
    callOff = clock.after(wait, lookNext);
  }

  const watcher = watchOrNot(knowledge.folder, onEvent, logger);
  const stopLooking = clock.every(LOOK_MS, lookNext);
  lookNext();

  return {
    /** Since when it is known that files are newer than the index in service; `null` where none is. */
    newerSince: (): Date | null => newerSince,
    /** Closes after the present look and what it has taken in. */
    async close(): Promise<void> {
      isClosed = true;
      watcher?.close();
      callOff?.();
      stopLooking();
      await looking;
    },
  };
}

export type FolderWatch = ReturnType<typeof watchFolder>;

/** Where the system cannot watch so many folders, the look every minute is left. */
function watchOrNot(folder: string, onEvent: () => void, logger: Logger): { close(): void } | null {
  const giveUp = (error: unknown): void =>
    logger.info(
      { err: error },
      'changes of the knowledge base are looked for every minute: the system does not tell of them',
    );
  try {
    const watcher = watch(folder, { recursive: true, persistent: false }, onEvent);
    watcher.on('error', giveUp);
    return watcher;
  } catch (error) {
    giveUp(error);
    return null;
  }
}
