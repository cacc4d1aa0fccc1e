import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import { removeLeftParts } from '../../kb/snapshot/durable-file.ts';
import type { SnapshotOwner } from './index-in-use.ts';

/** The interval between checks of the snapshot, and the pause after a failed attempt. */
const LOOK_MS = 5_000;
const RETRY_MS = 60_000;
/**
 * How long there must be no change before changes are merged into the snapshot. The spread makes processes with one
 * folder begin at different times, so that the first one builds and the others take over its snapshot.
 */
const QUIET_MS = 30_000;
const SPREAD_MS = 60_000;
/**
 * How long changes wait at most where others keep coming: what has left the folder must leave the snapshot, and each change counts all
 * anew that the snapshot lacks.
 */
const LONGEST_MS = 300_000;

/**
 * Keeps the snapshot on disk. Changes that were taken in are merged into it when there have been none for a while. If
 * the file or its folder is removed, it is written again, because without it the next start would build the whole
 * index. The index in service needs no file, so it stays in service. Returns a function that ends this.
 */
export function keepSnapshot(owner: SnapshotOwner, logger: Logger): () => Promise<void> {
  const { snapshotFile } = owner;
  const stopping = new AbortController();
  const { signal } = stopping;
  const quietMs = QUIET_MS + Math.random() * SPREAD_MS;

  async function keep(): Promise<void> {
    let waitMs = LOOK_MS;
    while (await pause(waitMs, true, { signal, ref: false })) {
      waitMs = LOOK_MS;
      // A folder that cannot be read is reported by the merge.
      await removeLeftParts(dirname(snapshotFile)).catch(() => undefined);
      const isGone = !(await isThere(snapshotFile));
      const { firstMs, lastMs } = owner.unmerged ?? { firstMs: 0, lastMs: 0 };
      const isDue = lastMs >= quietMs || firstMs >= LONGEST_MS + quietMs;
      if (!isGone && !isDue) continue;
      // Also after a success, because changes during the build may have kept the new index out of service.
      waitMs = RETRY_MS;
      try {
        await owner.merge();
        if (isGone)
          logger.warn(
            { file: snapshotFile },
            'the snapshot of the index was removed, and has been made again',
          );
      } catch (error) {
        logger.error(
          { err: error, file: snapshotFile },
          isGone
            ? 'the snapshot of the index was removed, and cannot be made again; the next start builds the index'
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
