import { describe, expect, it } from 'vitest';
import { relativeTo } from './relative-to-benchmark.ts';
import { performanceOfReturns, type Performance } from './performance.ts';

/** A published series with its published figures. */
interface Published {
  /** Percent, one for each period; `null` is unknown. */
  readonly returns: readonly (number | null)[];
  readonly perYear: number;
  readonly figures: Partial<Record<keyof Performance, number>>;
  /** The decimals to which the figures are stated. */
  readonly decimals: number;
}

const MIXED = [1, 10, -4, 2, 3, 2, 1, -10];
const NEGATIVE = [0, -6, -7, -1, -9, -2, -6, -8, -5];

/** The monthly total returns of the S&P 500, 1996 to 2006. */
const SP500 = [
  3.4, 0.93, 0.96, 1.47, 2.58, 0.38, -4.42, 2.11, 5.63, 2.76, 7.56, -1.98, 6.25, 0.78, -4.11, 5.97, 6.09,
  4.48, 7.96, -5.6, 5.48, -3.34, 4.63, 1.72, 1.11, 7.21, 5.12, 1.01, -1.72, 4.06, -1.06, -14.46, 6.41, 8.13,
  6.06, 5.76, 4.18, -3.11, 4, 3.87, -2.36, 5.55, -3.12, -0.49, -2.74, 6.33, 2.03, 5.89, -5.02, -1.89, 9.78,
  -3.01, -2.05, 2.47, -1.56, 6.21, -5.28, -0.42, -7.88, 0.49, 3.55, -9.12, -6.34, 7.77, 0.67, -2.43, -0.98,
  -6.26, -8.08, 1.91, 7.67, 0.88, -1.46, -1.93, 3.76, -6.06, -0.74, -7.12, -7.8, 0.66, -10.87, 8.8, 5.89,
  -5.87, -2.62, -1.5, 0.97, 8.24, 5.27, 1.28, 1.76, 1.95, -1.06, 5.66, 0.88, 5.24, 1.84, 1.39, -1.51, -1.57,
  1.37, 1.95, -3.31, 0.41, 1.08, 1.53, 4.05, 3.4, -2.4375, 2.104, -1.771, -1.9, 3.182, 0.142, 3.72, -0.91,
  0.81, -1.67, 3.78, 0.03, 2.65, 0.27, 1.25, 1.34, -2.88, 0.14, 0.62, 2.38, 2.58, 3.26, 1.9, 1.403,
];
/** The monthly returns of EDHEC's index of long/short equity funds, 1997 to 2006. */
const EDHEC = [
  2.81, -0.06, -0.84, 0.84, 3.94, 2.23, 4.54, 1.07, 4.29, 0.1, -0.26, 1.04, 0.13, 3.42, 3.36, 1.2, -0.87,
  1.67, -0.06, -5.52, 2.06, 1.69, 2.91, 4.08, 2.58, -1.69, 2.29, 3.12, 0.95, 3.15, 1.77, 0.22, 1.13, 2.12,
  4.81, 7.45, 0.75, 6.99, 0.06, -2.01, -0.97, 3.49, 0.06, 3.45, -0.16, -0.84, -1.53, 2.48, 1.65, -2.64, -1.99,
  2.46, 0.43, 0.19, -1.44, -0.96, -3.48, 0.99, 2, 1.8, -0.37, -1.23, 1.55, -0.42, -0.34, -2.49, -3.89, 0.41,
  -1.6, 1.23, 2.24, -1.49, 0.05, -0.37, 0.2, 2.98, 3.62, 1.28, 1.18, 1.79, 0.94, 2.99, 1.3, 1.91, 1.92, 1.23,
  0.41, -1.65, -0.35, 0.91, -1.54, -0.22, 2.1, 0.74, 3.08, 1.78, -0.17, 2.1, -0.96, -1.84, 1.15, 1.95, 2.65,
  0.97, 2.22, -1.74, 2.11, 2.49, 3.81, 0.16, 2.38, 1.72, -2.48, -0.62, -0.31, 1.14, 0.01, 1.94, 2, 1.53,
];

