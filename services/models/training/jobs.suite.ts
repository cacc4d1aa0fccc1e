import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { vi } from 'vitest';
import { dateOf } from '../../../events/dates.ts';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { writeBars, type TickerBars } from '../data/bars.ts';
import { MODEL_FEATURES } from '../data/model-features.ts';
import { gaussian } from '../network/random.ts';
import { contentHash } from '../weights/sealed-file.ts';
import type { Dataset } from '../data/dataset.ts';
import { Optimization } from './optimization.ts';
import { loadDataset, train, type Ended } from './run-job.ts';
import type { EpochResult, Preparation, TrainingJob, TrainingListener } from './trainer-port.ts';

/** Tickers that walk at random, with one bar a day. */
export function randomBars(seed: number, tickers = 3, days = 260): TickerBars[] {
  return Array.from({ length: tickers }, (_, ticker) => {
    const draw = (at: number): number => gaussian(seed, ticker, at);
    let last = 100;
    const close = Float64Array.from({ length: days }, (_, day) => (last *= Math.exp(0.01 * draw(day))));
    const spread = (day: number): number => 1 + 0.005 * Math.abs(draw(days + day));
    return {
      ticker: `T${ticker}`,
      dates: Array.from({ length: days }, (_, day) => dateOf(Date.UTC(2020, 0, 1 + day))),
      open: close.map((price, day) => close[day - 1] ?? price),
      high: close.map((price, day) => Math.max(price, close[day - 1] ?? price) * spread(day)),
      low: close.map((price, day) => Math.min(price, close[day - 1] ?? price) / spread(day)),
      close,
      volume: close.map((_, day) => 1_000 * Math.exp(0.1 * draw(2 * days + day))),
    };
  });
}

/** A small job in a folder of its own with bars: 3 epochs of 10 steps, of about a millisecond each. */
export async function smallJob(changes: Partial<TrainingJob> = {}): Promise<TrainingJob> {
  const folder = temporaryFolder();
  await writeBars(join(folder, 'bars.safetensors'), randomBars(1));
  return {
    run: 'small',
    folder,
    spec: {
      features: MODEL_FEATURES.length,
      sequence_length: 8,
      hidden_channels: 8,
      num_heads: 2,
      layers: 1,
      dropout: 0.2,
    },
    settings: { batch_size: 40, epochs: 3, learning_rate: 0.005, seed: 7 },
    provider: 'cpu',
    threads: 1,
    resume: false,
    ...changes,
  };
}

/** SHA-256 of a file of the job's folder. */
export const hashOf = async ({ folder }: TrainingJob, file: string): Promise<string> =>
  contentHash(await readFile(join(folder, file)));

/** The reports of a run, in order. */
export interface Heard {
  readonly preparations: Preparation[];
  readonly epochs: EpochResult[];
  readonly listener: TrainingListener;
}

export function hearing(also: Partial<TrainingListener> = {}): Heard {
  const preparations: Preparation[] = [];
  const epochs: EpochResult[] = [];
  const listener: TrainingListener = {
    prepared(preparation) {
      preparations.push(preparation);
      also.prepared?.(preparation);
    },
    progress: (progress) => also.progress?.(progress),
    epoch(result) {
      epochs.push(result);
      also.epoch?.(result);
    },
  };
  return { preparations, epochs, listener };
}

/** Trains in this process; the signal aborts during the step `stopAfter`. */
export async function trainHere(
  job: TrainingJob,
  { stopAfter, load = () => loadDataset(job) }: { stopAfter?: number; load?: () => Promise<Dataset> } = {},
): Promise<Heard & Ended> {
  const heard = hearing();
  const stop = new AbortController();
  // oxlint-disable-next-line typescript/unbound-method -- bound again below
  const { step } = Optimization.prototype;
  let steps = 0;
  const spy = vi.spyOn(Optimization.prototype, 'step').mockImplementation(async function (
    this: Optimization,
    at,
  ) {
    const loss = await step.call(this, at);
    // Like a message, it arrives not at once, but before anything that begins later.
    if (++steps === stopAfter) setImmediate(() => stop.abort());
    return loss;
  });
  try {
    return { ...heard, ...(await train(job, load, heard.listener, stop.signal)) };
  } finally {
    spy.mockRestore();
  }
}

/** A logger that keeps its lines, one of which has the trainer's process id. */
export function listeningLogger() {
  const lines: Record<string, unknown>[] = [];
  const logger = pino({}, { write: (line) => lines.push(JSON.parse(line) as Record<string, unknown>) });
  const trainerPid = () => lines.find((line) => 'trainer_pid' in line)!['trainer_pid'] as number;
  return { logger, lines, trainerPid };
}
