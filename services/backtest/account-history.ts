import type { Decided } from '../../actors/trading/exact-close.ts';
import { markOf } from '../../actors/trading/account-value.ts';
import type { Matching } from '../../actors/trading/lots.ts';
import { unrealized } from '../../actors/trading/position.ts';
import {
  initialState,
  type AccountState,
  type OrderState,
  type StrategyState,
} from '../../actors/trading/state.ts';
import { moneyNumber, parseMoney, valueOf, type Money } from '../../events/decimal.ts';
import { Holdings } from './holdings.ts';
import { TradeJournal } from './trades.ts';

/** The value of the account at the close of a session. */
export interface EquityPoint {
  readonly session: string;
  readonly value: number;
  /** Cash from outside since the previous close, negative if it left; missing if there was none. */
  readonly flow?: number;
}

/** The profit of a ticker before the first measured session. */
export type Earlier = Readonly<Record<'realized' | 'unrealized' | 'dividends' | 'borrowing' | 'fees', Money>>;

interface HistoryOptions {
  readonly matching: Matching;
  /** Whether the history keeps each position at each close. */
  readonly each?: boolean;
  /** The first measured session; `null` for the first of all. */
  readonly from?: string | null;
}

/**
 * The history of an account from its events, for backtests and live trading; all figures are calculated from it. A
 * trade that was opened before the first measured session counts as a whole.
 *
 * @example
 * for (const event of events) history.take(event, (account = evolve(account, event)));
 */
export class AccountHistory {
  /** The final state of each order, in the order of submission. */
  orders: OrderState[] = [];
  readonly journal: TradeJournal;
  readonly holdings: Holdings;
  readonly matching: Matching;
  /** The profit of each ticker before the first measured session. */
  readonly earlier = new Map<string, Earlier>();
  /** The profit of each own strategy before the first measured session. */
  readonly earlierProfit = new Map<string, Money>();
  account: AccountState = initialState();
  /** The points of `equity`, in columns, and flows of cash by index: objects would take several times the memory. */
  readonly #sessions: string[] = [];
  readonly #values: number[] = [];
  readonly #flows = new Map<number, number>();
  readonly #from: string;
  #begun = false;
  /** The value before the first measured session. */
  opening: Money = 0n;
  /** The value at the last close. */
  #value: Money = 0n;
  /** Cash from outside since the last close. */
  #flow: Money = 0n;
  #halted = 0;
  /** Whether the last session is closed and the next not yet open. */
  #rests = false;

  constructor({ matching, each = false, from = null }: HistoryOptions) {
    this.matching = matching;
    this.journal = new TradeJournal(matching);
    this.holdings = new Holdings({ each });
    this.#from = from ?? '';
  }

  /** Begins with the value before the first measured session. */
  get equity(): readonly EquityPoint[] {
    return this.#sessions.map((session, at) => {
      const point = { session, value: this.#values[at]! };
      const flow = this.#flows.get(at);
      return flow === undefined ? point : { ...point, flow };
    });
  }

  /** The number of sessions after which nothing could be opened, because trading was not running. */
  get halted(): number {
    return this.#halted + (this.#rests && !isRunning(this.account) ? 1 : 0);
  }

  /** `account` is the state after the event. */
  take(event: Decided, account: AccountState): void {
    this.account = account;
    if (event.type === 'SessionClosed') {
      this.#close(account.session!, account.closeValue);
      return;
    }
    if (event.type === 'AccountOpened') {
      this.#value = account.closeValue;
    } else if (event.type === 'CashMoved') {
      this.#flow += parseMoney(event.data.amount);
    } else if (event.type === 'OrderSubmitted') {
      this.orders.push(account.orders.get(event.data.order_id)!);
    } else if (event.type === 'OrderWithdrawn') {
      this.orders = this.orders.filter(({ order_id }) => order_id !== event.data.order_id);
    } else if (event.type === 'SessionOpened') {
      if (this.#rests && !isRunning(account)) this.#halted += 1;
      this.#rests = false;
      if (!this.#begun && event.data.session >= this.#from) this.#begin(event.data.session);
    }
    this.journal.take(event);
  }

  /** Ends the history. If no session was measured, earlier ones do not count either. */
  end(): void {
    if (!this.#begun) this.#setOut();
  }

  /** Called when a session is open and nothing has happened in it: positions and prices are those of the last close. */
  #begin(session: string): void {
    this.#begun = true;
    this.opening = this.#value;
    this.#keep(session, moneyNumber(this.#value));
    this.#setOut();
  }

  #setOut(): void {
    this.#halted = 0;
    this.journal.forget();
    for (const [name, strategy] of this.account.strategies ?? []) {
      this.earlierProfit.set(name, profitOf(strategy, this.account));
    }
    for (const [ticker, position] of this.account.positions) {
      const { realized, dividends, borrowing, fees } = position;
      const open = unrealized(position, markOf(this.account, ticker));
      this.earlier.set(ticker, { realized, unrealized: open, dividends, borrowing, fees });
    }
  }

  #close(session: string, value: Money): void {
    this.#value = value;
    this.#rests = true;
    const flow = this.#flow;
    this.#flow = 0n;
    if (!this.#begun) return;
    if (flow !== 0n) this.#flows.set(this.#values.length, moneyNumber(flow));
    const number = moneyNumber(value);
    this.#keep(session, number);
    this.holdings.take(session, number, this.account);
  }

  #keep(session: string, value: number): void {
    this.#sessions.push(session);
    this.#values.push(value);
  }
}

/** The profit of a strategy from closed and open positions, with dividends, after fees. */
export function profitOf({ holdings, income }: StrategyState, { marks }: AccountState): Money {
  let profit = income;
  for (const [ticker, { quantity, cost, realized }] of holdings) {
    profit += realized + valueOf(quantity, marks.get(ticker) ?? 0n) - cost;
  }
  return profit;
}

const isRunning = ({ engine }: AccountState): boolean => engine === 'running';
