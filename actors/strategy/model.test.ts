import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODEL_RULE, modelStrategy } from './model.ts';
import type { Forecast } from './forecast.ts';
import type { Strategy, StrategyBars, StrategyView, TargetWeight } from './strategy.ts';

const FLAT: StrategyView = { positions: new Map(), working: new Set(), totalValue: 100_000, cash: 100_000 };

/** Prices do not move: 100 each, so that 10 shares are 1 % of the account. */
const CLOSE = 100;

const holding = (positions: Record<string, number>): StrategyView => ({
  ...FLAT,
  positions: new Map(Object.entries(positions)),
  cash: FLAT.totalValue - CLOSE * Object.values(positions).reduce((sum, shares) => sum + shares, 0),
});

/** Expected returns by ticker, each with the same volatility; `null`: it traded, and nobody knows. */
const bars = (returns: Record<string, number | null>, volatility = 0.01): StrategyBars =>
  Object.fromEntries(
    Object.entries(returns).map(([ticker, value]) => [
      ticker,
      { close: CLOSE, ...(value !== null && { prediction: { return: value, volatility } }) },
    ]),
  );

const weights = (targets: readonly TargetWeight[]) =>
  Object.fromEntries(targets.map(({ ticker, weight }) => [ticker, Math.round(weight * 1e6) / 1e6]));

const prediction = (value: number, volatility: number): Forecast => ({ return: value, volatility });

const say = (strategy: Strategy, returns: Record<string, number | null>, view: StrategyView | null) =>
  weights(strategy.onSession(bars(returns), view));

const COST = MODEL_RULE.cost;
const BUY = 0.002;
/** Enough to keep a position, but not to open one. */
const KEEP = 0;
const SELL = -0.001;

/** A strategy that has bought A, of two tickers, and knows that it holds it. */
function settledOnA(): { strategy: Strategy; view: StrategyView } {
  const strategy = modelStrategy();
  expect(say(strategy, { A: BUY, B: SELL }, FLAT)).toEqual({ A: 0.9 });
  const view = holding({ A: 900 });
  expect(say(strategy, { A: BUY, B: SELL }, view)).toEqual({});
  return { strategy, view };
}

describe('the model strategy', () => {
  it('buys what is expected to gain more than it costs, in proportion to what keeping it is worth over variance', () => {
    const strategy = modelStrategy();
    const targets = strategy.onSession(
      {
        A: { close: CLOSE, prediction: prediction(0.004 - COST, 0.02) },
        B: { close: CLOSE, prediction: prediction(0.002 - COST, 0.02) },
        C: { close: CLOSE, prediction: prediction(0.002 - COST, 0.01) },
        D: { close: CLOSE, prediction: prediction(KEEP, 0.001) },
        E: { close: CLOSE, prediction: prediction(-0.01, 0.01) },
      },
      FLAT,
    );
    // Scores 10, 5, 20 of 35; an even share is 0.18, the largest twice that.
    expect(weights(targets)).toEqual({ A: 0.257143, B: 0.128571, C: 0.36 });
  });

  it('gives no ticker more than twice its share of all, and none everything for being quiet', () => {
    expect(say(modelStrategy(), { A: BUY, B: SELL, C: SELL, D: SELL }, FLAT)).toEqual({ A: 0.45 });
    const strategy = modelStrategy();
    for (const volatility of [0, -1, 1e-300]) {
      const [targets] = [strategy.onSession(bars({ A: BUY, B: BUY, C: BUY }, volatility), FLAT)];
      expect(weights(targets)).toEqual({ A: 0.3, B: 0.3, C: 0.3 });
    }
  });

  it('keeps what it has while no loss is expected that selling is worth, sells it then, and until it is sold', () => {
    const { strategy, view } = settledOnA();
    expect(say(strategy, { A: KEEP, B: KEEP }, view)).toEqual({});
    expect(say(strategy, { A: SELL, B: KEEP }, view)).toEqual({ A: 0 });
    expect(say(strategy, { A: SELL, B: KEEP }, { ...view, working: new Set(['A']) })).toEqual({});
    expect(say(strategy, { A: KEEP, B: KEEP }, view)).toEqual({ A: 0 });
    expect(say(strategy, { A: SELL, B: KEEP }, FLAT)).toEqual({});
  });

  it('does nothing while a target moves within the band, and follows one that has left it', () => {
    const strategy = modelStrategy();
    expect(say(strategy, { A: BUY, B: BUY, C: SELL }, FLAT)).toEqual({ A: 0.45, B: 0.45 });
    const view = holding({ A: 450, B: 450 });
    // An even share is 0.3, and so is the band.
    const times = (more: number): number => more * (BUY + COST) - COST;
    for (const more of [1.1, 2, 4.9, 0.3])
      expect(say(strategy, { A: times(more), B: BUY, C: SELL }, view)).toEqual({});
    expect(say(strategy, { A: times(5.1), B: BUY, C: SELL }, view)).toEqual({ B: 0.147541 });
    expect(say(strategy, { A: times(1.1), B: BUY, C: SELL }, holding({ A: 450, B: 147 }))).toEqual({});
  });

  it('leaves what was closed or bought by hand, until that ticker turns or trading starts again', () => {
    const { strategy } = settledOnA();
    const byHand = holding({ B: 100 });
    expect(say(strategy, { A: BUY, B: SELL }, byHand)).toEqual({});
    expect(say(strategy, { A: BUY, B: null }, null)).toEqual({});
    expect(say(strategy, { A: BUY, B: SELL }, byHand)).toEqual({ A: 0.81, B: 0 });
  });

  it('does nothing without predictions, and goes on where it was', () => {
    const { strategy, view } = settledOnA();
    expect(say(strategy, { A: null, B: null }, view)).toEqual({});
    expect(say(strategy, {}, view)).toEqual({});
    expect(say(strategy, { A: null, B: SELL }, view)).toEqual({});
    expect(say(strategy, { A: SELL, B: SELL }, view)).toEqual({ A: 0 });
    expect(say(modelStrategy(), { A: null }, FLAT)).toEqual({});
  });

  it.each([
    ['return', { return: Number.NaN, volatility: 0.01 }],
    ['volatility', { return: BUY, volatility: Number.POSITIVE_INFINITY }],
    ['variance', { return: BUY, volatility: 1e200 }],
  ])('takes a %s that is no number for no reason to hold anything', (_, prediction) => {
    expect(modelStrategy().onSession({ A: { close: CLOSE, prediction } }, FLAT)).toEqual([]);
  });

  it('waits with what it cannot pay for, and sizes nothing for an account that is worth nothing', () => {
    const strategy = modelStrategy();
    expect(say(strategy, { A: BUY }, { ...FLAT, cash: 10_000 })).toEqual({});
    expect(say(strategy, { A: BUY }, { ...FLAT, cash: 50_000 })).toEqual({ A: 0.45 });
    expect(say(modelStrategy(), { A: BUY }, { ...FLAT, cash: 0, totalValue: 0 })).toEqual({});
  });
});

