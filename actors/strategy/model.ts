import { approach, INVESTED, type Wanted } from './position-targets.ts';
import type { Forecast } from './forecast.ts';
import type { Strategy, StrategyBars, StrategyPause, StrategyView, TargetWeight } from './strategy.ts';

/**
 * The parameters of the rule. None was fitted to any data. The cost of trading says whether a position is worth it;
 * where costs are proportional, there is a region in which it is best to do nothing. (Constantinides, Capital Market
 * Equilibrium with Transaction Costs, 1986; Davis and Norman, Portfolio Selection with Transaction Costs, 1990)
 */
export const MODEL_RULE = {
  /**
   * The cost of buying or of selling, as a share: 0.0005 of slippage and about 0.0002 of fees by default. The strategy
   * buys only if the expected gain of the next day exceeds this cost, and sells only if the expected loss does.
   */
  cost: 0.0007,
  /** The largest position, as a multiple of the share that each ticker would have if all were held. */
  largest: 2,
  /**
   * A position is changed when its target has moved by more than this multiple of the even share, which is half of the
   * largest position. Every gain or loss of another position moves every target a little, and such small moves should
   * cost no fees.
   */
  band: 1,
  /**
   * The smallest volatility that is used; a lower expected one is raised to it. No share is that quiet, and one that
   * seems to be would get the whole account.
   */
  quietest: 0.002,
  /** A ticker no longer counts once it has had no prediction in this many sessions in which other tickers had one. */
  goneAfter: 5,
} as const;

interface PredictedBar {
  readonly ticker: string;
  readonly close: number;
  readonly prediction: Forecast;
}

/**
 * Holds what a model expects to gain on the next day, long only, in proportion to expected gain over variance, as the
 * mean-variance portfolio of uncorrelated returns does. (Markowitz, Portfolio Selection, 1952; a growth-optimal
 * portfolio has the same proportions: Thorp, The Kelly Criterion, 2006)
 *
 * After a pause, the strategy first brings the account to its targets. From then on it gives a target when the target
 * has become or ceased to be zero, or has moved by more than the band, until the account has followed. A position that
 * somebody closes by hand stays closed until its target changes in one of these ways.
 */
export function modelStrategy(): Strategy {
  /**
   * The target that a ticker's position last reached; 0 if the ticker had no position. No entry if this is not known.
   */
  const settled = new Map<string, number>();
  /** The last session in which a ticker had a prediction, counting only sessions with predictions. */
  const lastSeen = new Map<string, number>();
  /** Tickers whose position differs from its target, or for which it is not known whether it does. */
  const unsettled = new Set<string>();
  let session = 0;
  let acting = false;

  /** The share of the account that each ticker would have if all counted tickers were held. */
  function evenShare(bars: readonly PredictedBar[]): number {
    session += 1;
    for (const { ticker } of bars) lastSeen.set(ticker, session);
    for (const [ticker, seen] of lastSeen)
      if (session - seen >= MODEL_RULE.goneAfter) lastSeen.delete(ticker);
    return INVESTED / lastSeen.size;
  }

  /**
   * Notes which positions have reached their targets. Without a view of the account, all positions are taken to have
   * reached them.
   */
  function follow(bars: readonly PredictedBar[], even: number, view: StrategyView | null): void {
    const before = ({ ticker, close }: PredictedBar): number =>
      settled.get(ticker) ?? (view === null ? 0 : heldShare(view, ticker, close));
    const targets = targetsOf(bars, even, (bar) => before(bar) > 0);
    if (view === null) unsettled.clear();
    for (const bar of bars) {
      const { ticker, prediction } = bar;
      const target = targets.get(ticker) ?? 0;
      const known = settled.get(ticker);
      const moved = known !== undefined && Math.abs(target - known) > MODEL_RULE.band * even;
      if (moved || target > 0 !== before(bar) > 0) {
        settled.set(ticker, target);
        if (known !== undefined || view !== null) unsettled.add(ticker);
      } else if (known === undefined && (view !== null || prediction.return <= -MODEL_RULE.cost)) {
        // The last correction left the position here. Without a view of the account nobody can know whether it was
        // not corrected because that would have cost too much.
        settled.set(ticker, target);
      }
    }
  }

  return {
    name: 'model',
    parameters: { ...MODEL_RULE, invested: INVESTED },
    warmUp: MODEL_RULE.goneAfter,
    usesPredictions: true,
    resume({ working }: StrategyPause): void {
      acting = true;
      // Tickers with an open order are added to those that moved in the last session, because they may have had to wait
      // for cash.
      for (const ticker of working) unsettled.add(ticker);
    },
    onSession(bars: StrategyBars, view: StrategyView | null): readonly TargetWeight[] {
      if (view === null) acting = false;
      const predicted = predictedOf(bars);
      if (predicted.length === 0 || (view !== null && !(view.totalValue > 0))) return [];
      if (view !== null && !acting) {
        settled.clear();
        unsettled.clear();
        for (const { ticker, close } of predicted) settled.set(ticker, heldShare(view, ticker, close));
        acting = true;
      }
      follow(predicted, evenShare(predicted), view);
      if (view === null) return [];
      const closes = new Map(predicted.map(({ ticker, close }) => [ticker, close]));
      const wantedOf = (ticker: string): Wanted | null => {
        const [weight, close] = [settled.get(ticker), closes.get(ticker)];
        return weight === undefined || close === undefined ? null : { weight, close };
      };
      return approach(unsettled, wantedOf, view);
    },
  };
}

/** The share that each ticker that is worth holding should have of the account. Other tickers are missing. */
function targetsOf(
  bars: readonly PredictedBar[],
  even: number,
  isHeld: (bar: PredictedBar) => boolean,
): ReadonlyMap<string, number> {
  const scores = new Map<string, number>();
  let all = 0;
  for (const bar of bars) {
    const { ticker, prediction } = bar;
    const { cost, quietest } = MODEL_RULE;
    if (!(prediction.return > (isHeld(bar) ? -cost : cost))) continue;
    // Selling a held position would cost, so a held ticker is preferred by that cost.
    const score = (prediction.return + cost) / Math.max(prediction.volatility, quietest) ** 2;
    // A score of infinity or NaN is no reason to hold anything.
    if (score === 0 || score === Number.POSITIVE_INFINITY) continue;
    scores.set(ticker, score);
    all += score;
  }
  const largest = Math.min(INVESTED, MODEL_RULE.largest * even);
  return new Map([...scores].map(([ticker, score]) => [ticker, Math.min(largest, (INVESTED * score) / all)]));
}

const heldShare = ({ positions, totalValue }: StrategyView, ticker: string, close: number): number =>
  ((positions.get(ticker) ?? 0) * close) / totalValue;

/** A bar counts as predicted only if its figures are numbers. */
const predictedOf = (bars: StrategyBars): readonly PredictedBar[] =>
  Object.entries(bars).flatMap(([ticker, { close, prediction }]) => {
    const isPredicted =
      prediction !== undefined &&
      Number.isFinite(prediction.return) &&
      Number.isFinite(prediction.volatility) &&
      close > 0 &&
      close < Number.POSITIVE_INFINITY;
    return isPredicted ? [{ ticker, close, prediction }] : [];
  });