const SERIES: Readonly<Record<string, Published>> = {
  // Returns: Bacon, Practical Portfolio Performance Measurement and Attribution, 2008. Figures: tests/data/reference_values.json
  // of QuantStats, computed with PerformanceAnalytics 2.1.0 in R.
  'Bacon’s portfolio, 24 months': {
    returns: [
      0.3, 2.6, 1.1, -1, 1.5, 2.5, 1.6, 6.7, -1.4, 4, -0.5, 8.1, 4, -3.7, -6.1, 1.7, -4.9, -2.2, 7, 5.8, -6.5,
      2.4, -0.5, -0.9,
    ],
    perYear: 12,
    figures: {
      annualReturn: 0.10367828972980941,
      annualVolatility: 0.13700015867969229,
      sharpe: 0.7883202548144859,
      sortino: 1.3592165786838633,
      maxDrawdown: -0.144672955739218,
      calmar: 0.7166390511623746,
    },
    decimals: 10,
  },
  'the week of QuantStats’ tests': {
    returns: [
      -1.8720930383, -1.4303070725, -1.4572173794, -0.3467788444, -2.5038397377, -0.1677869157, -1.0129521509,
    ],
    perYear: 252,
    figures: {
      annualReturn: -0.9589235732751437,
      annualVolatility: 0.13086457754395944,
      sharpe: -24.183404779195588,
      sortino: -13.565806946540524,
      maxDrawdown: -0.08485758410265398,
      calmar: -11.30038738924165,
    },
    decimals: 9,
  },
  // Data and figures of the examples of PerformanceAnalytics (tests/testthat/_snaps/all_snapshots.md), in R.
  'the S&P 500, 132 months': {
    returns: SP500,
    perYear: 12,
    figures: { annualReturn: 0.0967, annualVolatility: 0.15, maxDrawdown: -0.4473, totalReturn: 1.7616 },
    decimals: 4,
  },
  'EDHEC’s long/short equity funds, 120 months': {
    returns: EDHEC,
    perYear: 12,
    figures: { annualReturn: 0.118, annualVolatility: 0.0708, maxDrawdown: -0.1075, totalReturn: 2.0511 },
    decimals: 4,
  },
  // empyrical/tests/test_stats.py, whose first day is unknown where it is one of `mixed`.
  'empyrical’s mixed days': {
    returns: [null, ...MIXED],
    perYear: 252,
    figures: {
      annualReturn: 1.9135925373194231,
      annualVolatility: 0.9136465399704637,
      sharpe: 1.7238613961706866,
      sortino: 2.605531251673693,
      maxDrawdown: -0.1,
      calmar: 19.135925373194233,
    },
    decimals: 8,
  },
  'empyrical’s losing days': {
    returns: NEGATIVE,
    perYear: 252,
    figures: { sharpe: -24.406808633910085, sortino: -13.532743075043401 },
    decimals: 8,
  },
  'empyrical’s weeks': {
    returns: [0, ...MIXED],
    perYear: 52,
    figures: {
      annualReturn: 0.24690830513998208,
      annualVolatility: 0.38851569394870583,
      sortino: 1.1158901056866439,
      calmar: 2.4690830513998208,
    },
    decimals: 8,
  },
  'empyrical’s months': {
    returns: [0, ...MIXED],
    perYear: 12,
    figures: {
      annualReturn: 0.052242061386048144,
      annualVolatility: 0.18663690238892558,
      downsideRisk: 0.1243650540411842,
      sortino: 0.53605626741889756,
      calmar: 0.52242061386048144,
    },
    decimals: 8,
  },
};

const fractions = (percent: readonly (number | null)[]): (number | null)[] =>
  percent.map((value) => (value === null ? null : value / 100));

describe('the figures that others have published are ours', () => {
  it.each(Object.entries(SERIES))('of %s', (_, { returns, perYear, figures, decimals }) => {
    const performance = performanceOfReturns(fractions(returns), perYear);
    for (const [name, published] of Object.entries(figures)) {
      // Some of R's figures are cut instead of rounded, so a unit in the last decimal is allowed.
      const difference = Math.abs((performance[name as keyof Performance] ?? Number.NaN) - published);
      expect.soft(difference, name).toBeLessThan(10 ** -decimals);
    }
  });

  it('of one series beside another, by empyrical', () => {
    const [mixed, negative] = [MIXED, NEGATIVE.slice(1)].map((series) => series.map((value) => value / 100));
    const { alpha, beta } = relativeTo(mixed!, negative!, { perYear: 252 });
    expect(alpha).toBeCloseTo(-0.9997853834885004, 8);
    expect(beta).toBeCloseTo(-0.71296296296296313, 8);
    const flat = (percent: number): number[] => mixed!.map(() => percent / 100);
    // It gives the ratio of a period.
    const ratioTo = (percent: number) => relativeTo(mixed!, flat(percent), { perYear: 1 }).informationRatio;
    expect(ratioTo(0)).toBeCloseTo(0.10859306069076737, 8);
    expect(ratioTo(1)).toBeCloseTo(-0.06515583641446039, 8);
  });
});
