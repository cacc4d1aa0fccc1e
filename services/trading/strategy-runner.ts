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
  /** Creates a strategy without a past. */
  readonly create: () => Strategy;
  /** Called with what the strategy wanted in a session and did not get. */
  readonly onUnmet?: (unmet: Unmet, date: string) => void;
}

/** What a strategy sees of a session. */
interface Known {
  readonly bars: StrategyBars;
  /** The weights of the model that made its predictions. */
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

  /** The bars with their predictions; `null` if it uses none, may not act, or no model answers. */
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
      // It was stopped meanwhile, or there is not enough cash. The strategy may want the same again.
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
        // The strategy was asked after an earlier session. If trading was started since, it has not acted yet.
        const hasActed = sessionsRun > (closed ? 1 : 0);
        if (engine !== 'running' || !hasActed) return null;
        const past = sessions.filter((session) => session.date < date || !closed);
        // Its orders that were open before the session are still to be followed up, although the session may have ended them:
        // what is left of an order that expired is ordered again.
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
      // The splits of the session are in the closes.
      return { day: closed ? { date, bars: barsBack(1), splits: {} } : null, missed };
    },

    async resume({ sessions, pause }: StrategyMissed, signal: AbortSignal): Promise<StrategyMissed | null> {
      // After trading is started again, it takes up the positions that it finds.
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

/** The functions that the strategy's actor calls. */
export interface StrategyRunner {
  readonly name: string;
  /** The number of closes of each ticker that it has to be shown first. */
  readonly warmUp: number;
  /** The number of whole sessions that it has to be given first; 0: none. */
  readonly wholeSessions: number;
  /**
   * Begins with the market up to a session. If the account has been through that session, it resolves with that day,
   * which is decided on once more: an order that was submitted then gets the same id.
   */
  begin(past: StrategyPast): Promise<StrategyBegun>;
  /** Shows it the sessions that it missed; resolves with those that are left while their predictions cannot be had. */
  resume(missed: StrategyMissed, signal: AbortSignal): Promise<StrategyMissed | null>;
  /** The wishes of the strategy after a closed session. It is shown no session twice. */
  decide(turn: StrategyTurn, signal: AbortSignal): Promise<StrategyWishes>;
  /** Equal wishes give equal orders. */
  submit(wishes: StrategyWishes): Promise<void>;
  close?(): Promise<void>;
}

/** Whatever the strategy throws is its own fault. */
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
