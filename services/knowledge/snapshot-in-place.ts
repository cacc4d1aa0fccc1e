import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { removeLeftParts } from '../../kb/snapshot/durable-file.ts';
import type { SnapshotOwner, Unmerged } from './index-in-use.ts';

/** The interval between checks of the snapshot, and the pause after a failed attempt. */
const LOOK_MS = 5_000;
const RETRY_MS = 60_000;
/**
 * Milliseconds without a change after which changes are merged into the snapshot. They are spread, so that processes
 * with one folder begin at different times: the first one builds, and the others take over its snapshot.
 */
const QUIET_MS = 30_000;
const SPREAD_MS = 60_000;
/**
 * Milliseconds without a change after which changes are merged if the snapshot has text that was removed from the
 * files. This time is short: it only brings together removals that come one after the other.
 */
const QUIET_AFTER_REMOVAL_MS = 3_000;
/**
 * The longest time that changes wait if more keep coming: removed text must leave the snapshot, and each change has to
 * count all unmerged changes again.
 */
const LONGEST_MS = 300_000;

/**
 * Whether changes are to be merged now. `quietMs` is this process's waiting time after the last change that removed no
 * text.
 */
export const isDue = ({ firstMs, lastMs, hidesText }: Unmerged, quietMs: number): boolean =>
  lastMs >= (hidesText ? QUIET_AFTER_REMOVAL_MS : quietMs) || firstMs >= LONGEST_MS + quietMs;

/**
 * Keeps the snapshot on disk. Changes that were taken in are merged into it when there have been none for a while: a
 * short while if text was removed from the files, and at once if it was removed before the start. If the snapshot or
 * its folder is removed, it is written again, because without it the next start would build the whole index; the index
 * in service has the file open and stays. If a part of the snapshot could not be read, the index and the snapshot are
 * made anew. Returns a function that ends this.
 */
export function keepSnapshot(owner: SnapshotOwner, logger: Logger): () => Promise<void> {
  const { snapshotFile } = owner;
  const stopping = new AbortController();
  const { signal } = stopping;
  const quietMs = QUIET_MS + Math.random() * SPREAD_MS;

  async function keep(): Promise<void> {
    // The first check comes soon after the start, at different times in processes that start together.
    let waitMs = LOOK_MS * (1 + Math.random());
    while (await pause(waitMs, true, { signal, ref: false })) {
      waitMs = LOOK_MS;
      // A folder that cannot be read is reported by the merge.
      await removeLeftParts(dirname(snapshotFile)).catch(() => undefined);
      const isGone = !(await isThere(snapshotFile));
      const { unmerged, isDamaged } = owner;
      const lost = isGone ? 'was removed' : isDamaged ? 'was damaged' : null;
      if (lost === null && (unmerged === null || !isDue(unmerged, quietMs))) continue;
      // There is a pause even after a success: changes during the build may have kept the new index out of service, and
      // a build is expensive.
      waitMs = RETRY_MS;
      try {
        await owner.merge();
        if (lost !== null)
          logger.warn({ file: snapshotFile }, `the snapshot of the index ${lost}, and has been made again`);
      } catch (error) {
        logger.error(
          { err: error, file: snapshotFile },
          lost !== null
            ? `the snapshot of the index ${lost}, and cannot be made again; the next start builds the index`
            : 'the changes of the index cannot be merged into its snapshot; the next start takes them in again',
        );
      }
    }
  }
  // The promise rejects only when the returned function ends a pause.
  const kept = keep().catch(() => undefined);
  return async () => {
    stopping.abort();
    await kept;
  };
}

const isThere = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
