import { parentPort, workerData } from 'node:worker_threads';
import { runTrial, type TrialInput } from './trial.ts';
import type { Combination } from './parameter-space.ts';

/** A message of the pool. */
export interface Asked {
  readonly parameters: Combination;
}

// The worker runs one trial at a time, because there is a worker for each core.
const input = workerData as TrialInput;
parentPort!.on('message', ({ parameters }: Asked) => void answer(parameters));

async function answer(parameters: Combination): Promise<void> {
  try {
    const result = await runTrial(parameters, input);
    if ('failure' in result) parentPort!.postMessage(result);
    else parentPort!.postMessage({ trial: result }, [result.returns.buffer as ArrayBuffer]);
  } catch (error) {
    parentPort!.postMessage({ broken: error instanceof Error ? error.message : String(error) });
  }
}
