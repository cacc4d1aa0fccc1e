import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Ticker } from '../../../events/messages/ticker.ts';
import { dateOfSession, LAST_SESSION, sessionAfter } from './demo-calendar.ts';
import { DemoMarket } from './demo-market.ts';
import { DEMO_HISTORY_END, demoSource } from './demo.ts';
import { SourceFaults, type BarSource, type Fetched, type SourceBar } from './source.ts';

const { signal } = new AbortController();
const source = demoSource();
const tickers = await source.tickers();
const history = new Map<string, Fetched>();
for (const ticker of tickers) history.set(ticker, await source.fetch(ticker, null, signal));

/** Daily returns without the effect of splits. */
function returnsOf({ bars, splits }: Fetched): number[] {
  const ratios = new Map(
    splits.map(({ date, ratio }) => {
      const [newShares = 1, oldShares = 1] = ratio.split('/').map(Number);
      return [date, newShares / oldShares];
    }),
  );
  return bars.slice(1).map((bar, at) => (bar.close * (ratios.get(bar.date) ?? 1)) / bars[at]!.close - 1);
}

const meanOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

function correlation(a: readonly number[], b: readonly number[]): number {
  const meanA = meanOf(a);
  const meanB = meanOf(b);
  const together = meanOf(a.map((value, at) => (value - meanA) * (b[at]! - meanB)));
  const variances =
    meanOf(a.map((value) => (value - meanA) ** 2)) * meanOf(b.map((value) => (value - meanB) ** 2));
  return together / Math.sqrt(variances);
}

/** The fault of a bar, given the previous one. */
function wrong(bar: SourceBar, before: SourceBar | undefined): boolean {
  const { date, open, high, low, close, volume } = bar;
  const weekday = new Date(date).getUTCDay();
  return (
    weekday === 0 ||
    weekday === 6 ||
    (before !== undefined && before.date >= date) ||
    [open, high, low, close].some((price) => Math.round(price * 100) / 100 !== price) ||
    Math.min(open, close) < low ||
    Math.max(open, close) > high ||
    !Number.isSafeInteger(volume) ||
    volume <= 0
  );
}

describe('the synthetic market', () => {
  it('says what it is, with names that no exchange has', () => {
    expect(source).toMatchObject({ name: 'demo', synthetic: true, index: 'DEMO-INDEX' });
    expect(tickers).toHaveLength(13);
    for (const ticker of tickers) {
      expect(ticker).toMatch(/^DEMO-/);
      expect(Ticker.safeParse(ticker).success).toBe(true);
    }
  });

  it('is the same on every machine', () => {
    const digest = createHash('sha256')
      .update(JSON.stringify([...history]))
      .digest('hex');
    expect(digest).toBe('58d771047f31271cbe4fb3c38717854854a20c7b80acbeb40fa861f8c5b4db67');
  });

  it('has ten years of weekdays, priced in cents, with the close between high and low', () => {
    for (const { bars, convention } of history.values()) {
      expect(convention).toEqual({ bars: 'as-traded', dividends: 'as-traded' });
      expect(bars[0]!.date).toBe('2016-01-04');
      expect(bars.at(-1)!.date).toBe(DEMO_HISTORY_END);
      expect(bars.filter((bar, at) => wrong(bar, bars[at - 1]))).toEqual([]);
    }
  });

  it('has splits, an odd ratio and a reverse one among them, and quarterly dividends', () => {
    const ratios = new Set([...history.values()].flatMap(({ splits }) => splits.map(({ ratio }) => ratio)));
    expect(ratios).toEqual(
      expect.toSatisfy((all: Set<string>) => ['2/1', '3/2', '1/10'].every((ratio) => all.has(ratio))),
    );
    const payers = [...history.values()].filter(({ dividends }) => dividends.length > 0);
    expect(payers.length).toBeGreaterThan(5);
    for (const { dividends } of payers) expect(dividends).toHaveLength(40);
    // Some splits are within the year that a feed replays first.
    const lastYear = [...history.values()]
      .flatMap(({ splits }) => splits)
      .filter(({ date }) => date >= '2025-01-10');
    expect(lastYear.length).toBeGreaterThan(0);
  });

  it('goes ex-dividend and ex-split where it says', () => {
    for (const fetched of history.values()) {
      expect(returnsOf(fetched).filter((move) => Math.abs(move) > 0.26)).toEqual([]);
    }
  });

  it('moves as markets do: together, restlessly after restless days, with gaps now and then', () => {
    const index = returnsOf(history.get('DEMO-INDEX')!);
    const others = tickers
      .filter((ticker) => ticker !== 'DEMO-INDEX')
      .map((ticker) => returnsOf(history.get(ticker)!));
    const mean = index.map((_, at) => others.reduce((sum, returns) => sum + returns[at]! / others.length, 0));
    expect(correlation(index, mean)).toBeGreaterThan(0.8);
    expect(correlation(others[0]!, others[3]!)).toBeGreaterThan(0.2);
    const sizes = index.map((move) => move * move);
    expect(correlation(sizes.slice(1), sizes.slice(0, -1))).toBeGreaterThan(0.05);
    expect(Math.max(...others.flat().map(Math.abs))).toBeGreaterThan(0.08);
  });

  it('answers from a date on, and turns away what it does not have', async () => {
    const { bars, dividends } = await source.fetch('DEMO-OAK', '2025-12-15', signal);
    expect(bars.map(({ date }) => date)).toEqual(
      history
        .get('DEMO-OAK')!
        .bars.slice(-13)
        .map(({ date }) => date),
    );
    expect(dividends).toEqual([]);
    expect((await source.fetch('DEMO-OAK', '2026-01-01', signal)).bars).toEqual([]);
    await expect(source.fetch('AAPL', null, signal)).rejects.toThrow(SourceFaults);
    await expect(source.fetch('DEMO-OAK', null, AbortSignal.abort(new Error('enough')))).rejects.toThrow(
      'enough',
    );
  });
});

