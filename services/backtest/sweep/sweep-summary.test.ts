import { expect, it } from 'vitest';
import { gridOf, parseAxis } from './parameter-space.ts';
import { renderSweep, toldOf } from './sweep-report.ts';
import { summariseSweep } from './sweep-summary.ts';
import { foldsOf, splitAt } from './walk-forward.ts';

const DATES = Array.from({ length: 80 }, (_, n) =>
  new Date(Date.UTC(2020, 0, 1 + n)).toISOString().slice(0, 10),
);
const axes = [parseAxis('fast=1,2,3')];
/** The first trial is best in training, the last in the test. */
const trials = gridOf(axes).map((parameters, at) => ({
  parameters,
  trades: at,
  returns: Float64Array.from(DATES, (_, n) => (n % 2 === 0 ? 0.02 : -0.01) + (n < 40 ? -at : at) * 0.001),
}));

/** It gains 1 % in each session. */
const HELD = ['2019-12-31', ...DATES].map((session, n) => ({ session, value: 1.01 ** n }));

it('names what was best together with what became of it', () => {
  const summary = summariseSweep({
    axes,
    trials,
    dates: DATES,
    folds: [splitAt(DATES, '2020-02-10')!],
    perYear: 252,
    benchmarks: [{ name: 'Hold', equity: HELD }],
  });
  expect(summary).toMatchObject({ runs: 3, from: '2020-01-01', to: '2020-03-20', sessions: 80 });
  expect(summary.folds).toEqual([
    {
      train: { from: '2020-01-01', to: '2020-02-09' },
      test: { from: '2020-02-10', to: '2020-03-20' },
      parameters: { fast: 1 },
      sharpe: { train: summary.trials[0]!.trainSharpe, test: summary.trials[0]!.testSharpe },
      rank: 3,
    },
  ]);
  expect(summary.neighbours).toEqual([{ parameters: { fast: 2 }, sharpe: summary.trials[1]!.trainSharpe }]);
  expect(summary.outOfSample.benchmarks[0]!.totalReturn).toBeCloseTo(1.01 ** 40 - 1, 9);
  expect(summary.outOfSample.dates).toEqual(DATES.slice(40));
  expect(summary.outOfSample.equity.at(-1)! - 1).toBeCloseTo(summary.outOfSample.totalReturn!, 12);
  expect(summary.trials.map(({ trades }) => trades)).toEqual([0, 1, 2]);
  expect(summary.deflatedSharpe).toBeGreaterThan(0);
  // In the time of the choice the first is always best; over all sessions each half contradicts the other.
  expect(summary.overfitting).toBe(0);
  expect(summary.overfittingOfAll).toBeGreaterThan(0.5);
  expect(toldOf(summary).join('\n')).toMatch(
    /Probability of overfitting 0\.00 % in the time of the choice, \d\d\.\d\d % over all sessions/,
  );
});

it('says of a walk-forward in words that no choice knew what it was used in', () => {
  const folds = foldsOf(DATES, { trainMonths: 1, testMonths: 1, anchored: false });
  const summary = summariseSweep({ axes, trials, dates: DATES, folds, perYear: 252 });
  const told = toldOf(summary);
  expect(told.slice(0, 2)).toEqual([
    expect.stringMatching(
      /^2 times the run .* among 3, and used until the next choice, so that no choice knew .* from 2020-02-01 to 2020-03-20: a return of /,
    ),
    'In the sessions that they were used in, the choices came in place 1 to 3 of 3 (1 is the best).',
  ]);
  expect(told[2]).toMatch(/^Deflated Sharpe ratio of the first choice/);
});

it('leaves runs that never held anything out of all figures, and says so', () => {
  const idle = { parameters: { fast: 9 }, trades: 0, returns: new Float64Array(DATES.length) };
  const options = { axes, dates: DATES, folds: [splitAt(DATES, '2020-02-10')!], perYear: 252 };
  const { trials: rows, ...summary } = summariseSweep({ ...options, trials: [idle, ...trials] });
  const { trials: rowsWithout, ...without } = summariseSweep({ ...options, trials });
  expect(summary).toEqual({ ...without, idle: [{ fast: 9 }] });
  expect(rows.map(({ parameters }) => parameters)).toEqual([
    ...rowsWithout.map(({ parameters }) => parameters),
    { fast: 9 },
  ]);
  expect(toldOf({ ...summary, trials: rows }).join('\n')).toContain(
    '1 further combinations never held anything and are in no figure above; the first is fast=9.',
  );
});

it('has a page with the benchmark, all runs, the settings and the data, and names places and neighbours in full', () => {
  const summary = summariseSweep({
    axes: [parseAxis('fast=1,2,3'), parseAxis('slow=5')],
    trials: trials.map((trial) => ({ ...trial, parameters: { ...trial.parameters, slow: 5 } })),
    dates: DATES,
    folds: [splitAt(DATES, '2020-02-10')!],
    perYear: 252,
    benchmarks: [{ name: 'Hold', equity: HELD }],
    failed: [{ parameters: { fast: 4, slow: 5 }, failure: 's.ts:3: boom, on 2020-01-07' }],
  });
  const html = renderSweep(summary, {
    strategy: 's',
    hash: 'cd34',
    command: 'TD_CASH=5 npx beleg sweep',
    data: 'ab12',
    made: '2026-01-01',
    settings: [['Opening cash', '5.00 USD']],
  });
  for (const text of [
    'place 3 of 3',
    'fast=2 slow=5: ',
    'fast=4 slow=5: s.ts:3: boom, on 2020-01-07',
    '<th>Hold',
    '<th scope="row">Maximum drawdown',
    '<td>3 of 3',
    '<tr><td>fast=3 slow=5<td>',
    '<th scope="row">Opening cash<td>5.00 USD',
    '<code>ab12</code>',
    '<code>cd34</code>',
    '<pre>TD_CASH=5 npx beleg sweep</pre>',
  ]) {
    expect(html).toContain(text);
  }
});
