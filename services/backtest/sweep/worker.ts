import { parentPort, workerData } from 'node:worker_threads';
import { runTrial, type TrialInput } from './trial.ts';
import type { Combination } from './parameter-space.ts';

/** What the pool sends: the place of a combination, and the combination. */
export interface Asked {
  readonly at: number;
  readonly parameters: Combination;
}

// One after the other: a worker for each core is all that there is to gain.
const input = workerData as TrialInput;
parentPort!.on('message', ({ at, parameters }: Asked) => {
  void runTrial(parameters, input).then(
    (trial) => parentPort!.postMessage({ at, trial }, [trial.returns.buffer as ArrayBuffer]),
    (error: unknown) =>
      parentPort!.postMessage({ at, failure: error instanceof Error ? error.message : String(error) }),
  );
});
