import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { unavailable } from '../sqlite/faults.ts';
import type { Position } from '../store/store.ts';
import { isTransient, Pipeline } from './pipeline.ts';
import type { ProjectionOptions } from './projection.ts';
import type { SwapData, SwapReply } from './swap-thread.ts';
import { ProjectionTables } from './tables.ts';

/** One projection built again from the first event, in a file beside the one that is read. */
export class Rebuild {
  readonly #options: ProjectionOptions;
  readonly #signal: AbortSignal;
  readonly #beside: string;
  readonly #tables: ProjectionTables;
  readonly #pipeline: Pipeline;
  #goal: Position | '' = '';
  #reached = false;

  constructor(options: ProjectionOptions, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
    this.#beside = besideOf(options);
    discardRebuild(options);
    this.#tables = new ProjectionTables(this.#beside, options.projection);
    this.#pipeline = new Pipeline({
      ...options,
      tables: this.#tables,
      onProgress: ({ caughtUp }) => {
        if (!caughtUp || this.#tables.position < this.#goal) return;
        this.#reached = true;
        void this.#pipeline.stop();
      },
    });
  }

  /** Until history is at its end and `goal` is in the rows. Rejects with the `ProjectionError`, or when aborted. */
  async catchUp(goal: Position | ''): Promise<void> {
    this.#goal = goal;
    this.#reached = false;
    while (!this.#reached) {
      this.#signal.throwIfAborted();
      try {
        await this.#pipeline.run();
      } catch (error) {
        if (!isTransient(error)) throw error;
        await pause(this.#options, this.#signal);
      }
    }
  }

  /** Puts the new tables in the place of the old, in one transaction. A fault leaves the old ones as they were. */
  async swap(): Promise<void> {
    const { file, projection } = this.#options;
    const { name, version, tables } = projection;
    const workerData: SwapData = { file, beside: this.#beside, projection: { name, version, tables } };
    for (;;) {
      const worker = new Worker(new URL('./swap-thread.ts', import.meta.url), { workerData });
      const [{ fault }] = (await once(worker, 'message')) as [SwapReply];
      if (fault === undefined) return;
      if (!isTransient(fault)) throw unavailable(fault);
      await pause(this.#options, this.#signal);
      this.#signal.throwIfAborted();
    }
  }

  async stop(): Promise<void> {
    await this.#pipeline.stop();
  }

  close(): void {
    this.#tables.close();
    discardRebuild(this.#options);
  }
}

/** Waits before another attempt, or until aborted. */
export async function pause(options: ProjectionOptions, signal: AbortSignal): Promise<void> {
  await delay(options.retryAfterMs ?? 1000, undefined, { signal }).catch(() => {});
}

/** Removes what a rebuild left behind that did not come to its end. */
export function discardRebuild(options: ProjectionOptions): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${besideOf(options)}${suffix}`, { force: true });
}

function besideOf({ file, projection }: ProjectionOptions): string {
  return `${file}.${projection.name}.rebuild`;
}
