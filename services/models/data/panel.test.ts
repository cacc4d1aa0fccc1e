import { setImmediate as nextTurn } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SessionData } from '../../../events/messages/market.ts';
import type { TickerBars } from './bars.ts';
import { MODEL_FEATURES } from './model-features.ts';
import { barsFor, createPanel } from './panel.ts';
import { dayOf, walk } from './walk.suite.ts';
import { marketRows } from './windows.ts';

const F = MODEL_FEATURES.length;

interface Split {
  readonly ticker: string;
  readonly day: number;
  readonly ratio: readonly [news: number, olds: number];
}

/** Split-adjusted bars as sessions, with prices and volumes as traded. */
function sessionsOf(bars: readonly TickerBars[], splits: readonly Split[]): SessionData[] {
  const days = [...new Set(bars.flatMap(({ dates }) => dates))].sort();
  return days.map((date) => {
    const session: SessionData = { date, bars: {}, splits: {}, dividends: {} };
    for (const { ticker, dates, open, high, low, close, volume } of bars) {
      const own = splits.filter((split) => split.ticker === ticker);
      const shares = own
        .filter(({ day }) => dayOf(day) > date)
        .reduce((product, { ratio: [news, olds] }) => (product * news) / olds, 1);
      const at = dates.indexOf(date);
      const today = own.find(({ day }) => dayOf(day) === date);
      if (today !== undefined) session.splits[ticker] = today.ratio.join('/');
      if (at < 0) continue;
      session.bars[ticker] = {
        open: open[at]! * shares,
        high: high[at]! * shares,
        low: low[at]! * shares,
        close: close[at]! * shares,
        volume: volume[at]! / shares,
      };
    }
    return session;
  });
}

/** The windows of a ticker in training, by their last date. */
function trained(bars: readonly TickerBars[], sequenceLength: number) {
  const { inputs } = marketRows(bars, sequenceLength);
  let first = 0;
  return new Map(
    bars.map(({ ticker, dates }) => {
      const from = first;
      first += dates.length;
      return [
        ticker,
        (date: string) => {
          const row = from + dates.indexOf(date);
          return inputs.subarray(Math.max(0, row - sequenceLength + 1) * F, (row + 1) * F);
        },
      ];
    }),
  );
}

const scaleOf = (at: number): number => (MODEL_FEATURES[at % F] === 'rsi_14' ? 100 : 1);

/** The largest difference. All features have the magnitude of their column's scale. */
function difference(window: Float32Array, expected: Float64Array): number {
  expect(window).toHaveLength(expected.length);
  return window.reduce(
    (worst, value, at) => Math.max(worst, Math.abs(value - expected[at]!) / scaleOf(at)),
    0,
  );
}

const market = (seed: number) => [
  walk('A', { seed, to: 560 }),
  walk('B', { seed: seed + 1, from: 100, to: 560, without: (day) => day % 90 === 0 }),
  walk('C', { seed: seed + 2, from: 30, to: 560, without: (day) => day >= 200 && day < 220 }),
];

const AnySplits = fc
  .array(
    fc.record({
      ticker: fc.constantFrom('A', 'B', 'C'),
      day: fc.integer({ min: 1, max: 559 }),
      ratio: fc.constantFrom<[number, number][]>([2, 1], [7, 1], [3, 2], [1, 10]),
    }),
    { maxLength: 5 },
  )
  .map((splits) => [...new Map(splits.map((split) => [`${split.ticker} ${split.day}`, split])).values()]);