/** A strategy that has seen the earlier sessions is resumed. */
function resumed(past: readonly Record<string, number>[], working: readonly string[] = []): Strategy {
  const strategy = modelStrategy();
  for (const returns of past) expect(say(strategy, returns, null)).toEqual({});
  strategy.resume?.({ working: new Set(working), sold: new Set() });
  return strategy;
}

describe('in a new process, the model strategy', () => {
  it('brings the account to its targets where it was not acting', () => {
    const strategy = modelStrategy();
    say(strategy, { A: BUY, B: SELL }, null);
    expect(say(strategy, { A: BUY, B: SELL }, holding({ B: 100 }))).toEqual({ A: 0.81, B: 0 });
  });

  it('does nothing for having been started: what was closed stays closed, what was bought stays', () => {
    const strategy = resumed([{ A: BUY, B: SELL }]);
    for (let day = 0; day < 3; day += 1)
      expect(say(strategy, { A: BUY, B: SELL }, holding({ B: 100 }))).toEqual({});
  });

  it('does what turned in the session in which the one before it ended', () => {
    const past = [{ A: BUY, B: SELL, C: SELL }];
    const view = holding({ A: 300 });
    expect(say(resumed(past), { A: SELL, B: BUY, C: SELL }, view)).toEqual({ A: 0, B: 0.6 });
    expect(say(resumed([]), { A: SELL, B: BUY, C: SELL }, view)).toEqual({ A: 0, B: 0.6 });
  });

  it('brings to its end what was under way', () => {
    expect(say(resumed([{ A: BUY, B: BUY }], ['B']), { A: BUY, B: BUY }, FLAT)).toEqual({ B: 0.45 });
  });

  it('buys what had to wait for the cash of a sale', () => {
    const strategy = resumed([
      { A: BUY, B: SELL, C: BUY },
      { A: SELL, B: BUY, C: BUY },
    ]);
    expect(say(strategy, { A: SELL, B: BUY, C: BUY }, holding({ C: 450 }))).toEqual({ B: 0.45 });
    const later = resumed([
      { A: SELL, B: BUY, C: BUY },
      { A: SELL, B: BUY, C: BUY },
    ]);
    expect(say(later, { A: SELL, B: BUY, C: BUY }, holding({ C: 450 }))).toEqual({});
  });

  it('takes what is held for what it left, where the past does not tell', () => {
    const strategy = resumed([{ A: KEEP, B: KEEP }]);
    expect(say(strategy, { A: KEEP, B: KEEP }, holding({ A: 500 }))).toEqual({});
    expect(say(strategy, { A: SELL, B: KEEP }, holding({ A: 500 }))).toEqual({ A: 0 });
  });
});

