import { GONE_AFTER } from '../../events/messages/gone-tickers.ts';
import { approach, INVESTED, type Wanted } from './position-targets.ts';
import type { Strategy, StrategyBars, StrategyPause, StrategyView, TargetWeight } from './strategy.ts';
import { RollingMean } from './rolling-mean.ts';

const FAST = 10;
const SLOW = 30;

/**
 * Moving-average crossover, long only: holds each ticker whose average of 10 closes is above that of 30, in equal parts of
 * the account, none more than twice what it would have if all were up. (Brock, Lakonishok and LeBaron, 1992)
 *
 * When it may act after a pause it brings the account to where the trends are; from then on it speaks up when a trend turns,
 * and until the account has followed. What is closed by hand in between stays closed until that ticker turns.
 */
export function crossover(): Strategy {
  const trends = new Map<string, Trend>();
  /** Tickers whose position is not at its target, or may not be. */
  const unsettled = new Set<string>();
  let session = 0;
  let acting = false;
  /** Set by `resume` until the next session with a view: the tickers of which somebody else has sold. */
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
   * What an earlier process had not settled, as far as the account shows it: a position against its trend is to be sold, and an
   * uptrend without one waits for cash or for a bar, unless somebody else has sold the position. A part of a position that
   * waits cannot be told from a price that has moved, so it is left as it is.
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
      // A backtest asks for each session, and `Object.entries` takes ten times as long.
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

/** Averages closer than this are the same: what rounding leaves of a price that does not move is no trend. */
const SAME = 1e-9;

/** Whether the fast moving average of a ticker's closes is above the slow one; constant time a close. */
class Trend {
  readonly #fast = new RollingMean(FAST);
  readonly #slow = new RollingMean(SLOW);
  /** `null` until there are closes enough for the slow average. */
  up: boolean | null = null;
  /** The newest close, and the number of its session. */
  close = Number.NaN;
  session = 0;

  /** Takes a close in; true when the trend is another one now, or known to be up for the first time. */
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
