import { GONE_AFTER } from '../../events/messages/gone-after.ts';
import { approach, INVESTED, type Wanted } from './position-targets.ts';
import type { Strategy, StrategyBars, StrategyPause, StrategyView, TargetWeight } from './strategy.ts';
import { RollingMean } from './rolling-mean.ts';

const FAST = 10;
const SLOW = 30;

/**
 * Moving-average crossover, long only: holds each ticker whose average of 10 closes is above its average of 30, in
 * equal parts of the account. No part is more than twice what it would be if all tickers were up. (Brock, Lakonishok
 * and LeBaron, 1992)
 *
 * After a pause, the strategy first brings the account to the present trends. From then on it gives targets when a
 * trend turns, until the account has followed. A position that somebody closes by hand stays closed until its ticker's
 * trend turns.
 */
export function crossover(): Strategy {
  const trends = new Map<string, Trend>();
  /** Tickers whose position is not at its target, or for which it is not known whether it is. */
  const unsettled = new Set<string>();
  let session = 0;
  let acting = false;
  /**
   * Set by `resume`: the tickers of which somebody else has sold. `null` again after the next session with a view of
   * the account.
   */
  let resumed: StrategyPause['sold'] | null = null;

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

  function targets(view: StrategyView): TargetWeight[] {
    const even = share();
    const wantedOf = (ticker: string): Wanted | null => {
      const trend = trends.get(ticker)!;
      if (trend.session !== session) return null;
      return { weight: trend.up === true ? even : 0, close: trend.close };
    };
    return approach(unsettled, wantedOf, view);
  }

  /**
   * Finds again the tickers that an earlier process had not settled, as far as the account shows them: a position
   * against its trend is to be sold; an uptrend without a position waits for cash or for a bar, unless somebody else
   * has sold the position. A partly bought position cannot be told from a change of price, so it is left as it is.
   */
  function takeUp(sold: ReadonlySet<string>, { positions }: StrategyView): void {
    for (const [ticker, { up }] of trends) {
      if (up === null) continue;
      const isHeld = positions.has(ticker);
      if (up ? !isHeld && !sold.has(ticker) : isHeld) unsettled.add(ticker);
    }
  }

  return {
    name: 'crossover',
    parameters: { fast: FAST, slow: SLOW, invested: INVESTED },
    warmUp: SLOW,
    usesPredictions: false,
    onSplit: (ticker, factor) => trends.get(ticker)?.scale(factor),
    resume({ working, sold }: StrategyPause): void {
      acting = true;
      resumed = sold;
      unsettled.clear();
      for (const ticker of working) if (trends.has(ticker)) unsettled.add(ticker);
    },
    onSession(bars: StrategyBars, view: StrategyView | null): readonly TargetWeight[] {
      session += 1;
      let turned = false;
      // A backtest runs this for each session, and `Object.entries` takes ten times as long.
      for (const ticker in bars) {
        const { close } = bars[ticker]!;
        if (!(close > 0 && close < Number.POSITIVE_INFINITY)) continue;
        let trend = trends.get(ticker);
        if (trend === undefined) trends.set(ticker, (trend = new Trend()));
        if (trend.push(close, session)) {
          unsettled.add(ticker);
          turned = true;
        }
      }
      if (view === null) {
        acting = false;
        resumed = null;
        return [];
      }
      // The targets of the other tickers change with the number of uptrends.
      if (turned)
        for (const ticker of view.positions.keys())
          if (trends.get(ticker)?.up === true) unsettled.add(ticker);
      if (!acting) for (const [ticker, { up }] of trends) if (up !== null) unsettled.add(ticker);
      if (resumed !== null) takeUp(resumed, view);
      acting = true;
      resumed = null;
      return unsettled.size === 0 || !(view.totalValue > 0) ? [] : targets(view);
    },
  };
}

/**
 * Averages closer than this count as equal, because rounding alone can make a difference where the price does not move.
 */
const SAME = 1e-9;

/** Whether the fast moving average of a ticker's closes is above the slow one. Each close takes constant time. */
class Trend {
  readonly #fast = new RollingMean(FAST);
  readonly #slow = new RollingMean(SLOW);
  /** `null` until there are enough closes for the slow average. */
  up: boolean | null = null;
  /** The newest close, and the number of its session. */
  close = Number.NaN;
  session = 0;

  /** Adds a close; true when the trend has changed, or is known to be up for the first time. */
  push(close: number, session: number): boolean {
    const fast = this.#fast.push(close);
    const slow = this.#slow.push(close);
    this.close = close;
    this.session = session;
    if (Number.isNaN(slow)) return false;
    const before = this.up;
    this.up = fast > slow * (1 + SAME);
    return this.up !== (before ?? false);
  }

  scale(factor: number): void {
    this.#fast.scale(factor);
    this.#slow.scale(factor);
    this.close *= factor;
  }
}
