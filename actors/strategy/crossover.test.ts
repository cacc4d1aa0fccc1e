import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { simpleAverage } from './averages.ts';
import { createStrategy } from './strategies.ts';
import { crossover } from './crossover.ts';
import type { Strategy, StrategyView, TargetWeight } from './strategy.ts';

const FLAT: StrategyView = { positions: new Map(), working: new Set(), totalValue: 100_000, cash: 100_000 };

const holding = (positions: Record<string, number>, cash: number): StrategyView => ({
  ...FLAT,
  positions: new Map(Object.entries(positions)),
  cash,
});

/** A session with these closes; a missing ticker did not trade. */
const session = (strategy: Strategy, closes: Record<string, number>, view: StrategyView | null) =>
  strategy.onSession(
    Object.fromEntries(Object.entries(closes).map(([ticker, close]) => [ticker, { close }])),
    view,
  );

/** `count` sessions in which a ticker moves by `step` a day, the last one closing at `end`. */
function warmed(moves: Record<string, { end: number; step: number }>, count = 40): Strategy {
  const strategy = crossover();
  for (let left = count - 1; left >= 0; left -= 1) {
    const closes = Object.entries(moves).map(
      ([ticker, { end, step }]) => [ticker, end - left * step] as const,
    );
    expect(session(strategy, Object.fromEntries(closes), null)).toEqual([]);
  }
  return strategy;
}

const UP = { end: 100, step: 1 };
const DOWN = { end: 100, step: -1 };

const weights = (targets: readonly TargetWeight[]) =>
  Object.fromEntries(targets.map(({ ticker, weight }) => [ticker, Math.round(weight * 1e6) / 1e6]));

describe('the crossover', () => {
  it('buys what is in an uptrend, in equal parts, none more than twice its share of all', () => {
    const strategy = warmed({ A: UP, B: UP, C: UP, D: DOWN });
    expect(weights(session(strategy, { A: 101, B: 101, C: 101, D: 99 }, FLAT))).toEqual({
      A: 0.3,
      B: 0.3,
      C: 0.3,
    });
    const one = warmed({ A: UP, B: DOWN, C: DOWN, D: DOWN });
    expect(weights(session(one, { A: 101, B: 99, C: 99, D: 99 }, FLAT))).toEqual({ A: 0.45 });
    expect(weights(session(warmed({ A: UP }), { A: 101 }, FLAT))).toEqual({ A: 0.9 });
  });

  it('says nothing before it has seen enough, and warms up on sessions in which it may not act', () => {
    const strategy = crossover();
    for (let day = 1; day < strategy.warmUp; day += 1)
      expect(session(strategy, { A: day }, FLAT)).toEqual([]);
    expect(weights(session(strategy, { A: 30 }, FLAT))).toEqual({ A: 0.9 });
  });

  it('repeats itself until the account has followed, and is quiet then', () => {
    const strategy = warmed({ A: UP, B: DOWN });
    const wanted = { A: 0.9 };
    expect(weights(session(strategy, { A: 101, B: 99 }, FLAT))).toEqual(wanted);
    expect(weights(session(strategy, { A: 102, B: 98 }, FLAT))).toEqual(wanted);
    // Its order is open.
    expect(session(strategy, { A: 103, B: 97 }, { ...FLAT, working: new Set(['A']) })).toEqual([]);
    const filled = holding({ A: 860 }, 11_000);
    for (const close of [104, 105, 130]) expect(session(strategy, { A: close, B: 96 }, filled)).toEqual([]);
  });

  it('leaves what was closed by hand closed, also where another process goes on', () => {
    const resumed = warmed({ A: UP, B: UP });
    resumed.resume?.({ working: new Set(['B']), sold: new Set(['A']) });
    // Only pending targets are completed.
    expect(Object.keys(weights(session(resumed, { A: 101, B: 101 }, FLAT)))).toEqual(['B']);
    const turned = warmed({ A: UP, B: DOWN }, resumed.warmUp + 1);
    turned.resume?.({ working: new Set(), sold: new Set(['A']) });
    expect(session(turned, { A: 101, B: 99 }, FLAT)).toEqual([]);
    expect(Object.keys(weights(session(turned, { A: 102, B: 400 }, FLAT)))).toEqual(['B']);
  });

  it('buys in another process what waited for cash, sells what waited for a bar, and leaves the rest of what is held', () => {
    const resumed = warmed({ A: UP, B: UP, C: DOWN, D: DOWN });
    resumed.resume?.({ working: new Set(), sold: new Set() });
    const held = (positions: Record<string, number>, cash: number) =>
      weights(session(resumed, { A: 101, B: 101, C: 99, D: 99 }, holding(positions, cash)));
    // A is far from its share, as after a move of its price.
    expect(held({ A: 100, C: 500 }, 1_000)).toEqual({ C: 0 });
    expect(held({ A: 100 }, 90_000)).toEqual({ B: 0.45 });
  });

  it('sells when the trend turns, and until it is sold', () => {
    const strategy = warmed({ A: UP, B: DOWN });
    const filled = holding({ A: 900 }, 10_000);
    session(strategy, { A: 101, B: 99 }, filled);
    const said = Array.from({ length: 20 }, (_, day) =>
      session(strategy, { A: 100 - 3 * day, B: 99 }, filled),
    );
    const first = said.findIndex((targets) => targets.length > 0);
    expect(first).toBeGreaterThan(0);
    expect(said.slice(first)).toEqual(Array.from({ length: 20 - first }, () => [{ ticker: 'A', weight: 0 }]));
    expect(session(strategy, { A: 30, B: 99 }, FLAT)).toEqual([]);
  });

  it('leaves alone what is there against its trend and what was closed by hand, until that ticker turns or trading starts again', () => {
    const strategy = warmed({ A: UP, B: DOWN });
    session(strategy, { A: 101, B: 99 }, holding({ A: 890 }, 10_000));
    expect(session(strategy, { A: 102, B: 98 }, holding({ A: 890, B: 50 }, 5_000))).toEqual([]);
    expect(session(strategy, { A: 103, B: 97 }, FLAT)).toEqual([]);
    expect(session(strategy, { A: 104, B: 96 }, null)).toEqual([]);
    expect(weights(session(strategy, { A: 105, B: 95 }, holding({ B: 50 }, 95_000)))).toEqual({
      A: 0.855,
      B: 0,
    });
  });

  it('buys no more than there is cash for, and waits where that is hardly anything', () => {
    const strategy = warmed({ A: UP, B: UP });
    const short = weights(session(strategy, { A: 101, B: 101 }, { ...FLAT, cash: 60_000 }));
    expect(short).toEqual({ A: 0.45 });
    expect(session(warmed({ A: UP }), { A: 101 }, { ...FLAT, cash: 10_000 })).toEqual([]);
    expect(session(warmed({ A: UP }), { A: 101 }, { ...FLAT, cash: 0, totalValue: 0 })).toEqual([]);
  });

  it('corrects the others when more tickers share the account, but not for a little', () => {
    const strategy = warmed({ A: UP, B: UP, C: { end: 100, step: -1 } });
    const half = holding({ A: 420, B: 420 }, 15_000);
    expect(session(strategy, { A: 101, B: 101, C: 99 }, half)).toEqual([]);
    let said: readonly TargetWeight[] = [];
    for (let day = 1; day < 40 && said.length === 0; day += 1) {
      said = session(strategy, { A: 101 + day / 100, B: 101 + day / 100, C: 99 + day }, half);
    }
    expect(weights(said)).toEqual({ A: 0.3, B: 0.3, C: 0.135 });
  });

  it('takes in a ticker that comes later or misses days, and ignores a price that is none', () => {
    const strategy = warmed({ A: UP });
    for (let day = 0; day < 29; day += 1) session(strategy, { A: 101 + day, NEW: 10 + day }, null);
    for (const close of [Number.NaN, 0, -1, Number.POSITIVE_INFINITY]) {
      expect(weights(session(strategy, { A: 130, NEW: close }, FLAT))).toEqual({ A: 0.9 });
    }
    expect(weights(session(strategy, { NEW: 39 }, FLAT))).toEqual({ NEW: 0.45 });
    // A is gone for good: it no longer counts.
    for (let day = 0; day < 20; day += 1) session(strategy, { NEW: 40 + day }, FLAT);
    expect(weights(session(strategy, { NEW: 60 }, FLAT))).toEqual({ NEW: 0.9 });
  });

  it('sees no trend in a price that does not move', () => {
    expect(session(warmed({ A: { end: 0.1, step: 0 } }, 200), { A: 0.1 }, FLAT)).toEqual([]);
  });
});

