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

/** The planted rule: if the last days rose in total, the next one rises a little on average. */
const PLANTED_DAYS = 10;
const TICKER = 'ACME';

/**
 * A price over `days` days whose changes are noise. `edge` is how much the mean change follows the direction of the
 * last ten days, relative to its deviation; with 0 there is nothing to find.
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

/** Holds long after a rise over `days` days, short after a fall. */
function follow(days: number): Strategy {
  const closes: number[] = [];
  return {
    name: 'follow',
    parameters: { days },
    warmUp: 0,
    usesPredictions: false,
    onSession({ [TICKER]: bar }, view) {
      closes.push(bar!.close);
      const before = closes.at(-1 - days);
      if (view === null || before === undefined) return [];
      return [{ ticker: TICKER, weight: bar!.close >= before ? 0.9 : -0.4 }];
    },
  };
}

/** The lookbacks of the grid. The rule with the opposite sign is not in it. */
const GRID = [2, 4, 6, 8, 10, 14, 20, 28, 40, 56];

/** A sweep over the grid: real backtests without costs, so that noise neither gains nor loses on average. */
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

/** Wilson's (1927) 95 % interval of the true share, for `found` in `all`. */
export function shareOf(found: number, all: number) {
  const z = 1.959_964;
  const share = found / all;
  const middle = (share + z ** 2 / (2 * all)) / (1 + z ** 2 / all);
  const half = (z * Math.sqrt((share * (1 - share)) / all + z ** 2 / (4 * all ** 2))) / (1 + z ** 2 / all);
  return { share, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
