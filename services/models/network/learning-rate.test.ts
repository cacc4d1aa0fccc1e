import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { biasCorrections, hyperparameters, learningRate } from './learning-rate.ts';

const SETTINGS = { learning_rate: 0.002 };

test('rises for a hundred steps of a long run, is highest then, and half as high half-way down', () => {
  const [first, middle, top, half, last] = [1, 50, 100, 1100, 2099].map((step) =>
    learningRate(SETTINGS, step, 2099),
  );
  expect(first).toBeCloseTo(0.00002, 12);
  expect(middle).toBeCloseTo(0.001, 12);
  expect(top).toBe(0.002);
  expect(half).toBeCloseTo(0.001, 12);
  expect(last).toBeGreaterThan(0);
  expect(last).toBeLessThan(0.002 / 100_000);
});

test('rises for a tenth of a short run', () => {
  expect(learningRate(SETTINGS, 2, 30)).toBeLessThan(0.002);
  expect(learningRate(SETTINGS, 3, 30)).toBe(0.002);
  expect(learningRate(SETTINGS, 1, 1)).toBe(0.002);
});

test('is above 0 at each step, never above the highest rate, and never rises after the warm-up', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3000 }), (steps) => {
      const rates = Array.from({ length: steps }, (_, at) => learningRate(SETTINGS, at + 1, steps));
      const top = rates.indexOf(Math.max(...rates));
      expect(rates[top]).toBe(0.002);
      expect(Math.min(...rates)).toBeGreaterThan(0);
      expect(rates.every((rate, at) => at === 0 || at <= top === rate > rates[at - 1]!)).toBe(true);
    }),
    { numRuns: 30 },
  );
});

test('corrects for running means that began at 0', () => {
  const [first, second] = biasCorrections(1);
  expect(first).toBeCloseTo(10, 10);
  expect(second).toBeCloseTo(1000, 8);
  const [later, evenLater] = biasCorrections(100_000);
  expect([later, evenLater]).toEqual([1, 1]);
});

test('tells the training graph rate and corrections of a step', () => {
  expect(hyperparameters(SETTINGS, 7, 300)).toEqual([learningRate(SETTINGS, 7, 300), ...biasCorrections(7)]);
});
