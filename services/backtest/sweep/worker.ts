import { parentPort, workerData } from 'node:worker_threads';
import { runTrial, type TrialInput } from './trial.ts';
import type { Combination } from './parameter-space.ts';

/** A message of the pool: the index of a combination, and the combination. */
export interface Asked {
  readonly at: number;
  readonly parameters: Combination;
}

// One at a time, because there is a worker for each core.
const input = workerData as TrialInput;
parentPort!.on('message', ({ at, parameters }: Asked) => {
  void runTrial(parameters, input).then(
    (trial) => parentPort!.postMessage({ at, trial }, [trial.returns.buffer as ArrayBuffer]),
    (error: unknown) =>
      parentPort!.postMessage({ at, failure: error instanceof Error ? error.message : String(error) }),
  );
});
