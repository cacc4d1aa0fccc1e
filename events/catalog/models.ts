import { z } from 'zod';
import { defineEvent } from '../define.ts';
import { Count } from '../schemas.ts';
import { SessionDate } from './trading.ts';

/** The stream of a training run. */
export const trainingStream = (run: string): string => `training-${run}`;

/** The stream that lists the runs and the weights in use. The holder of the lease `training` writes it. */
export const MODELS_STREAM = 'models';

const Run = z.string();
/** SHA-256 of a file of weights, hexadecimal. */
const Hash = z.string();
export const Score = z.object({ return: z.number(), volatility: z.number() }).meta({ title: 'Score' });

/** Scores of network, ridge and mean on unseen days. They show whether the network is better than ridge. */
export const Scores = z.object({
  network: Score,
  ridge: Score,
  /** The baseline that predicts the mean of the training part. */
  mean: Score,
});
const Part = z.object({ windows: Count, from: SessionDate, to: SessionDate });

/** Settings of the network and of its training, as they were when the run began. */
const Settings = z.object({
  features: z.array(z.string()),
  sequence_length: Count,
  hidden_channels: Count,
  num_heads: Count,
  layers: Count,
  dropout: z.number(),
  batch_size: Count,
  epochs: Count,
  learning_rate: z.number(),
  seed: Count,
});

/** A run has started. Its windows are made of the bars up to `as_of`; with `null`, of all bars. */
export const TrainingStarted = defineEvent('models', 'TrainingStarted', {
  run: Run,
  settings: Settings,
  as_of: SessionDate.nullable(),
  /** The source of the bars: `demo`, `csv`, `yahoo`; absent if the market did not say. */
  source: z.string().optional(),
  provider: z.string(),
});

/** The trainer has its data and its device. */
export const TrainingPrepared = defineEvent('models', 'TrainingPrepared', {
  run: Run,
  dataset: Hash,
  tickers: Count,
  train: Part,
  validation: Part,
  test: Part,
  parameters: Count,
  steps: Count,
  /** Steps that an earlier process has done already. */
  step: Count,
  provider: z.string(),
  /** Why another provider is used than the wanted one; `null` if the wanted one is used. */
  fallback: z.string().nullable(),
});

/**
 * An epoch has ended, and its checkpoint is on disk. Losses are mean squared errors of scaled targets, scores are R².
 */
export const TrainingEpochFinished = defineEvent('models', 'TrainingEpochFinished', {
  run: Run,
  epoch: Count,
  step: Count,
  train_loss: z.number(),
  validation_loss: z.number(),
  validation: Score,
  best: z.boolean(),
});

export const TrainingStopRequested = defineEvent('models', 'TrainingStopRequested', { run: Run });

/** The run was interrupted: it has neither finished nor failed, and can be resumed from its last checkpoint. */
export const TrainingInterrupted = defineEvent('models', 'TrainingInterrupted', {
  run: Run,
  /**
   * `stopped`: by a request; `shutdown`: the service stopped; `crashed`: found unfinished at a start, or the trainer's
   * process died.
   */
  reason: z.enum(['stopped', 'shutdown', 'crashed']),
  /** The known details of a crash. */
  detail: z.string().nullable(),
  /** The last known step. */
  step: Count,
});

export const TrainingResumed = defineEvent('models', 'TrainingResumed', { run: Run });

/** The run has finished. Scores are R² on days that neither the training nor the choice of the best epoch has seen. */
export const TrainingFinished = defineEvent('models', 'TrainingFinished', {
  run: Run,
  weights: Hash,
  best_epoch: Count,
  step: Count,
  scores: Scores,
});

export const TrainingFailed = defineEvent('models', 'TrainingFailed', {
  run: Run,
  fault: z.string(),
  detail: z.string(),
  step: Count,
});

/** A run was opened. Its own stream follows. */
export const TrainingRunOpened = defineEvent('models', 'TrainingRunOpened', { run: Run });

/** Predictions come from these weights from now on. */
export const ModelPutToUse = defineEvent('models', 'ModelPutToUse', {
  weights: Hash,
  cause: z.enum(['trained', 'loaded']),
  /** The run that trained the weights; `null` for initial weights. */
  run: Run.nullable(),
});

export const ModelSaved = defineEvent('models', 'ModelSaved', { weights: Hash, run: Run.nullable() });