const figures = fc.record({
  return: fc.oneof(fc.double({ min: -0.01, max: 0.01, noNaN: true }), fc.double()),
  volatility: fc.oneof(fc.double({ min: 0, max: 0.1, noNaN: true }), fc.double()),
});
const TICKERS = ['A', 'B', 'C', 'D', 'E'];
const sessions = fc.array(
  fc.array(fc.option(figures, { nil: undefined }), { minLength: TICKERS.length, maxLength: TICKERS.length }),
  { minLength: 1, maxLength: 30 },
);

const barsOf = (predictions: readonly (Forecast | undefined)[]): StrategyBars =>
  Object.fromEntries(
    predictions.map((prediction, at) => [TICKERS[at]!, { close: CLOSE, ...(prediction && { prediction }) }]),
  );

/** An account that reaches every target in the next session, without costs. */
function play(all: readonly (readonly (Forecast | undefined)[])[]) {
  const strategy = modelStrategy();
  const held = new Map<string, number>();
  return all.map((predictions) => {
    const invested = [...held.values()].reduce((sum, weight) => sum + weight, 0);
    const targets = strategy.onSession(barsOf(predictions), {
      ...FLAT,
      positions: new Map([...held].map(([ticker, weight]) => [ticker, (weight * FLAT.totalValue) / CLOSE])),
      cash: (1 - invested) * FLAT.totalValue,
    });
    for (const { ticker, weight } of targets) {
      if (weight === 0) held.delete(ticker);
      else held.set(ticker, weight);
    }
    return { targets, held: new Map(held) };
  });
}

describe('for any predictions, the model strategy', () => {
  it('wants shares of the account, of what traded and is predicted, together never more than all', () => {
    fc.assert(
      fc.property(sessions, (all) => {
        for (const [at, { targets, held }] of play(all).entries()) {
          for (const { ticker, weight } of targets) {
            expect(weight).toBeGreaterThanOrEqual(0);
            expect(weight).toBeLessThanOrEqual(0.9);
            expect(all[at]![TICKERS.indexOf(ticker)]).toBeDefined();
          }
          expect(new Set(targets.map(({ ticker }) => ticker)).size).toBe(targets.length);
          expect([...held.values()].reduce((sum, weight) => sum + weight, 0)).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('says the same of the same sessions', () => {
    fc.assert(
      fc.property(sessions, (all) => {
        expect(play(all)).toEqual(play(all));
      }),
      { numRuns: 30 },
    );
  });

  it('is quiet once the account has followed, for as long as the predictions stay', () => {
    fc.assert(
      fc.property(sessions, (all) => {
        const last = all.at(-1)!;
        const repeated = play([...all, ...Array.from({ length: 20 }, () => last)]);
        expect(repeated.slice(-10).flatMap(({ targets }) => targets)).toEqual([]);
      }),
    );
  });

  it('sells after a restart what it would have sold without one', () => {
    const certain = fc.record({
      return: fc.constantFrom(-0.01, 0.01),
      volatility: fc.double({ min: 0.005, max: 0.05, noNaN: true }),
    });
    const past = fc.array(fc.tuple(certain, certain, certain), {
      minLength: MODEL_RULE.goneAfter,
      maxLength: 8,
    });
    fc.assert(
      fc.property(past, fc.tuple(certain, certain, certain), (before, today) => {
        const whole = modelStrategy();
        const held = new Map<string, number>();
        for (const predictions of before) {
          const targets = whole.onSession(barsOf(predictions), viewOf(held));
          for (const { ticker, weight } of targets) held.set(ticker, weight);
        }
        const again = modelStrategy();
        for (const predictions of before.slice(-MODEL_RULE.goneAfter))
          again.onSession(barsOf(predictions), null);
        again.resume?.({ working: new Set(), sold: new Set() });
        const view = viewOf(held);
        expect(soldBy(again.onSession(barsOf(today), view))).toEqual(
          soldBy(whole.onSession(barsOf(today), view)),
        );
      }),
    );
  });
});

const soldBy = (targets: readonly TargetWeight[]) =>
  targets.filter(({ weight }) => weight === 0).map(({ ticker }) => ticker);

const viewOf = (held: ReadonlyMap<string, number>): StrategyView => ({
  ...FLAT,
  positions: new Map(
    [...held].flatMap(([ticker, weight]) =>
      weight === 0 ? [] : [[ticker, (weight * FLAT.totalValue) / CLOSE] as const],
    ),
  ),
  cash: FLAT.totalValue * (1 - [...held.values()].reduce((sum, weight) => sum + weight, 0)),
});
