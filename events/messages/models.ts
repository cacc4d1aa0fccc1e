import { z } from 'zod';
import { Score, Scores } from '../catalog/models.ts';
import { SessionDate } from '../catalog/trading.ts';
import { defineRequest } from './define.ts';

const MODEL_STATES = [
  /** Weights as they were initialised: nothing has been learnt. */
  'uninitialized',
  'loading',
  /** The weights in use were loaded. */
  'loaded',
  'training',
  'stopping',
  /** The weights in use are the ones trained last. */
  'trained',
  /** There is no model to use, because of a fault: see `error`. */
  'error',
] as const;

export const RUN_STATES = [
  'preparing',
  'training',
  'stopping',
  'trained',
  'failed',
  /** It can go on from its last checkpoint. */
  'interrupted',
] as const;

const Part = z.object({ windows: z.int(), from: z.string(), to: z.string() });

/** How the newest run of training stands. */
export const TrainingRun = z.object({
  run: z.string(),
  state: z.enum(RUN_STATES),
  /** The newest day that it may know of; `null`: all of the market's. */
  as_of: z.string().nullable(),
  device: z.string(),
  /** Why it is not the provider that was asked for. */
  fallback: z.string().nullable(),
  epoch: z.int(),
  epochs: z.int(),
  /** Done, and of the whole run; 0 while it prepares. */
  step: z.int(),
  steps: z.int(),
  loss: z.number().nullable(),
  steps_per_second: z.number().nullable(),
  seconds_left: z.number().nullable(),
  train: Part.nullable(),
  validation: Part.nullable(),
  test: Part.nullable(),
  /** Each epoch so far. */
  history: z.array(
    z.object({
      epoch: z.int(),
      train_loss: z.number(),
      validation_loss: z.number(),
      validation: Score,
      best: z.boolean(),
    }),
  ),
  /** Out of sample, when it is done: the network beside ridge regression and the training part's mean. */
  scores: Scores.nullable(),
  /** Why it failed or was interrupted. */
  reason: z.string().nullable(),
});

/** `GET /api/models/status`. */
export const ModelStatusReply = z.object({
  status: z.enum(MODEL_STATES),
  training_active: z.boolean(),
  device: z.string(),
  amd_gpu: z.boolean(),
  mixed_precision: z.boolean(),
  precision: z.string(),
  model_name: z.string(),
  hidden_channels: z.int(),
  num_heads: z.int(),
  batch_size: z.int(),
  epochs: z.int(),
  sequence_length: z.int(),
  dropout: z.number(),
  learning_rate: z.number(),
  /** Added: more of the settings. */
  layers: z.int(),
  seed: z.int(),
  parameters: z.int(),
  features: z.array(z.string()),
  /** SHA-256 of the weights in use and of the saved ones; `null`: as initialised, or none. */
  weights: z.string().nullable(),
  saved: z.string().nullable(),
  error: z.string().nullable(),
  /** Milliseconds of the newest answers to who asked for predictions, the market's part included. */
  predictions: z.object({
    count: z.int(),
    last_ms: z.number().nullable(),
    p50_ms: z.number().nullable(),
    p95_ms: z.number().nullable(),
  }),
  run: TrainingRun.nullable(),
});

export const ModelStatus = defineRequest({
  subject: 'beleg.v1.qry.models.status',
  reply: ModelStatusReply,
  timeoutMs: 5_000,
});

/**
 * Begins a run, or goes on with the newest one where that was interrupted and its settings are the ones of now;
 * `resume: false` always begins a new one. `ALREADY_TRAINING` while one runs, or a benchmark.
 */
export const TrainModel = defineRequest({
  subject: 'beleg.v1.cmd.models.train',
  request: z.strictObject({ resume: z.boolean().default(true) }),
  reply: z.object({ status: z.literal('started'), run: z.string(), resumed: z.boolean() }),
});

/** The run stops within a step and can go on later. `NOT_TRAINING` where no training runs; again while it stops: the same. */
export const StopTraining = defineRequest({
  subject: 'beleg.v1.cmd.models.stop',
  reply: z.object({ status: z.literal('stopped'), run: z.string() }),
  timeoutMs: 15_000,
});

/**
 * Keeps the weights in use; the initial ones where nothing was put to use yet. `MODEL_NOT_READY` where those last put to use
 * cannot be read.
 */
export const SaveModel = defineRequest({
  subject: 'beleg.v1.cmd.models.save',
  reply: z.object({ status: z.literal('saved'), weights: z.string() }),
  timeoutMs: 30_000,
});

/**
 * Puts the saved weights to use. `WEIGHTS_MISSING`, `WEIGHTS_MISMATCH` or `WEIGHTS_DAMAGED`: what was in use stays in use.
 */
export const LoadModel = defineRequest({
  subject: 'beleg.v1.cmd.models.load',
  reply: z.object({ status: z.literal('loaded'), weights: z.string() }),
  timeoutMs: 30_000,
});

export const BenchmarkReply = z.object({
  status: z.literal('complete'),
  /** Median of one batch. */
  inference_time_ms: z.number(),
  /** Median of one step. */
  training_time_ms: z.number(),
  /** Windows a second. */
  inference_throughput: z.number(),
  training_throughput: z.number(),
  /** Of the process that measured. */
  memory_allocated_gb: z.number(),
  device: z.string(),
});

/** Measures in a process of its own. `ALREADY_TRAINING` while a training runs: both would measure each other. */
export const BenchmarkModel = defineRequest({
  subject: 'beleg.v1.cmd.models.benchmark',
  reply: BenchmarkReply,
  timeoutMs: 120_000,
});

/** What the day after a session brings, by the weights in use. */
export const Prediction = z.object({
  ticker: z.string(),
  /** ln(close / close before). */
  return: z.number(),
  /** A day's, as a standard deviation of log returns. */
  volatility: z.number(),
});
export type Prediction = z.output<typeof Prediction>;

/**
 * Of each ticker that traded in the session and has a window of days up to it. Later days are not looked at.
 * `MODEL_NOT_READY` where no trained weights are in use.
 */
export const Predict = defineRequest({
  subject: 'beleg.v1.qry.models.predictions',
  request: z.strictObject({ session: SessionDate }),
  reply: z.object({ weights: z.string(), predictions: z.array(Prediction) }),
});
