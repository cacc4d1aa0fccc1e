import { withPredictions } from '../../actors/strategy/bars.ts';
import type { Strategy, StrategyBars } from '../../actors/strategy/strategy.ts';
import { type SubmitOrder, type TradingPolicy, orderId } from '../../actors/trading/commands.ts';
import {
  StrategyFailed,
  type StrategyBegun,
  type StrategyDay,
  type StrategyMissed,
  type StrategyPast,
  type StrategyTurn,
  type StrategyWishes,
} from '../../actors/trading/strategy-machine.ts';
import { ordersFor, type Unmet } from '../../actors/trading/sizing.ts';
import type { AccountState } from '../../actors/trading/state.ts';
import { soldByOthers } from '../../actors/trading/sold-by-others.ts';
import { viewForStrategy } from '../../actors/trading/strategy-view.ts';
import { parseRatio, ratioNumber } from '../../events/decimal.ts';
import { isBelegError, isRefusal } from '../../events/errors.ts';
import { newCall } from '../../events/messages/define.ts';
import type { RecordReader } from '../../events/store/store.ts';
import type { AccountWriter } from './account/account.ts';
import type { Predictions } from './ask-model.ts';
import { ordersSinceOpening } from './orders-since-opening.ts';
import type { Prices } from './prices.ts';

interface StrategyRunnerOptions {
  readonly account: string;
  readonly policy: TradingPolicy;
  readonly writer: Pick<AccountWriter, 'read' | 'submit'>;
  readonly store: Pick<RecordReader, 'readStream'>;
  readonly prices: Prices;
  /** Called only for a strategy that uses predictions, while trading is active. */
  readonly predictions: Predictions;
  /** Creates the strategy, which has seen no session yet. */
  readonly create: () => Strategy;
  /** Called with each target that the strategy did not reach in a session. */
  readonly onUnmet?: (unmet: Unmet, date: string) => void;
}

/** The part of a session that a strategy sees. */
interface Known {
  readonly bars: StrategyBars;
  /** The weights of the model that made the predictions of the bars. */
  readonly weights?: string;
}

/**
 * The work of the strategy's actor: it shows the strategy each session, and submits its orders while trading is active.
 */
