import { expect, it } from 'vitest';
import { gridOf, parseAxis } from './parameter-space.ts';
import { summariseSweep } from './sweep-summary.ts';
import { splitAt } from './walk-forward.ts';

const DATES = Array.from({ length: 40 }, (_, n) =>
  new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10),
);
const axes = [parseAxis('fast=1,2,3')];
/** The first trial is best in training, the last in the test. */
const trials = gridOf(axes).map((parameters, at) => ({
  parameters,
  trades: at,
  returns: Float64Array.from(DATES, (_, n) => (n % 2 === 0 ? 0.02 : -0.01) + (n < 20 ? -at : at) * 0.001),
}));

it('names what was best together with what became of it', () => {
  const summary = summariseSweep({
    axes,
    trials,
    dates: DATES,
    folds: [splitAt(DATES, '2020-01-21')!],
    perYear: 252,
  });
  expect(summary).toMatchObject({ runs: 3, from: '2020-01-01', to: '2020-02-09', sessions: 40 });
  expect(summary.folds).toEqual([
    {
      train: { from: '2020-01-01', to: '2020-01-20' },
      test: { from: '2020-01-21', to: '2020-02-09' },
      parameters: { fast: 1 },
      sharpe: { train: summary.trials[0]!.trainSharpe, test: summary.trials[0]!.testSharpe },
      rank: 3,
    },
  ]);
  expect(summary.neighbours).toEqual([{ parameters: { fast: 2 }, sharpe: summary.trials[1]!.trainSharpe }]);
  expect(summary.outOfSample.dates).toEqual(DATES.slice(20));
  expect(summary.outOfSample.equity.at(-1)! - 1).toBeCloseTo(summary.outOfSample.totalReturn!, 12);
  expect(summary.trials.map(({ trades }) => trades)).toEqual([0, 1, 2]);
  expect(summary.deflatedSharpe).toBeGreaterThan(0);
  expect(summary.overfitting).toBeGreaterThan(0.5);
});
