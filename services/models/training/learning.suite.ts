import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Dataset } from '../data/dataset.ts';
import { fitRidge, predictRidge } from '../baseline/ridge.ts';
import { scoreOf, type Score } from '../data/r-squared.ts';
import { syntheticDataset } from '../data/synthetic.suite.ts';
import { train } from './run-job.ts';
import type { TrainingJob } from './trainer-port.ts';

export interface LearningOptions {
  readonly spec: TrainingJob['spec'];
  readonly settings: TrainingJob['settings'];
  readonly windows: { readonly train: number; readonly validation: number; readonly test: number };
  /** Whether targets are swapped among windows, so that nothing can be learnt. */
  readonly shuffled: boolean;
  readonly threads?: number | null;
  readonly onEpoch?: (epoch: number, score: Score) => void;
}

/** R² on the validation part; that of the network is with the weights of its best epoch. */
export interface Learnt {
  readonly network: Score;
  readonly ridge: Score;
  readonly mean: Score;
}

/** Trains a network on the synthetic signal, in this process, and scores it beside ridge regression and the mean. */
export async function learn(options: LearningOptions): Promise<Learnt> {
  const { spec, settings, windows, shuffled, threads = null, onEpoch } = options;
  const dataset = syntheticDataset({
    seed: settings.seed,
    sequenceLength: spec.sequence_length,
    features: spec.features,
    windows,
    shuffled,
  });
  const folder = await mkdtemp(join(tmpdir(), 'beleg-learning-'));
  const job: TrainingJob = {
    run: 'learning',
    folder,
    spec,
    settings,
    provider: 'cpu',
    threads,
    resume: false,
  };
  let best: Score | null = null;
  const listener = {
    prepared: () => undefined,
    progress: () => undefined,
    epoch(result: { epoch: number; validation: Score; best: boolean }) {
      if (result.best) best = result.validation;
      onEpoch?.(result.epoch, result.validation);
    },
  };
  try {
    const { end, cause } = await train(job, async () => dataset, listener, new AbortController().signal);
    if (end.outcome !== 'trained') throw new Error(JSON.stringify(end), { cause });
    return { network: best!, ...(await peers(dataset)) };
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function peers(dataset: Dataset): Promise<Omit<Learnt, 'network'>> {
  const { signal } = new AbortController();
  const { rows } = dataset.validation;
  const ridge = await predictRidge(await fitRidge(dataset, signal), dataset, rows, signal);
  return {
    ridge: scoreOf(ridge, dataset.targets, rows),
    mean: scoreOf(new Float32Array(ridge.length), dataset.targets, rows),
  };
}