describe('a panel', () => {
  it('has the windows that training computes from the whole history, whatever was split', () => {
    fc.assert(
      fc.property(fc.nat(1_000), AnySplits, (seed, splits) => {
        const bars = market(seed);
        const expected = trained(bars, 20);
        const panel = createPanel({ sequenceLength: 20 });
        let windows = 0;
        let worst = 0;
        for (const session of sessionsOf(bars, splits)) {
          panel.push(session);
          for (const { ticker, rows } of panel.windows(session.date)) {
            windows++;
            worst = Math.max(worst, difference(rows, expected.get(ticker)!(session.date)));
          }
        }
        // The windows of A and B begin at the 49th day, and those of C begin again after its pause.
        expect(windows).toBe(560 - 48 + (460 - 5 - 48) + (170 - 48) + (340 - 48));
        expect(worst).toBeLessThan(2e-6);
      }),
      { numRuns: 4 },
    );
  });

  it('goes on from the newest bars as if it had heard of all', async () => {
    const bars = market(5);
    const splits: Split[] = [{ ticker: 'A', day: 555, ratio: [4, 1] }];
    const sessions = sessionsOf(bars, splits);
    const heard = createPanel({ sequenceLength: 20 });
    for (const session of sessions) heard.push(session);
    const newest = bars.map(({ ticker, dates, ...columns }) => {
      const cut = <T>(column: { slice(from: number, to: number): T }): T =>
        column.slice(dates.length - 8 - barsFor(20), dates.length - 8);
      // As of that day, the split of day 555 is not known.
      const shares = ticker === 'A' ? 4 : 1;
      return {
        ticker,
        dates: cut(dates),
        open: cut(columns.open).map((price) => price * shares),
        high: cut(columns.high).map((price) => price * shares),
        low: cut(columns.low).map((price) => price * shares),
        close: cut(columns.close).map((price) => price * shares),
        volume: cut(columns.volume).map((volume) => volume / shares),
      };
    });
    const started = createPanel({ sequenceLength: 20 });
    expect(started.date).toBeNull();
    await started.fill(newest);
    expect(started.date).toBe(dayOf(551));
    expect(started.windows(dayOf(551)).map(({ ticker }) => ticker)).toEqual(['A', 'B', 'C']);
    for (const session of sessions.slice(552)) started.push(session);
    const expected = heard.windows(dayOf(559));
    const windows = started.windows(dayOf(559));
    expect(windows.map(({ ticker }) => ticker)).toEqual(['A', 'B', 'C']);
    for (const [at, { rows }] of windows.entries()) {
      expect(difference(rows, Float64Array.from(expected[at]!.rows))).toBeLessThan(2e-6);
    }
  });

  it('has none of a ticker that did not trade, and none of other days', async () => {
    const panel = createPanel({ sequenceLength: 4 });
    await panel.fill(['A', 'B'].map((ticker, n) => walk(ticker, { to: 60 - 2 * n, seed: n })));
    expect(panel.windows(dayOf(59)).map(({ ticker }) => ticker)).toEqual(['A']);
    expect(() => panel.windows(dayOf(58))).toThrow(
      'windows of 2000-02-28 requested, but the newest session is 2000-02-29',
    );
    panel.push({ date: dayOf(60), bars: {}, splits: {}, dividends: {} });
    expect(panel.windows(dayOf(60))).toEqual([]);
    expect(() => panel.push({ date: dayOf(60), bars: {}, splits: {}, dividends: {} })).toThrow(RangeError);
  });

  it.each([
    [5, true],
    [6, false],
  ])('after %i days without a bar has a window at once: %s', (days, there) => {
    const paused = walk('B', { to: 120, without: (day) => day >= 100 && day < 100 + days });
    const panel = createPanel({ sequenceLength: 4 });
    const sessions = sessionsOf([walk('A', { to: 120 }), paused], []);
    for (const session of sessions.slice(0, 100 + days + 1)) panel.push(session);
    expect(panel.windows(dayOf(100 + days)).map(({ ticker }) => ticker)).toEqual(there ? ['A', 'B'] : ['A']);
  });

  it('starts over where it is filled again', async () => {
    const panel = createPanel({ sequenceLength: 4 });
    const [first, second] = ['A', 'B'].map((ticker, n) => [walk(ticker, { to: 60 - 10 * n })]);
    await panel.fill(first!);
    await panel.fill(second!);
    expect(panel.windows(dayOf(49)).map(({ ticker }) => ticker)).toEqual(['B']);
    await panel.fill(first!.slice(1));
    expect(panel.date).toBeNull();
  });

  it('lets the event loop turn between two tickers while it is filled', async () => {
    const panel = createPanel({ sequenceLength: 4 });
    const bars = ['A', 'B', 'C'].map((ticker) => walk(ticker, { to: 60 }));
    let filled = false;
    const filling = panel.fill(bars).then(() => (filled = true));
    for (const _ of bars) {
      expect(filled).toBe(false);
      await nextTurn();
    }
    await filling;
  });

  it('waits after a day that has an unknown feature until a window is whole again', () => {
    const bars = walk('A', { to: 100 });
    bars.volume[60] = Number.NaN;
    const panel = createPanel({ sequenceLength: 5 });
    const days = sessionsOf([bars], []).filter((session) => {
      panel.push(session);
      return panel.windows(session.date).length > 0;
    });
    expect(days.map(({ date }) => date)).toEqual(
      Array.from({ length: 100 }, (_, day) => day)
        .filter((day) => (day >= 33 && day < 60) || day >= 84)
        .map(dayOf),
    );
  });
});
