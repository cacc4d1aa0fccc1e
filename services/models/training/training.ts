import type { Score } from '../data/dataset.ts';
import type { NetworkSpec, TrainingSettings } from '../network/spec.ts';

/** Where ONNX Runtime may compute. `cpu` is what is always there. */
export const PROVIDERS = ['cpu', 'webgpu', 'cuda', 'dml'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Where it does compute, and how. */
export interface Device {
  readonly provider: Provider;
  /** Why it is not the one that was asked for; `null` where it is. */
  readonly fallback: string | null;
  readonly precision: 'float32';
  /** An AMD GPU is in use. */
  readonly amd_gpu: boolean;
}

/** A run of training: its folder has all that it needs (`bars.safetensors`) and all that it leaves. */
export interface TrainingJob {
  readonly run: string;
  readonly folder: string;
  readonly spec: NetworkSpec;
  readonly settings: TrainingSettings;
  readonly provider: Provider;
  /** Threads of the trainer; `null`: one less than there are, at least one. */
  readonly threads: number | null;
  /** Goes on from the checkpoint in the folder, bit for bit. Without a checkpoint it starts over, which is the same. */
  readonly resume: boolean;
}

/** What is measured: the same network on the same device, with windows that are made up. */
export type BenchmarkJob = Pick<TrainingJob, 'spec' | 'settings' | 'provider' | 'threads'>;

/** What the run is about to do. */
export interface Preparation {
  readonly device: Device;
  readonly parameters: number;
  /** SHA-256 of what it learns from. */
  readonly dataset: string;
  readonly tickers: number;
  /** Windows and their first and last day. */
  readonly train: PartSummary;
  readonly validation: PartSummary;
  readonly test: PartSummary;
  /** Of the whole run. */
  readonly steps: number;
  /** Steps already done, by an earlier process. */
  readonly step: number;
}

export interface PartSummary {
  readonly windows: number;
  readonly from: string;
  readonly to: string;
}

/** At most twice a second. */
export interface Progress {
  /** 1 … epochs: the one under way. */
  readonly epoch: number;
  /** Done, of the whole run. */
  readonly step: number;
  /** Mean squared error of scaled targets, over the last steps. */
  readonly loss: number;
  readonly steps_per_second: number;
  readonly seconds_left: number;
}

/** Told after its checkpoint is on disk. */
export interface EpochResult {
  readonly epoch: number;
  readonly step: number;
  readonly train_loss: number;
  readonly validation_loss: number;
  readonly validation: Score;
  /** Its weights are the best ones so far, by validation loss. */
  readonly best: boolean;
}

/** Out of sample, on the test part, by all three: a network that is not better than ridge should be seen not to be. */
export interface Scores {
  readonly network: Score;
  readonly ridge: Score;
  /** Predicts the training part's mean. */
  readonly mean: Score;
}

export const TRAINING_FAULTS = [
  /** Too few bars for a window in each part. */
  'TOO_LITTLE_DATA',
  /** The data is not what the checkpoint was trained on. */
  'DATA_CHANGED',
  'CHECKPOINT_DAMAGED',
  /** The loss is no number any more. */
  'LOSS_NOT_FINITE',
  'OUT_OF_MEMORY',
  'DISK_FAILED',
  /** The process ended by itself. */
  'PROCESS_EXITED',
  'INTERNAL',
] as const;
export type TrainingFault = (typeof TRAINING_FAULTS)[number];

export type TrainingEnd =
  /** The best epoch's weights are in the folder: `weights.safetensors`, with this content hash. */
  | {
      readonly outcome: 'trained';
      readonly weights: string;
      readonly best_epoch: number;
      readonly step: number;
      readonly scores: Scores;
    }
  /** Told to stop: a checkpoint of that very step is in the folder, unless the process had to be killed. */
  | { readonly outcome: 'stopped'; readonly step: number; readonly killed: boolean }
  | {
      readonly outcome: 'failed';
      readonly fault: TrainingFault;
      readonly detail: string;
      readonly step: number;
    };

export interface TrainingListener {
  prepared(preparation: Preparation): void;
  progress(progress: Progress): void;
  /** A run that goes on where an epoch ended tells of that one again: it may not have been recorded. */
  epoch(result: EpochResult): void;
}

/** A run in a process of its own. */
export interface RunningTraining {
  /** Within one step; a process that has not ended after 5 s is killed. */
  stop(): void;
  /** Never rejects. */
  readonly ended: Promise<TrainingEnd>;
}

/** As measured, not as promised. */
export interface BenchmarkResult {
  /** Median of one batch. */
  readonly inference_time_ms: number;
  /** Median of one step. */
  readonly training_time_ms: number;
  /** Windows a second. */
  readonly inference_throughput: number;
  readonly training_throughput: number;
  /** Resident set of the process that measured, in 10^9 bytes. */
  readonly memory_allocated_gb: number;
  readonly device: Device;
}

/** What does heavy work, in processes of its own. Its real one forks; tests have others. */
export interface TrainerPort {
  start(job: TrainingJob, listener: TrainingListener): RunningTraining;
  /** Rejects with `INTERNAL` where the process fails, and with the signal's reason once its process is gone. */
  benchmark(job: BenchmarkJob, signal: AbortSignal): Promise<BenchmarkResult>;
}

/** Why a run cannot go on. Its message is for the operator: what was found, with numbers. */
export class TrainingFailure extends Error {
  readonly fault: TrainingFault;

  constructor(fault: TrainingFault, detail: string, options?: { cause: unknown }) {
    super(detail, options);
    this.name = 'TrainingFailure';
    this.fault = fault;
  }
}
