import { Worker } from 'node:worker_threads';
import type { Combination } from './parameter-space.ts';
import type { Trial } from './sweep-summary.ts';
import type { TrialInput } from './trial.ts';
import type { Asked } from './worker.ts';

type Told = { readonly at: number } & ({ readonly trial: Trial } | { readonly failure: string });

interface RunOptions {
  readonly workers: number;
  readonly onTrial: (trial: Trial, parameters: Combination) => Promise<void>;
  readonly signal: AbortSignal;
}

/**
 * Runs combinations on several threads, each of which gets the sessions once. Resolves when all are done, or, once
 * `signal` aborts, when the running ones are; rejects with the first error, because all runs would fail.
 */
export async function runTrials(
  combinations: readonly Combination[],
  input: TrialInput,
  { workers, onTrial, signal }: RunOptions,
): Promise<void> {
  let next = 0;
  async function work(): Promise<void> {
    const worker = new Worker(new URL('worker.ts', import.meta.url), { workerData: input });
    try {
      while (next < combinations.length && !signal.aborted) {
        const at = next++;
        const told = await ask(worker, { at, parameters: combinations[at]! });
        if ('failure' in told) throw new Error(told.failure);
        await onTrial(told.trial, combinations[at]!);
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
