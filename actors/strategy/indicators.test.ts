import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { exponentialAverage, macd, simpleAverage, wilderAverage } from './averages.ts';
import { logReturn, momentum, percentChange } from './price-changes.ts';
import { RollingMean } from './rolling-mean.ts';
import { bollingerPercent, standardDeviation, zScore } from './volatility.ts';
import { averageTrueRange, relativeStrength } from './rsi-and-atr.ts';

const none = Number.NaN;

describe('indicators', () => {
  it('say nothing until there are enough values', () => {
    expect([...simpleAverage([1, 2, 3, 4], 3)]).toEqual([none, none, 2, 3]);
    expect([...exponentialAverage([1, 2, 3, 5], 3)]).toEqual([none, none, 2, 3.5]);
    expect([...wilderAverage([1, 3, 6], 2)]).toEqual([none, 2, 4]);
    expect([...momentum([1, 2, 4], 1)]).toEqual([none, 1, 2]);
    expect([...percentChange([1, 2, 3], 2)]).toEqual([none, none, 2]);
    expect([...logReturn([1, Math.E], 1)]).toEqual([none, 1]);
    expect([...standardDeviation([1, 3, 5], 3, 0)]).toEqual([none, none, Math.sqrt(8 / 3)]);
    expect([...standardDeviation([1, 3, 5], 3, 1)]).toEqual([none, none, 2]);
    expect([...simpleAverage([1], 2)]).toEqual([none]);
    expect([...relativeStrength([], 14)]).toEqual([]);
  });

  it('begin where the series they are made of begins', () => {
    expect([...simpleAverage([none, none, 1, 3], 2)]).toEqual([none, none, none, 2]);
    expect([...exponentialAverage([none, 1, 3], 2)]).toEqual([none, none, 2]);
    const { macd: line, signal } = macd(Array.from({ length: 40 }, (_, at) => 100 + at));
    expect(line.findIndex((value) => !Number.isNaN(value))).toBe(25);
    expect(signal.findIndex((value) => !Number.isNaN(value))).toBe(33);
  });

  it('have an answer where nothing moves, however the price rounds', () => {
    const flat = Array.from({ length: 60 }, () => 0.1);
    expect(relativeStrength(flat).at(-1)).toBe(50);
    expect(zScore(flat, 20).at(-1)).toBe(0);
    expect(bollingerPercent(flat).at(-1)).toBe(0.5);
    expect(averageTrueRange(flat, flat, flat).at(-1)).toBe(0);
  });

  it('a price that only rises has a relative strength of 100, one that only falls 0', () => {
    const rising = Array.from({ length: 30 }, (_, at) => 10 + at);
    expect(relativeStrength(rising).at(-1)).toBe(100);
    expect(relativeStrength(rising.toReversed()).at(-1)).toBe(0);
  });

  it('refuse a period that is none', () => {
    expect(() => simpleAverage([1], 0)).toThrow(RangeError);
    expect(() => momentum([1], 1.5)).toThrow(RangeError);
  });
});

const prices = fc.array(fc.double({ min: 0.01, max: 10_000, noNaN: true }), { maxLength: 200 });
const period = fc.integer({ min: 1, max: 40 });

describe('for any prices', () => {
  it('the rolling mean is the mean of its window', () => {
    fc.assert(
      fc.property(prices, period, (values, n) => {
        simpleAverage(values, n).forEach((mean, at) => {
          const window = values.slice(Math.max(0, at - n + 1), at + 1);
          const expected = window.length < n ? none : window.reduce((a, b) => a + b) / n;
          expect(Object.is(mean, expected) || Math.abs(mean - expected) <= 1e-10 * expected + 1e-9).toBe(
            true,
          );
        });
      }),
    );
  });

  it('a value of no use is forgotten once its ring has come round', () => {
    const mean = new RollingMean(3);
    const means = [1, none, 1, 1, 1, 1].map((value) => mean.push(value));
    expect(means[3]).toBeNaN();
    expect(means.at(-1)).toBe(1);
  });

  it('scaling a rolling mean is as if the prices had been other ones', () => {
    fc.assert(
      fc.property(prices, prices, period, (before, after, n) => {
        const scaled = new RollingMean(n);
        for (const value of before) scaled.push(value);
        scaled.scale(0.25);
        const afresh = new RollingMean(n);
        for (const value of before) afresh.push(value * 0.25);
        for (const value of after) expect(scaled.push(value)).toBe(afresh.push(value));
        expect(scaled.push(1)).toBe(afresh.push(1));
      }),
    );
  });

  it('nothing looks ahead: later values leave earlier ones as they are', () => {
    fc.assert(
      fc.property(prices, prices, period, (past, future, n) => {
        for (const of of [simpleAverage, exponentialAverage, wilderAverage, zScore, relativeStrength]) {
          expect(of([...past, ...future], n).subarray(0, past.length)).toEqual(of(past, n));
        }
      }),
    );
  });

  it('relative strength and %b stay where they belong', () => {
    fc.assert(
      fc.property(prices, (values) => {
        for (const value of relativeStrength(values)) {
          expect(Number.isNaN(value) || (value >= 0 && value <= 100)).toBe(true);
        }
        // No value is further than √19 deviations from the mean of 20 that it is one of.
        for (const share of bollingerPercent(values)) {
          expect(Number.isNaN(share) || Math.abs(share - 0.5) <= Math.sqrt(19) / 4 + 1e-6).toBe(true);
        }
      }),
    );
  });
});
