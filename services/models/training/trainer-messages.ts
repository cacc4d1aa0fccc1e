import { z } from 'zod';
import {
  BenchmarkJob,
  BenchmarkResult,
  EpochResult,
  Preparation,
  Progress,
  TrainingEnd,
  TrainingJob,
} from './trainer-port.ts';

/** The messages of the service to the trainer: one job, then perhaps a stop. */
export const ToTrainer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('train'), job: TrainingJob }),
  z.strictObject({ kind: z.literal('benchmark'), job: BenchmarkJob }),
  z.strictObject({ kind: z.literal('stop') }),
]);
export type ToTrainer = z.output<typeof ToTrainer>;

/** The cause of a fallback or a fault, for the log only, because it may have paths. */
const Cause = z.string().nullable();

/** The messages of the trainer to the service. After `ended`, `measured` or `broken` it exits. */
export const FromTrainer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('prepared'), preparation: Preparation, cause: Cause }),
  z.strictObject({ kind: z.literal('progress'), progress: Progress }),
  z.strictObject({ kind: z.literal('epoch'), result: EpochResult }),
  z.strictObject({ kind: z.literal('ended'), end: TrainingEnd, cause: Cause }),
  z.strictObject({ kind: z.literal('measured'), result: BenchmarkResult }),
  z.strictObject({ kind: z.literal('broken'), cause: z.string() }),
]);
export type FromTrainer = z.output<typeof FromTrainer>;