const extend = (from: BarSource, after: string, count: number) => from.extend!(after, count);

describe('the sessions after the history', () => {
  it('are the same in whatever pages and order they are asked for', async () => {
    const whole = await extend(demoSource(), '2024-12-31', 600);
    const oak = whole.get('DEMO-OAK')!;
    expect(oak.bars.slice(0, 261)).toEqual(history.get('DEMO-OAK')!.bars.slice(-261));
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(598), fc.integer({ min: 1, max: 60 })), { minLength: 1, maxLength: 6 }),
        async (pages) => {
          const asked = demoSource();
          for (const [first, count] of pages) {
            const page = (await extend(asked, oak.bars[first]!.date, count)).get('DEMO-OAK')!;
            const expected = oak.bars.slice(first + 1, first + 1 + count);
            expect(page.bars.slice(0, expected.length)).toEqual(expected);
            expect(page.bars).toHaveLength(count);
          }
        },
      ),
      { numRuns: 15 },
    );
  });

  it('are there at once after a restart, however long it ran', async () => {
    const far = dateOfSession(100_000);
    const before = demoSource();
    await extend(before, dateOfSession(90_000), 10);
    const [one, two] = await Promise.all([extend(before, far, 5), extend(before, far, 5)]);
    expect(one).toEqual(two);
    expect(await extend(demoSource(), far, 5)).toEqual(one);
    // Goes back, using the states that were kept on the way.
    expect(await extend(before, dateOfSession(90_000), 10)).toEqual(
      await extend(demoSource(), dateOfSession(90_000), 10),
    );
  });

  it('stay sensible for centuries: splits keep prices within 5 … 1000', () => {
    const market = DemoMarket.seeded(1);
    let lowest = Number.POSITIVE_INFINITY;
    let highest = 0;
    while (market.session < 100_000) {
      market.next((_, day) => {
        lowest = Math.min(lowest, day.low);
        highest = Math.max(highest, day.high);
      });
    }
    expect(lowest).toBeGreaterThanOrEqual(500);
    expect(highest).toBeLessThanOrEqual(100_000);
  });
});

describe('the calendar', () => {
  it('is the weekdays until the end of the year 9999', () => {
    expect(dateOfSession(LAST_SESSION)).toBe('9999-12-31');
    expect(sessionAfter('2016-01-03')).toBe(0);
    expect(sessionAfter('1999-01-01')).toBe(0);
    expect(() => sessionAfter('soon')).toThrow(RangeError);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: LAST_SESSION }), (session) => {
        expect(sessionAfter(dateOfSession(session))).toBe(session + 1);
        expect(sessionAfter(dateOfSession(session - 1))).toBe(session);
        expect([0, 6]).not.toContain(new Date(dateOfSession(session)).getUTCDay());
      }),
    );
    // The session after a day on a weekend is Monday's.
    expect(dateOfSession(sessionAfter('2026-01-02'))).toBe('2026-01-05');
    expect(dateOfSession(sessionAfter('2026-01-04'))).toBe('2026-01-05');
  });
});
