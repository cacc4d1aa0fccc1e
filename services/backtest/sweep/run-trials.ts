import { setImmediate as nextTurn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Combination } from './parameter-space.ts';
import type { Trial } from './sweep-summary.ts';
import type { TrialInput } from './trial.ts';
import type { Asked } from './worker.ts';

type Told =
  | { readonly trial: Trial }
  /** The strategy failed with these parameters. */
  | { readonly failure: string }
  | { readonly broken: string };

interface RunOptions {
  readonly workers: number;
  readonly onTrial: (trial: Trial, parameters: Combination) => Promise<void>;
  /** The strategy failed with these parameters; the others go on. */
  readonly onFailure: (failure: string, parameters: Combination) => void;
  readonly signal: AbortSignal;
}

/**
 * Runs combinations on several threads, each of which gets the sessions once. Resolves when all are done or, once
 * `signal` aborts, when the running ones are done. Rejects with the first error that is not the strategy's own, because
 * all further runs would fail too.
 */
export async function runTrials(
  combinations: readonly Combination[],
  input: TrialInput,
  { workers, onTrial, onFailure, signal }: RunOptions,
): Promise<void> {
  let next = 0;
  async function work(): Promise<void> {
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: input });
    try {
      while (next < combinations.length && !signal.aborted) {
        const parameters = combinations[next++]!;
        const told = await ask(worker, { parameters });
        if (!('trial' in told)) {
          // Ctrl-C also ends the strategy's process, and that end may be reported before the signal.
          await nextTurn();
          if (signal.aborted) return;
        }
        if ('broken' in told) throw new Error(told.broken);
        if ('failure' in told) onFailure(told.failure, parameters);
        else await onTrial(told.trial, parameters);
      }
    } catch (error) {
      next = combinations.length;
      throw error;
    } finally {
      await worker.terminate();
    }
  }
  await Promise.all(Array.from({ length: Math.min(workers, combinations.length) }, work));
}

function ask(worker: Worker, asked: Asked): Promise<Told> {
  return new Promise((resolve, reject) => {
    worker.once('message', (told: Told) => {
      worker.off('error', reject);
      resolve(told);
    });
    worker.once('error', reject);
    worker.postMessage(asked);
  });
}
