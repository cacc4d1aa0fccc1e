import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../sqlite/faults.ts';
import { originReader } from '../store/origin.ts';
import type { Position } from '../store/store.ts';
import { isTransient, pipelineOf } from './pipeline.ts';
import type { ProjectionOptions } from './projection.ts';
import type { SwapData, SwapReply } from './swap-thread.ts';
import { removeDatabase } from '../sqlite/file-place.ts';
import { ProjectionTables, TablesMoved } from './tables.ts';

/** Builds a projection again from the first event, in a file beside the one in use. */
export function startRebuild(options: ProjectionOptions, signal: AbortSignal) {
  const { file, projection } = options;
  let goal: Position | '' = '';
  let reached = false;
  const isBehind = (): boolean => !reached;
  const readOrigin = originReader(options.store);
  const beside = besideOf(options);
  discardRebuild(options);
  const tables = new ProjectionTables(beside, projection);
  const pipeline = pipelineOf({
    ...options,
    tables,
    onProgress: ({ caughtUp }) => {
      if (!caughtUp || tables.position < goal) return;
      reached = true;
      void pipeline.stop();
    },
  });

  return {
    /**
     * Resolves when the history has been read and the event at `to` is in the rows. Rejects with the `ProjectionError`,
     * or when aborted.
     */
    async catchUp(to: Position | ''): Promise<void> {
      goal = to;
      reached = false;
      while (isBehind()) {
        signal.throwIfAborted();
        try {
          const origin = await readOrigin();
          if (origin !== undefined) tables.keepOrigin(origin);
          await pipeline.run();
        } catch (error) {
          if (!isTransient(error) || error instanceof TablesMoved) throw error;
          await pause(options, signal);
        }
      }
    },
    /**
     * Replaces the old tables by the new ones in one transaction. A fault leaves the old tables unchanged; a fault that
     * may pass is tried again as long as `mayRetry` allows it.
     */
    async swap(mayRetry: (attempts: number) => boolean): Promise<void> {
      const { name, version, tables } = projection;
      const workerData: SwapData = { file, beside, projection: { name, version, tables } };
      for (let attempts = 1; ; attempts++) {
        const worker = new Worker(new URL('./swap-thread.ts', import.meta.url), { workerData });
        const [{ fault }] = (await once(worker, 'message')) as [SwapReply];
        if (fault === undefined) return;
        if (!isTransient(fault) || !mayRetry(attempts)) throw unavailable(fault, file);
        await pause(options, signal);
        signal.throwIfAborted();
      }
    },
    stop: () => pipeline.stop(),
    close(): void {
      tables.close();
      discardRebuild(options);
    },
  };
}

export type Rebuild = ReturnType<typeof startRebuild>;

/** Waits before another attempt, or until aborted. */
export async function pause(options: ProjectionOptions, signal: AbortSignal): Promise<void> {
  await delay(options.retryAfterMs ?? 1000, undefined, { signal }).catch(() => {});
}

/** Removes the file of a rebuild that was not finished. */
export function discardRebuild(options: ProjectionOptions): void {
  removeDatabase(besideOf(options));
}

function besideOf({ file, projection }: ProjectionOptions): string {
  return rebuildFileOf(file, projection.name);
}

/** The file in which the tables of a projection are built anew, beside those in use. */
export const rebuildFileOf = (file: string, name: string): string => `${file}.${name}.rebuild`;
