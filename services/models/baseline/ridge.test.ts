import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cholesky, choleskySolve } from './cholesky.ts';
import type { Dataset } from '../data/dataset.ts';
import { momentsOf, windowStart, fitRidge, predictRidge } from './ridge.ts';
import { prepareDataset } from '../data/prepare.ts';
import { scoreOf } from '../data/r-squared.ts';
import { syntheticDataset } from '../data/synthetic.suite.ts';
import { walk } from '../data/walk.suite.ts';

const { signal } = new AbortController();

/** One feature a day, from -1 to 3, with mean 1 and variance 2; the targets are 2x + 1 and -x. */
function lines(): Dataset {
  const rows = Int32Array.from({ length: 40 }, (_, row) => row);
  const inputs = Float32Array.from(rows, (row) => (row % 5) - 1);
  const part = { rows, from: '', to: '' };
  return {
    features: ['x'],
    sequenceLength: 1,
    tickers: ['A'],
    inputs,
    targets: Float32Array.from([...inputs].flatMap((x) => [2 * x + 1, -x])),
    scaler: { inputs: { mean: [0], deviation: [1] }, targets: { mean: [0, 0], deviation: [1, 1] } },
    train: part,
    validation: part,
    test: part,
    hash: '',
  };
}

describe('a Cholesky factor', () => {
  it('solves what it was made of', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 8 }).chain((size) =>
          fc.record({
            factors: fc.array(fc.integer({ min: -9, max: 9 }), {
              minLength: size * size,
              maxLength: size * size,
            }),
            x: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: size, maxLength: size }),
          }),
        ),
        ({ factors, x }) => {
          const size = x.length;
          // M Mᵀ + 1 is positive definite.
          const a = Float64Array.from({ length: size * size }, (_, at) => {
            const [row, column] = [Math.floor(at / size), at % size];
            let sum = row === column ? 1 : 0;
            for (let k = 0; k < size; k++) sum += factors[row * size + k]! * factors[column * size + k]!;
            return sum;
          });
          const b = Float64Array.from(x, (_, row) =>
            x.reduce((sum, value, column) => sum + a[row * size + column]! * value, 0),
          );
          const solved = choleskySolve(cholesky(a, size), b);
          for (const [at, value] of x.entries()) expect(solved[at]).toBeCloseTo(value, 6);
        },
      ),
    );
  });

  it('is not to be had of a matrix that is not positive definite', () => {
    expect(() => cholesky(Float64Array.of(1, 0, 2, 1), 2)).toThrow(RangeError);
  });
});

describe('moments', () => {
  it('are the sums over all windows, however these follow each other', async () => {
    const bars = [
      walk('A', { to: 260 }),
      walk('B', { from: 30, to: 260, seed: 2, without: (day) => day % 50 < 8 }),
    ];
    const dataset = prepareDataset(bars, { sequenceLength: 4 });
    const { inputs, targets, features } = dataset;
    await fc.assert(
      fc.asyncProperty(
        fc.subarray([...dataset.train.rows], { minLength: 1 }),
        fc.integer({ min: 1, max: 4 }),
        async (rows, days) => {
          const moments = await momentsOf(dataset, Int32Array.from(rows), days, signal);
          const columns = days * features.length;
          expect([moments.windows, moments.columns]).toEqual([rows.length, columns]);
          const value = (row: number, column: number) =>
            inputs[windowStart(row, days, features.length) + column]!;
          const sum = (of: (row: number) => number) => rows.reduce((total, row) => total + of(row), 0);
          for (let a = 0; a < columns; a++) {
            expect(moments.sums[a]).toBeCloseTo(
              sum((row) => value(row, a)),
              8,
            );
            expect(moments.withTargets[1]![a]).toBeCloseTo(
              sum((row) => value(row, a) * targets[row * 2 + 1]!),
              8,
            );
            for (let b = 0; b < columns; b++) {
              const expected = sum((row) => value(row, a) * value(row, b));
              expect(Math.abs(moments.products[a * columns + b]! - expected)).toBeLessThan(1e-8);
            }
          }
          expect(moments.targetSums[0]).toBeCloseTo(
            sum((row) => targets[row * 2]!),
            8,
          );
        },
      ),
      { numRuns: 10 },
    );
  });
});

describe('ridge regression', () => {
  it('is what its formula says: cov / (var + penalty), and an intercept that is not penalised', async () => {
    const { days, models } = await fitRidge(lines(), signal);
    expect(days).toBe(1);
    // Without noise the smallest penalty is the best.
    const [ofReturn, ofVolatility] = models;
    expect(ofReturn).toMatchObject({ penalty: 0.001 });
    expect(ofReturn!.weights[0]).toBeCloseTo((2 * 2) / 2.001, 12);
    expect(ofReturn!.intercept).toBeCloseTo(3 - 4 / 2.001, 12);
    expect(ofVolatility!.weights[0]).toBeCloseTo(-2 / 2.001, 12);
    expect(ofVolatility!.intercept).toBeCloseTo(-1 + 2 / 2.001, 12);
  });

  it('finds what is linear in a signal, and no more', async () => {
    const windows = { train: 6_000, validation: 1_500, test: 3_000 };
    const dataset = syntheticDataset({ seed: 1, sequenceLength: 24, features: 4, windows });
    const ridge = await fitRidge(dataset, signal);
    const { rows } = dataset.test;
    const score = scoreOf(await predictRidge(ridge, dataset, rows, signal), dataset.targets, rows);
    expect(score.return).toBeGreaterThan(0.21);
    expect(score.return).toBeLessThan(0.29);
    expect(Math.abs(score.volatility)).toBeLessThan(0.02);
  });

  it('finds nothing where targets are shuffled', async () => {
    const windows = { train: 2_000, validation: 1_000, test: 1_000 };
    const dataset = syntheticDataset({ seed: 7, sequenceLength: 20, features: 4, windows, shuffled: true });
    const ridge = await fitRidge(dataset, signal);
    const { rows } = dataset.test;
    const score = scoreOf(await predictRidge(ridge, dataset, rows, signal), dataset.targets, rows);
    expect(Math.max(score.return, score.volatility)).toBeLessThan(0.02);
  });

  it('looks at the newest days where a window has more than it can take', async () => {
    const windows = { train: 300, validation: 100, test: 100 };
    const dataset = syntheticDataset({ seed: 1, sequenceLength: 20, features: 64, windows });
    const { days, models } = await fitRidge(dataset, signal);
    expect([days, models[0]!.weights.length]).toEqual([8, 512]);
  });

  it('lets others have their turn, and ends when it is told to', async () => {
    const windows = { train: 6_000, validation: 100, test: 100 };
    const dataset = syntheticDataset({ seed: 1, sequenceLength: 20, features: 8, windows });
    const stop = new AbortController();
    let turns = 0;
    const others = setInterval(() => {
      turns++;
      if (turns === 3) stop.abort(new Error('stopped'));
    }, 0);
    await expect(fitRidge(dataset, stop.signal)).rejects.toThrow('stopped');
    clearInterval(others);
    expect(turns).toBe(3);
  });
});
