import { z } from 'zod';
import { NetworkSpec, TrainingSettings } from '../network/spec.ts';
import {
  PROVIDERS,
  TRAINING_FAULTS,
  type BenchmarkJob,
  type BenchmarkResult,
  type Device,
  type EpochResult,
  type Preparation,
  type Progress,
  type Scores,
  type TrainingEnd,
  type TrainingJob,
} from './training.ts';

const Count = z.int().nonnegative();
const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Score = z.strictObject({ return: z.number(), volatility: z.number() });
const Part = z.strictObject({ windows: Count, from: z.iso.date(), to: z.iso.date() });
const Threads = z.int().min(1).max(1024).nullable();

const Device = z.strictObject({
  provider: z.enum(PROVIDERS),
  fallback: z.string().nullable(),
  precision: z.literal('float32'),
  amd_gpu: z.boolean(),
}) satisfies z.ZodType<Device>;

const BenchmarkJob = z.strictObject({
  spec: NetworkSpec,
  settings: TrainingSettings,
  provider: z.enum(PROVIDERS),
  threads: Threads,
}) satisfies z.ZodType<BenchmarkJob>;

const TrainingJob = BenchmarkJob.extend({
  run: z.string().min(1),
  folder: z.string().min(1),
  resume: z.boolean(),
}) satisfies z.ZodType<TrainingJob>;

const Preparation = z.strictObject({
  device: Device,
  parameters: Count,
  dataset: Hash,
  tickers: Count,
  train: Part,
  validation: Part,
  test: Part,
  steps: Count,
  step: Count,
}) satisfies z.ZodType<Preparation>;

const Progress = z.strictObject({
  epoch: Count,
  step: Count,
  loss: z.number(),
  steps_per_second: z.number(),
  seconds_left: z.number(),
}) satisfies z.ZodType<Progress>;

const EpochResult = z.strictObject({
  epoch: Count,
  step: Count,
  train_loss: z.number(),
  validation_loss: z.number(),
  validation: Score,
  best: z.boolean(),
}) satisfies z.ZodType<EpochResult>;

const Scores = z.strictObject({ network: Score, ridge: Score, mean: Score }) satisfies z.ZodType<Scores>;

const End = z.discriminatedUnion('outcome', [
  z.strictObject({
    outcome: z.literal('trained'),
    weights: Hash,
    best_epoch: Count,
    step: Count,
    scores: Scores,
  }),
  z.strictObject({ outcome: z.literal('stopped'), step: Count, killed: z.boolean() }),
  z.strictObject({
    outcome: z.literal('failed'),
    fault: z.enum(TRAINING_FAULTS),
    detail: z.string(),
    step: Count,
  }),
]) satisfies z.ZodType<TrainingEnd>;

const BenchmarkResult = z.strictObject({
  inference_time_ms: z.number(),
  training_time_ms: z.number(),
  inference_throughput: z.number(),
  training_throughput: z.number(),
  memory_allocated_gb: z.number(),
  device: Device,
}) satisfies z.ZodType<BenchmarkResult>;

/** What the service tells the trainer: one thing to do, then perhaps to stop. */
export const ToTrainer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('train'), job: TrainingJob }),
  z.strictObject({ kind: z.literal('benchmark'), job: BenchmarkJob }),
  z.strictObject({ kind: z.literal('stop') }),
]);
export type ToTrainer = z.output<typeof ToTrainer>;

/** Of a fallback or a fault, for the log only: it may hold paths. */
const Cause = z.string().nullable();

/** What the trainer tells the service. `ended`, `measured` and `broken` are last words: it exits after them. */
export const FromTrainer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('prepared'), preparation: Preparation, cause: Cause }),
  z.strictObject({ kind: z.literal('progress'), progress: Progress }),
  z.strictObject({ kind: z.literal('epoch'), result: EpochResult }),
  z.strictObject({ kind: z.literal('ended'), end: End, cause: Cause }),
  z.strictObject({ kind: z.literal('measured'), result: BenchmarkResult }),
  z.strictObject({ kind: z.literal('broken'), cause: z.string() }),
]);
export type FromTrainer = z.output<typeof FromTrainer>;
