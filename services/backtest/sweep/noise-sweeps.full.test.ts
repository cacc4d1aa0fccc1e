import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { shareOf, sweepOf } from './noise-sweeps.suite.ts';

/** The sweeps take half a minute on an idle core, and many minutes on a busy machine. docs/sweep.md has the shares over 1,000 of them. */
const TIMEOUT_MS = 1_800_000;

async function sweeps<Result>(count: number, of: (seed: number) => Result): Promise<Result[]> {
  const results: Result[] = [];
  for (let seed = 1; seed <= count; seed++) {
    results.push(of(seed));
    await nextTurn();
  }
  return results;
}

const told = (what: string, { share, low, high }: ReturnType<typeof shareOf>): string =>
  `${what}: ${(share * 100).toFixed(1)} % (95 % interval ${(low * 100).toFixed(1)} to ${(high * 100).toFixed(1)} %)`;

test(
  'over 400 sweeps on noise at most one of 20 is taken for an edge, and choosing is chance',
  async () => {
    const noise = await sweeps(400, (seed) => {
      const { deflatedSharpe, overfitting } = sweepOf({ seed, days: 252 });
      return { isTaken: deflatedSharpe > 0.95, overfitting: overfitting() };
    });
    const taken = shareOf(noise.filter(({ isTaken }) => isTaken).length, noise.length);
    const median = noise.map(({ overfitting }) => overfitting).sort((a, b) => a - b)[noise.length / 2]!;
    process.stdout.write(
      `${told('noise taken for an edge', taken)}, median overfitting ${median.toFixed(2)}\n`,
    );
    expect(taken.high).toBeLessThanOrEqual(0.05);
    expect(median).toBeGreaterThanOrEqual(0.45);
  },
  TIMEOUT_MS,
);

test(
  'an edge that is there is found in at least four of five sweeps',
  async () => {
    const found = await sweeps(50, (seed) => sweepOf({ seed, days: 756, edge: 0.2 }).deflatedSharpe > 0.95);
    const share = shareOf(found.filter(Boolean).length, found.length);
    process.stdout.write(`${told('planted edge found', share)}\n`);
    expect(share.share).toBeGreaterThanOrEqual(0.8);
  },
  TIMEOUT_MS,
);
