import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeBars, type TickerBars } from '../data/bars.ts';
import { MODEL_FEATURES } from '../data/features.ts';
import { gaussian } from '../network/random.ts';
import { contentHash } from '../weights/sealed.ts';
import type { TrainingJob } from './training.ts';

/** Tickers that walk at random, a bar a day. */
export function randomBars(seed: number, tickers = 3, days = 260): TickerBars[] {
  return Array.from({ length: tickers }, (_, ticker) => {
    const draw = (at: number): number => gaussian(seed, ticker, at);
    let last = 100;
    const close = Float64Array.from({ length: days }, (_, day) => (last *= Math.exp(0.01 * draw(day))));
    const spread = (day: number): number => 1 + 0.005 * Math.abs(draw(days + day));
    return {
      ticker: `T${ticker}`,
      dates: Array.from({ length: days }, (_, day) =>
        new Date(Date.UTC(2020, 0, 1 + day)).toISOString().slice(0, 10),
      ),
      open: close.map((price, day) => close[day - 1] ?? price),
      high: close.map((price, day) => Math.max(price, close[day - 1] ?? price) * spread(day)),
      low: close.map((price, day) => Math.min(price, close[day - 1] ?? price) / spread(day)),
      close,
      volume: close.map((_, day) => 1_000 * Math.exp(0.1 * draw(2 * days + day))),
    };
  });
}

/** A small job in a folder of its own, with bars in it; a step takes about a millisecond. */
export async function smallJob(changes: Partial<TrainingJob> = {}): Promise<TrainingJob> {
  const folder = await mkdtemp(join(tmpdir(), 'beleg-training-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
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
    settings: { batch_size: 32, epochs: 3, learning_rate: 0.005, seed: 7 },
    provider: 'cpu',
    threads: 1,
    resume: false,
    ...changes,
  };
}

/** SHA-256 of a file of the job's folder. */
export const hashOf = async ({ folder }: TrainingJob, file: string): Promise<string> =>
  contentHash(await readFile(join(folder, file)));
