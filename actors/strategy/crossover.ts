import type { Strategy, StrategyBar, StrategyView, TargetWeight } from './strategy.ts';
import { Trend } from './trend.ts';

const FAST = 10;
const SLOW = 30;

/** The rest stays cash: an order reserves more than the last price, and has fees. */
const INVESTED = 0.9;

/** A position within this share of its target is where it should be: every correction costs fees. */
const TOLERANCE = 0.25;

/** Sessions after which a ticker without a bar no longer counts. */
const GONE_AFTER = 20;

/**
 * Moving-average crossover, long only: holds each ticker whose average of 10 closes is above that of 30, in equal parts of
 * the account, none more than twice what it would have if all were up. (Brock, Lakonishok and LeBaron, 1992)
 *
 * When it may act after a pause it brings the account to where the trends are; from then on it speaks up when a trend turns,
 * and until the account has followed. What is closed by hand in between stays closed, and what is bought by hand against its
 * trend stays, until that ticker turns.
 */
export function crossover(): Strategy {
  const trends = new Map<string, Trend>();
  /** Tickers whose position is not, or may not be, where it should be. */
  const unsettled = new Set<string>();
  let session = 0;
  let acting = false;

  /** The share of the account that each ticker in an uptrend should have. */
  function share(): number {
    let known = 0;
    let up = 0;
    for (const trend of trends.values()) {
      if (trend.up === null || session - trend.session > GONE_AFTER) continue;
      known += 1;
      if (trend.up) up += 1;
    }
    return INVESTED / Math.max(up, known / 2);
  }

  /** What to hold of the unsettled tickers that traded and have no order open. Buys take no more than there is cash for. */
  function targets({ positions, working, totalValue, cash }: StrategyView): TargetWeight[] {
    const result: TargetWeight[] = [];
    const even = share();
    let room = (INVESTED * cash) / totalValue;
    // In a fixed order: what comes first gets the cash, also after a restart.
    for (const ticker of [...unsettled].sort()) {
      const trend = trends.get(ticker)!;
      if (trend.session !== session || working.has(ticker)) continue;
      const held = ((positions.get(ticker) ?? 0) * trend.close) / totalValue;
      const wanted = trend.up === true ? even : 0;
      if (isThere(held, wanted, trend.close / totalValue)) {
        unsettled.delete(ticker);
      } else if (wanted < held) {
        result.push({ ticker, weight: wanted });
      } else {
        const bought = Math.min(wanted - held, room);
        // With less cash it waits for what is being sold.
        if (bought < TOLERANCE * (wanted - held)) continue;
        room -= bought;
        result.push({ ticker, weight: held + bought });
      }
    }
    return result;
  }

  return {
    name: 'crossover',
    warmUp: SLOW,
    onSplit: (ticker, factor) => trends.get(ticker)?.scale(factor),
    resume(working: ReadonlySet<string>): void {
      acting = true;
      unsettled.clear();
      for (const ticker of working) if (trends.has(ticker)) unsettled.add(ticker);
    },
    onSession(bars: readonly StrategyBar[], view: StrategyView | null): readonly TargetWeight[] {
      session += 1;
      let turned = false;
      for (const { ticker, close } of bars) {
        if (!(close > 0 && close < Number.POSITIVE_INFINITY)) continue;
        let trend = trends.get(ticker);
        if (trend === undefined) trends.set(ticker, (trend = new Trend(FAST, SLOW)));
        if (trend.push(close, session)) {
          unsettled.add(ticker);
          turned = true;
        }
      }
      if (view === null) {
        acting = false;
        return [];
      }
      // What the others should have changes with the number of uptrends.
      if (turned)
        for (const ticker of view.positions.keys())
          if (trends.get(ticker)?.up === true) unsettled.add(ticker);
      if (!acting) for (const [ticker, { up }] of trends) if (up !== null) unsettled.add(ticker);
      acting = true;
      return unsettled.size === 0 || !(view.totalValue > 0) ? [] : targets(view);
    },
  };
}

/** Nothing where nothing should be; otherwise near enough, or within one share of it. */
function isThere(held: number, wanted: number, oneShare: number): boolean {
  if (wanted === 0 || held <= 0) return held === wanted;
  return Math.abs(held - wanted) <= Math.max(TOLERANCE * wanted, oneShare);
}
