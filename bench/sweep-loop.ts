import { workerData } from 'node:worker_threads';
import { runTrial, type TrialInput } from '../services/backtest/sweep/trial.ts';
import type { Combination } from '../services/backtest/sweep/parameter-space.ts';

const { input, combinations } = workerData as {
  readonly input: TrialInput;
  readonly combinations: readonly Combination[];
};
for (const parameters of combinations) await runTrial(parameters, input);
