import type { Strategy } from '../../../actors/strategy/strategy.ts';
import { addDays } from '../../../events/dates.ts';
import type { SessionData } from '../../../events/messages/market.ts';
import { seeded } from '../../../events/seeded.ts';
import { readSettings } from '../../composition/settings.ts';
import { returnsOf } from '../periods.ts';
import { Backtest } from '../run-backtest.ts';
import { deflatedSharpe, overfittingProbability, periodSharpe } from './overfitting.ts';

/** Numbers of the standard normal distribution. (Box and Muller, 1958) */
export function normalNumbers(seed: number): () => number {
  const random = seeded(seed);
  return () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/** The rule that is planted: after days that rose on the whole, the next one rises a little on average. */
const PLANTED_DAYS = 10;
const TICKER = 'ACME';

/**
 * A price of so many days whose changes are noise. `edge`: how much the mean of a day's change goes with the direction of the
 * last ten days, as a share of its deviation; 0: there is nothing to find.
 */
function pricesOf(seed: number, days: number, edge: number): SessionData[] {
  const next = normalNumbers(seed);
  const changes: number[] = [];
  let price = 100;
  return Array.from({ length: days }, (_, n): SessionData => {
    const direction = Math.sign(changes.slice(-PLANTED_DAYS).reduce((sum, one) => sum + one, 0));
    const change = 0.01 * (next() + edge * direction);
    changes.push(change);
    const open = price;
    price = Math.round(price * (1 + change) * 1e6) / 1e6;
    const [high, low] = [Math.max(open, price), Math.min(open, price)];
    return {
      date: addDays('2015-01-01', n),
      bars: { [TICKER]: { open, high, low, close: price, volume: 1e9 } },
      splits: {},
      dividends: {},
    };
  });
}

/** Long after a rise over so many days, short after a fall. */
function follow(days: number): Strategy {
  const closes: number[] = [];
  return {
    name: 'follow',
    parameters: { days },
    warmUp: 0,
    usesPredictions: false,
    onSession([bar], view) {
      closes.push(bar!.close);
      const before = closes.at(-1 - days);
      if (view === null || before === undefined) return [];
      return [{ ticker: TICKER, weight: bar!.close >= before ? 0.9 : -0.4 }];
    },
  };
}

/** Lookbacks, without the mirror image of any: a rule that is right is in it, and its opposite is not. */
const GRID = [2, 4, 6, 8, 10, 14, 20, 28, 40, 56];

/** What a sweep over the grid says: real backtests without costs, so that noise brings nothing and takes nothing. */
export function sweepOf({ seed, days, edge = 0 }: { seed: number; days: number; edge?: number }) {
  const sessions = pricesOf(seed, days, edge);
  const { trading } = readSettings({
    TD_SHORTING: 'true',
    TD_FEES: 'none',
    TD_SLIPPAGE_BPS: '0',
    TD_VOLUME_LIMIT: '0',
    TD_BORROW_PERCENT: '0',
    TD_LOT: '0.0001',
  });
  const trials = GRID.map((lookback) => {
    const backtest = new Backtest({ ...trading, strategy: follow(lookback), from: null });
    for (const session of sessions) backtest.run(session);
    return Float64Array.from(returnsOf(backtest.history.equity));
  });
  const sharpes = trials.map(periodSharpe);
  const best = sharpes.indexOf(Math.max(...sharpes));
  return {
    deflatedSharpe: deflatedSharpe(trials[best]!, sharpes),
    sharpe: sharpes[best]! * Math.sqrt(252),
    trials,
    overfitting: () => overfittingProbability(trials)!,
  };
}

/** The interval of Wilson (1927) that holds the true share with 95 %, of `found` in `all`. */
export function shareOf(found: number, all: number) {
  const z = 1.959_964;
  const share = found / all;
  const middle = (share + z ** 2 / (2 * all)) / (1 + z ** 2 / all);
  const half = (z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2))) / (1 + z ** 2 / all);
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
