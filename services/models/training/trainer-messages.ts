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

/** What the service tells the trainer: one thing to do, then perhaps to stop. */
export const ToTrainer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('train'), job: TrainingJob }),
  z.strictObject({ kind: z.literal('benchmark'), job: BenchmarkJob }),
  z.strictObject({ kind: z.literal('stop') }),
]);
export type ToTrainer = z.output<typeof ToTrainer>;

/** The cause of a fallback or a fault, for the log only: it may have paths in it. */
const Cause = z.string().nullable();

/** What the trainer tells the service. `ended`, `measured` and `broken` are last words: it exits after them. */
export const FromTrainer = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('prepared'), preparation: Preparation, cause: Cause }),
  z.strictObject({ kind: z.literal('progress'), progress: Progress }),
  z.strictObject({ kind: z.literal('epoch'), result: EpochResult }),
  z.strictObject({ kind: z.literal('ended'), end: TrainingEnd, cause: Cause }),
  z.strictObject({ kind: z.literal('measured'), result: BenchmarkResult }),
  z.strictObject({ kind: z.literal('broken'), cause: z.string() }),
]);
export type FromTrainer = z.output<typeof FromTrainer>;
