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
 * How long there must be no change before changes are merged into the snapshot. The spread makes processes with one
 * folder begin at different times, so that the first one builds and the others take over its snapshot.
 */
const QUIET_MS = 30_000;
const SPREAD_MS = 60_000;
/** The same where the snapshot has text that has left the files: only so long that removals which come together are merged together. */
const QUIET_AFTER_REMOVAL_MS = 3_000;
/**
 * How long changes wait at most where others keep coming: what has left the folder must leave the snapshot, and each change counts all
 * anew that the snapshot lacks.
 */
const LONGEST_MS = 300_000;

/** Whether changes are to be merged now, in a process that lets `quietMs` pass after the last one that has only added. */
export const isDue = ({ firstMs, lastMs, hidesText }: Unmerged, quietMs: number): boolean =>
  lastMs >= (hidesText ? QUIET_AFTER_REMOVAL_MS : quietMs) || firstMs >= LONGEST_MS + quietMs;

/**
 * Keeps the snapshot on disk. Changes that were taken in are merged into it when there have been none for a while: a short one
 * where text has left the files, and none where it had left them before the start. If
 * the file or its folder is removed, it is written again, because without it the next start would build the whole
 * index. The index in service has the file open, so it stays in service. Where something in it could not be read, both are made anew.
 * Returns a function that ends this.
 */
export function keepSnapshot(owner: SnapshotOwner, logger: Logger): () => Promise<void> {
  const { snapshotFile } = owner;
  const stopping = new AbortController();
  const { signal } = stopping;
  const quietMs = QUIET_MS + Math.random() * SPREAD_MS;

  async function keep(): Promise<void> {
    // Soon after the start, in processes that start together at different times.
    let waitMs = LOOK_MS * (1 + Math.random());
    while (await pause(waitMs, true, { signal, ref: false })) {
      waitMs = LOOK_MS;
      // A folder that cannot be read is reported by the merge.
      await removeLeftParts(dirname(snapshotFile)).catch(() => undefined);
      const isGone = !(await isThere(snapshotFile));
      const { unmerged, isDamaged } = owner;
      const lost = isGone ? 'was removed' : isDamaged ? 'was damaged' : null;
      if (lost === null && (unmerged === null || !isDue(unmerged, quietMs))) continue;
      // Also after a success, because changes during the build may have kept the new index out of service, and a build costs much.
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
  // It rejects only when it is ended.
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