const walks = fc.array(
  fc.array(fc.double({ min: -0.05, max: 0.05, noNaN: true }), { minLength: 120, maxLength: 120 }),
  {
    minLength: 1,
    maxLength: 4,
  },
);

const closesOf = (changes: readonly number[]): number[] => {
  let close = 50;
  return changes.map((change) => (close *= 1 + change));
};

describe('for any prices, the crossover', () => {
  it('wants what the averages say, worked out afresh', () => {
    fc.assert(
      fc.property(walks, (all) => {
        const strategy = crossover();
        const closes = all.map(closesOf);
        const trends = closes.map((series) => {
          const fast = simpleAverage(series, 10);
          const slow = simpleAverage(series, 30);
          return series.map((_, at) => fast[at]! > slow[at]! * (1 + 1e-9));
        });
        for (let day = 0; day < 120; day += 1) {
          const bars = Object.fromEntries(closes.map((series, at) => [`T${at}`, series[day]!]));
          const named = session(strategy, bars, FLAT).filter(({ weight }) => weight > 0);
          const up = trends.flatMap((trend, at) => (trend[day] === true ? [`T${at}`] : []));
          expect(named.map(({ ticker }) => ticker)).toEqual(up);
          expect(named.reduce((sum, { weight }) => sum + weight, 0)).toBeLessThanOrEqual(0.9 + 1e-9);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('does not notice a split, once its past is scaled', () => {
    fc.assert(
      fc.property(
        walks,
        fc.integer({ min: 1, max: 119 }),
        fc.constantFrom(0.5, 2 / 3, 10),
        (all, on, factor) => {
          const whole = crossover();
          const split = crossover();
          const closes = closesOf(all[0]!);
          closes.forEach((close, day) => {
            if (day === on) split.onSplit?.('T', factor);
            expect(session(split, { T: close * (day >= on ? factor : 1) }, FLAT)).toEqual(
              session(whole, { T: close }, FLAT),
            );
          });
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('createStrategy', () => {
  it('knows its strategies', () => {
    expect(createStrategy('crossover')).toMatchObject({ name: 'crossover', warmUp: 30 });
    const none = createStrategy('none');
    expect([none.name, session(none, { A: 1 }, FLAT)]).toEqual(['none', []]);
    expect(createStrategy('model')).toMatchObject({ name: 'model', usesPredictions: true });
  });
});