export function runStrategy(options: StrategyRunnerOptions): StrategyRunner {
  const { account, policy, writer, store, prices, predictions, create, onUnmet = () => undefined } = options;
  let strategy = create();
  const { name, warmUp, usesPredictions } = strategy;
  const mayAct = (): Promise<boolean> => writer.read(({ engine }) => engine === 'running');

  /** The bars with their predictions; `null` if the strategy uses none or may not act, or no model answers. */
  async function predicted({ day, isBehind }: StrategyTurn, signal: AbortSignal): Promise<Known | null> {
    if (!usesPredictions || isBehind || !(await mayAct())) return null;
    return predictedAfter(day.date, day.bars, signal);
  }

  async function predictedAfter(
    date: string,
    bars: StrategyBars,
    signal: AbortSignal,
  ): Promise<Known | null> {
    const said = await predictions.after(date, signal);
    return said && { bars: withPredictions(bars, said.forecasts), weights: said.weights };
  }

  function ordersAfter(
    { date, splits }: StrategyDay,
    { bars, weights }: Known,
    state: AccountState,
  ): readonly SubmitOrder[] {
    for (const [ticker, text] of Object.entries(splits)) {
      strategy.onSplit?.(ticker, 1 / ratioNumber(parseRatio(text)));
    }
    const targets = strategy.onSession(
      bars,
      state.engine === 'running' ? viewForStrategy(state, policy) : null,
    );
    const tell = (unmet: Unmet): void => onUnmet(unmet, date);
    return ordersFor(targets, state, policy, prices.all, tell).map((order) => ({
      ...order,
      order_id: orderId(account, callOf(date, order.ticker)),
      ...(weights === undefined ? {} : { weights }),
    }));
  }

  async function submitOne(order: SubmitOrder, date: string): Promise<void> {
    try {
      await writer.submit({ type: 'submit', order }, newCall(callOf(date, order.ticker)));
    } catch (error) {
      // The strategy was stopped meanwhile, or there is not enough cash. It may want the same again.
      if (isRefusal(error)) return;
      // `WRONG_EXPECTED_REVISION` means that the order was recorded earlier, so long ago that the account's state
      // has dropped it.
      if (!isBelegError(error, 'WRONG_EXPECTED_REVISION')) throw error;
    }
  }

  return {
    name,
    warmUp,
    wholeSessions: usesPredictions ? warmUp + 1 : 0,

    async begin({ date, closed, closes, traded, sessions }: StrategyPast): Promise<StrategyBegun> {
      strategy = create();
      if (date === null) return { day: null, missed: null };
      const lag = (ticker: string): number => (traded.has(ticker) ? 0 : 1);
      const barsBack = (left: number) => barsAt(closes, (ticker) => left - lag(ticker));
      const days = Math.max(0, ...[...closes].map(([ticker, { length }]) => length + lag(ticker)));
      ask(() => {
        for (let left = days; left > 1; left--) strategy.onSession(barsBack(left), null);
        if (!closed) strategy.onSession(barsBack(1), null);
      });
      const touched = await ordersSinceOpening(store, account);
      const missed = await writer.read((state) => {
        const { engine, sessionsRun, open, orders } = state;
        // The strategy was asked after an earlier session. If trading was started since then, it has not acted yet.
        const hasActed = sessionsRun > (closed ? 1 : 0);
        if (engine !== 'running' || !hasActed) return null;
        const past = sessions.filter((session) => session.date < date || !closed);
        // Orders that were open before the session are included although the session may have ended them: the rest of
        // an expired order is ordered again.
        const sold = soldByOthers(state);
        const working = new Set<string>();
        for (const id of [...open.keys(), ...touched]) {
          const order = orders.get(id);
          if (order?.origin === 'strategy' && !sold.has(order.ticker)) working.add(order.ticker);
        }
        const pause = { working, sold };
        if (usesPredictions) return { sessions: past.slice(-warmUp), pause };
        ask(() => strategy.resume?.(pause));
        return null;
      });
      // The splits of the session are in the closes already.
      return { day: closed ? { date, bars: barsBack(1), splits: {} } : null, missed };
    },

    async resume({ sessions, pause }: StrategyMissed, signal: AbortSignal): Promise<StrategyMissed | null> {
      // When trading is started again, the strategy takes up the positions that it finds.
      if (!(await mayAct())) return null;
      for (const [at, session] of sessions.entries()) {
        const known = await predictedAfter(session.date, session.bars, signal);
        if (known === null) return { sessions: sessions.slice(at), pause };
        ask(() => strategy.onSession(known.bars, null));
      }
      ask(() => strategy.resume?.(pause));
      return null;
    },

    async decide(turn: StrategyTurn, signal: AbortSignal): Promise<StrategyWishes> {
      const { day } = turn;
      const known = (await predicted(turn, signal)) ?? { bars: day.bars };
      const orders = await writer.read((state) => ask(() => ordersAfter(day, known, state)));
      return { date: day.date, orders };
    },

    async submit({ date, orders }: StrategyWishes): Promise<void> {
      await Promise.all(orders.map((order) => submitOne(order, date)));
    },
  };
}

/** The functions that the machine of the strategy calls. */
export interface StrategyRunner {
  readonly name: string;
  /** The number of closes of each ticker that the strategy is shown first. */
  readonly warmUp: number;
  /** The number of whole sessions that the strategy is shown first; 0 for none. */
  readonly wholeSessions: number;
  /**
   * Shows the strategy the market up to a session. If the account has closed that session, resolves with its day, for
   * which the decision is repeated: an order that was submitted before gets the same id.
   */
  begin(past: StrategyPast): Promise<StrategyBegun>;
  /** Shows the strategy the sessions that it missed; resolves with those for which there are no predictions yet. */
  resume(missed: StrategyMissed, signal: AbortSignal): Promise<StrategyMissed | null>;
  /** The decision of the strategy after a closed session. No session is shown twice. */
  decide(turn: StrategyTurn, signal: AbortSignal): Promise<StrategyWishes>;
  /** Submits the orders of a decision. Equal decisions give orders with equal ids. */
  submit(wishes: StrategyWishes): Promise<void>;
  close?(): Promise<void>;
}

/** Runs code of the strategy. Whatever it throws is the strategy's own fault. */
function ask<T>(question: () => T): T {
  try {
    return question();
  } catch (error) {
    throw new StrategyFailed(error);
  }
}

const callOf = (date: string, ticker: string): string => `strategy/${date}/${ticker}`;

/** The closes at one position from the end, of all tickers whose past is that long. */
function barsAt(
  closes: ReadonlyMap<string, readonly number[]>,
  fromEnd: (ticker: string) => number,
): StrategyBars {
  const ends = [...closes].map(
    ([ticker, series]) => [ticker, series[series.length - fromEnd(ticker)]] as const,
  );
  return Object.fromEntries(
    ends.flatMap(([ticker, close]) => (close === undefined ? [] : [[ticker, { close }]])),
  );
}
