import { z } from 'zod';
import { Scores, TrainingEpochFinished, TrainingPrepared } from '../../../events/catalog/models.ts';
import { BenchmarkReply } from '../../../events/messages/models.ts';
import { Count, Hash } from '../../../events/schemas.ts';
import { NetworkSpec, TrainingSettings } from '../network/spec.ts';

/** The devices of ONNX Runtime. `cpu` is always available. */
export const PROVIDERS = ['cpu', 'webgpu', 'cuda', 'dml'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** The device that is used, and how. */
export const Device = z.strictObject({
  provider: z.enum(PROVIDERS),
  /** Why another provider is used than the wanted one; `null` if the wanted one is used. */
  fallback: z.string().nullable(),
  precision: z.literal('float32'),
  /** Whether an AMD GPU is in use. */
  amd_gpu: z.boolean(),
});
export type Device = z.output<typeof Device>;

/** What is measured: the same network on the same device, with invented windows. */
export const BenchmarkJob = z.strictObject({
  spec: NetworkSpec,
  settings: TrainingSettings,
  provider: z.enum(PROVIDERS),
  /** Threads of the trainer; `null` means one less than there are cores, at least one. */
  threads: z.int().min(1).max(1024).nullable(),
});
export type BenchmarkJob = z.output<typeof BenchmarkJob>;

/** A training run. Its folder has its data (`bars.safetensors`) and gets everything that it writes. */
export const TrainingJob = BenchmarkJob.extend({
  run: z.string().min(1),
  folder: z.string().min(1),
  /**
   * Whether to resume from the checkpoint in the folder, with bit-identical results. Without a checkpoint the run
   * starts over.
   */
  resume: z.boolean(),
});
export type TrainingJob = z.output<typeof TrainingJob>;

/** The preparation of a run in the form in which it is recorded; `dataset` is the hash of its data. */
export const Preparation = TrainingPrepared.schema
  .omit({ run: true, provider: true, fallback: true })
  .extend({ device: Device });
export type Preparation = z.output<typeof Preparation>;
export type PartSummary = Preparation['train'];

/** The progress of a run, which is sent at most twice a second. */
export const Progress = z.strictObject({
  /** The present epoch, from 1 to `epochs`. */
  epoch: Count,
  /** The completed steps of the whole run. */
  step: Count,
  /** The mean squared error of scaled targets over the last steps. */
  loss: z.number(),
  steps_per_second: z.number(),
  seconds_left: z.number(),
});
export type Progress = z.output<typeof Progress>;

/** The recorded result of an epoch, whose checkpoint is on disk. `best`: its validation loss is the lowest so far. */
export const EpochResult = TrainingEpochFinished.schema.omit({ run: true });
export type EpochResult = z.output<typeof EpochResult>;

const TrainingFault = z.enum([
  /** There are too few bars for a window in each part. */
  'TOO_LITTLE_DATA',
  /** The data differs from that of the checkpoint. */
  'DATA_CHANGED',
  /** The checkpoint was made with other settings than those of the run. */
  'SETTINGS_CHANGED',
  'CHECKPOINT_DAMAGED',
  /** The loss is not a finite number. */
  'LOSS_NOT_FINITE',
  'OUT_OF_MEMORY',
  'DISK_FAILED',
  /** The process ended by itself. */
  'PROCESS_EXITED',
  'INTERNAL',
]);
export type TrainingFault = z.output<typeof TrainingFault>;

export const TrainingEnd = z.discriminatedUnion('outcome', [
  /** The weights of the best epoch are in the folder: `weights.safetensors`, with this content hash. */
  z.strictObject({
    outcome: z.literal('trained'),
    weights: Hash,
    best_epoch: Count,
    step: Count,
    scores: Scores,
  }),
  /** The run was told to stop. A checkpoint of its last step is in the folder, unless the process had to be killed. */
  z.strictObject({ outcome: z.literal('stopped'), step: Count, killed: z.boolean() }),
  z.strictObject({ outcome: z.literal('failed'), fault: TrainingFault, detail: z.string(), step: Count }),
]);
export type TrainingEnd = z.output<typeof TrainingEnd>;

/** The measured figures of a benchmark. */
export const BenchmarkResult = BenchmarkReply.omit({ status: true }).extend({ device: Device });
export type BenchmarkResult = z.output<typeof BenchmarkResult>;

export interface TrainingListener {
  prepared(preparation: Preparation): void;
  progress(progress: Progress): void;
  /** A run that is resumed at the end of an epoch reports that epoch again, because it may not have been recorded. */
  epoch(result: EpochResult): void;
}

/** A run in a child process. */
export interface RunningTraining {
  /** Stops the run within one step; a process that has not ended after 5 s is killed. */
  stop(): void;
  /** Resolves with how the run ended. Never rejects. */
  readonly ended: Promise<TrainingEnd>;
}

/** Trains and measures in child processes; tests have other implementations. */
export interface TrainerPort {
  start(job: TrainingJob, listener: TrainingListener): RunningTraining;
  /**
   * Measures steps and predictions. Rejects with `INTERNAL` if the process fails, and with the signal's reason once its
   * process is gone.
   */
  benchmark(job: BenchmarkJob, signal: AbortSignal): Promise<BenchmarkResult>;
}

/** Why a run cannot go on. Its message is for the operator and says what was found, with numbers. */
export class TrainingFailure extends Error {
  readonly fault: TrainingFault;

  constructor(fault: TrainingFault, detail: string, options?: { cause: unknown }) {
    super(detail, options);
    this.name = 'TrainingFailure';
    this.fault = fault;
  }
}
