import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worstDrawdowns } from './drawdowns.ts';
import { monthlyReturns, performanceOf } from './periods.ts';

const equity = (...points: [session: string, value: number][]) =>
  points.map(([session, value]) => ({ session, value }));

const DAILY = { perYear: 252 };

describe('the annual return', () => {
  it('is by dates, however many sessions the tables have', () => {
    const { annualReturn } = performanceOf(
      equity(['2016-01-04', 100], ['2016-01-04', 100], ['2020-01-04', 1.1 ** 4 * 100]),
      DAILY,
    );
    expect(annualReturn).toBeCloseTo(0.1, 4);
    expect(performanceOf(equity(['2016-01-04', 100], ['2016-01-04', 110]), DAILY).annualReturn).toBeNull();
  });

  it('of three sessions is none, nor is what rests on it; of a year of twelve bars it is', () => {
    const week = equity(['2016-01-04', 100], ['2016-01-04', 100], ['2016-01-05', 95], ['2016-01-06', 101]);
    const { annualReturn, calmar, totalReturn } = performanceOf(week, DAILY);
    expect([annualReturn, calmar, totalReturn?.toFixed(2)]).toEqual([null, null, '0.01']);
    expect(
      performanceOf(equity(['2016-01-29', 100], ['2016-12-30', 110]), DAILY).annualReturn,
    ).not.toBeNull();
  });

  it('risk a year is by the sessions that the tables have in a year', () => {
    const points = equity(['2016-01-04', 100], ['2016-01-11', 101], ['2016-01-18', 100], ['2016-01-25', 102]);
    const [weekly, daily] = [52, 252].map((perYear) => performanceOf(points, { perYear }));
    for (const name of ['annualVolatility', 'sharpe', 'sortino', 'downsideRisk'] as const) {
      expect(daily![name]! / weekly![name]!).toBeCloseTo(Math.sqrt(252 / 52), 10);
    }
  });
});

describe('returns by month', () => {
  it('go from close to close, with gaps where there was no session', () => {
    const years = monthlyReturns(
      equity(
        ['2019-12-30', 100],
        ['2019-12-30', 110],
        ['2020-01-02', 120],
        ['2020-01-31', 99],
        ['2020-03-02', 198],
      ),
    );
    expect(years.map(({ year, total }) => [year, total.toFixed(4)])).toEqual([
      ['2019', '0.1000'],
      ['2020', '0.8000'],
    ]);
    expect(years[1]!.months.map((month) => month?.toFixed(4) ?? null).slice(0, 4)).toEqual([
      '-0.1000',
      null,
      '1.0000',
      null,
    ]);
    expect(monthlyReturns([])).toEqual([]);
  });

  it('make up the whole, whatever happens', () => {
    const values = fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 60 });
    fc.assert(
      fc.property(values, (values) => {
        const points = values.map((value, i) => ({
          session: new Date(Date.UTC(2020, 0, 1 + i * 9)).toISOString(),
          value,
        }));
        const product = monthlyReturns(points)
          .flatMap(({ months }) => months.map((month) => 1 + (month ?? 0)))
          .reduce((a, b) => a * b, 1);
        expect(product).toBeCloseTo(values.at(-1)! / values[0]!, 6);
      }),
    );
  });
});

describe('ways down', () => {
  it('are told from high to recovery, the deepest first, and the last one may be open', () => {
    const values = [100, 90, 95, 100, 120, 60, 121, 118];
    const points = values.map((value, i) => ({ session: `2020-01-0${i + 1}`, value }));
    expect(worstDrawdowns(points, 2)).toEqual([
      { from: '2020-01-05', lowest: '2020-01-06', recovered: '2020-01-07', depth: -0.5, sessions: 2 },
      {
        from: '2020-01-01',
        lowest: '2020-01-02',
        recovered: '2020-01-04',
        depth: expect.closeTo(-0.1),
        sessions: 3,
      },
    ]);
    expect(worstDrawdowns(points, 5)[2]).toMatchObject({ from: '2020-01-07', recovered: null, sessions: 1 });
    expect(worstDrawdowns(equity(['2020-01-01', 1], ['2020-01-02', 2]), 5)).toEqual([]);
    expect(worstDrawdowns([], 5)).toEqual([]);
  });
});
