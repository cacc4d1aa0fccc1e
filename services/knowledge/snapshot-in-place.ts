import { access } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { openKnowledge } from './index-in-use.ts';

/** How often it is looked whether the snapshot is there, and after an attempt that has failed. */
const LOOK_MS = 5_000;
const RETRY_MS = 60_000;

/**
 * Makes the snapshot of the index again where its file, or the folder, is removed under the running service: without it the next
 * start would build for as long as the first one did. The index in service needs no file, and stays. What it returns ends it.
 */
export function keepSnapshot(
  { snapshotFile, build }: Pick<Awaited<ReturnType<typeof openKnowledge>>, 'snapshotFile' | 'build'>,
  logger: Logger,
): () => Promise<void> {
  const stopping = new AbortController();
  const { signal } = stopping;

  async function keep(): Promise<void> {
    let waitMs = LOOK_MS;
    while (await pause(waitMs, true, { signal, ref: false })) {
      waitMs = LOOK_MS;
      if (await isThere(snapshotFile)) continue;
      try {
        const index = await build();
        await index.close();
        logger.warn({ file: snapshotFile }, 'the snapshot of the index was removed, and has been made again');
      } catch (error) {
        waitMs = RETRY_MS;
        logger.error(
          { err: error, file: snapshotFile },
          'the snapshot of the index was removed, and cannot be made again; the next start builds the index',
        );
      }
    }
  }
  // It rejects where it is ended, and only there.
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
