import { describe, expect, it } from 'vitest';
import { chooseIn, foldsOf, parseWalkForward, splitAt, stitched } from './walk-forward.ts';

/** The first day of each month, from January 2020 on. */
const months = (count: number): string[] =>
  Array.from({ length: count }, (_, n) => new Date(Date.UTC(2020, n, 1)).toISOString().slice(0, 10));

describe('folds', () => {
  it('move on by the time of the test', () => {
    const folds = foldsOf(months(12), parseWalkForward('6m/3m', false));
    expect(folds).toEqual([
      { train: { from: 0, to: 6 }, test: { from: 6, to: 9 } },
      { train: { from: 3, to: 9 }, test: { from: 9, to: 12 } },
    ]);
  });

  it('keep their beginning where they are anchored, and the last may be short', () => {
    expect(foldsOf(months(11), parseWalkForward('6m/3m', true))).toEqual([
      { train: { from: 0, to: 6 }, test: { from: 6, to: 9 } },
      { train: { from: 0, to: 9 }, test: { from: 9, to: 11 } },
    ]);
  });

  it('are none where there is no time to test in', () => {
    expect(foldsOf(months(12), parseWalkForward('1y/1y', false))).toEqual([]);
    expect(foldsOf([], parseWalkForward('1y/1y', false))).toEqual([]);
    expect(splitAt(months(3), '2019-01-01')).toBeNull();
    expect(splitAt(months(3), '2021-01-01')).toBeNull();
  });

  it.each(['5/1', '5y', '0y/1y', '5y/1d'])('%s is none', (text) => {
    expect(() => parseWalkForward(text, false)).toThrow(/write 5y\/1y or 18m\/6m/);
  });
});

describe('a choice', () => {
  const good = [0.01, 0.02, 0.01, -0.01, -0.02, -0.01];
  const trials = [good.map((value) => -value), good, [0.001, -0.001, 0.001, 0.001, -0.001, 0.001]].map(
    (values) => Float64Array.from(values),
  );

  it('is the best before, with its rank after', () => {
    const [choice] = chooseIn([splitAt(months(6), '2020-04-01')!], trials);
    expect(choice).toMatchObject({ chosen: 1, rank: 3 });
    expect(choice!.sharpe.train).toBeGreaterThan(0);
    expect(choice!.sharpe.test).toBeLessThan(0);
  });

  it('knows nothing of what comes after it', () => {
    const folds = foldsOf(months(6), parseWalkForward('2m/1m', true));
    const before = chooseIn(folds, trials).map(({ chosen }) => chosen);
    for (const [at, fold] of folds.entries()) {
      const other = trials.map((returns) =>
        returns.map((value, n) => (n < fold.test.from ? value : 7 - n * value)),
      );
      expect(chooseIn(folds, other)[at]!.chosen).toBe(before[at]);
    }
  });

  it('is used one after another', () => {
    const choices = chooseIn(foldsOf(months(6), parseWalkForward('2m/2m', false)), trials);
    expect(stitched(choices, trials)).toEqual([
      ...trials[choices[0]!.chosen]!.subarray(2, 4),
      ...trials[choices[1]!.chosen]!.subarray(4, 6),
    ]);
  });
});
