import { describe, expect, it } from 'vitest';
import { seeded } from '../../../events/seeded.ts';
import { normalCdf, normalQuantile } from './normal.ts';
import {
  deflatedSharpe,
  expectedBest,
  overfittingProbability,
  periodSharpe,
  probabilisticSharpe,
} from './overfitting.ts';

describe('the normal distribution', () => {
  it.each([
    [0, 0.5],
    [1.959_963_984_540_054, 0.975],
    [-1.644_853_626_951_472_2, 0.05],
    [6, 0.999_999_999_013_412_3],
  ])('has %d below it %d', (x, share) => {
    expect(normalCdf(x)).toBeCloseTo(share, 14);
    expect(normalQuantile(share)).toBeCloseTo(x, 6);
  });

  it('ends where doubles end', () => {
    expect([normalCdf(-40), normalCdf(40), normalCdf(Number.NaN)]).toEqual([0, 1, Number.NaN]);
  });
});

describe('the deflated Sharpe ratio', () => {
  it('is what its authors published', () => {
    // Bailey and López de Prado (2014), "A numerical example": a yearly Sharpe ratio of 2.5 over five years of 250
    // days, the best of 100 trials whose yearly ratios have a variance of 1/2, with a skewness of -3 and a kurtosis of
    // 10.
    const threshold = expectedBest(1 / 2 / 250, 100);
    expect(threshold).toBeCloseTo(0.1132, 4);
    const example = { threshold, periods: 1_250, skewness: -3, kurtosis: 10 };
    expect(probabilisticSharpe({ ...example, sharpe: 2.5 / Math.sqrt(250) })).toBeCloseTo(0.9004, 3);
  });

  it('asks for nothing more where there was a single trial', () => {
    expect(expectedBest(0, 1)).toBe(0);
    expect(deflatedSharpe([0, 0, 0], [0])).toBe(0);
  });
});

/** Returns that follow the normal distribution, by pairs of even ones. (Box and Muller, 1958) */
function noise(seed: number): () => number {
  const random = seeded(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** Trials that share part of their luck, as strategies do that differ in one parameter. */
function sweep(
  next: () => number,
  { trials, sessions, shared }: Readonly<Record<'trials' | 'sessions' | 'shared', number>>,
) {
  const common = Float64Array.from({ length: sessions }, next);
  return Array.from({ length: trials }, () =>
    common.map((value) => 0.01 * (Math.sqrt(shared) * value + Math.sqrt(1 - shared) * next())),
  );
}

const bestOf = (trials: readonly Float64Array[], sharpes: readonly number[]): Float64Array =>
  trials[sharpes.indexOf(Math.max(...sharpes))]!;

describe('over sweeps of noise', () => {
  it.each([0, 0.5, 0.9])('the best is taken for an edge in at most one of 20, with %d shared', (shared) => {
    const next = noise(7);
    const found = Array.from({ length: 300 }, () => {
      const trials = sweep(next, { trials: 20, sessions: 250, shared });
      const sharpes = trials.map(periodSharpe);
      return deflatedSharpe(bestOf(trials, sharpes), sharpes) > 0.95;
    }).filter(Boolean);
    expect(found.length / 300).toBeLessThanOrEqual(0.05);
  });

  it('choosing the best is no better than chance', () => {
    const next = noise(11);
    const found = Array.from({ length: 15 }, () =>
      overfittingProbability(sweep(next, { trials: 10, sessions: 480, shared: 0 }))!,
    ).sort((a, b) => a - b);
    expect(found[7]).toBeGreaterThanOrEqual(0.45);
  });
});

it('an edge is found, and is no overfitting', () => {
  const next = noise(5);
  const trials = sweep(next, { trials: 20, sessions: 1_250, shared: 0.3 });
  trials[3] = trials[3]!.map((value) => value + 0.0015);
  const sharpes = trials.map(periodSharpe);
  expect(bestOf(trials, sharpes)).toBe(trials[3]);
  expect(deflatedSharpe(trials[3], sharpes)).toBeGreaterThan(0.95);
  expect(overfittingProbability(trials)).toBeLessThan(0.1);
});

it('the same trial twice is neither above nor below the other', () => {
  const [one] = sweep(noise(3), { trials: 1, sessions: 64, shared: 0 });
  expect(overfittingProbability([one!, one!])).toBe(1);
  expect(overfittingProbability([one!])).toBeNull();
  expect(overfittingProbability([[0.1], [0.2]])).toBeNull();
});
