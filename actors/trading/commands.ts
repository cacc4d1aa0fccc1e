import { hash } from 'node:crypto';
import type { Money, Price, Quantity } from '../../events/decimal.ts';
import type { CancelReason } from '../../events/catalog/trading.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { StrategyAnswer } from '../strategy/answer.ts';
import type { BrokerOrder, BrokerReport, OrderOrigin } from './broker.ts';
import type { ClientOrder } from './state.ts';
import type { AccountEvent, DraftOf } from '../../events/catalog/catalog.ts';

/** What the account allows. Figures of `null` set no limit. */
export interface TradingPolicy {
  readonly shorting: boolean;
  /** The smallest quantity, and the step of quantities. If a split leaves less than this, the rest is paid out. */
  readonly lot: Quantity;
  /**
   * How much more than its last price a market order reserves, in hundredths of a percent: the next price may be
   * higher.
   */
  readonly collarBps: bigint;
  /** Sessions after which the cash of a sale settles; 0: at once. */
  readonly settlementSessions: number;
  readonly maxOrderValue: Money | null;
  /** Largest share of the account's value that one position may reach, in hundredths of a percent. */
  readonly maxPositionBps: bigint | null;
  /**
   * The loss since the last session's close at which trading halts, in hundredths of a percent of the value at that
   * close.
   */
  readonly maxDailyLossBps: bigint | null;
  /** The least value that the account must have, as a share of its short positions. Below it they are bought back. */
  readonly maintenanceBps: bigint;
  /** The yearly cost of borrowing for a short position, as a share of its value. */
  readonly borrowBps: bigint;
}

export interface SubmitOrder extends BrokerOrder {
  readonly client_order_id: string | null;
  /** The order on record under this `client_order_id`, for the case that the account's state no longer has it. */
  readonly earlier?: ClientOrder | undefined;
  readonly origin: OrderOrigin;
  readonly bracket?: AccountData<'OrderSubmitted'>['bracket'] | undefined;
  /** The first stop of a trailing order, unless the trail puts it closer to the last price. */
  readonly trails_from?: Price | undefined;
  /** The weights of the model whose predictions the strategy used. */
  readonly weights?: string;
  /** The operator's own strategy that decided on the order. */
  readonly strategy?: NonNullable<AccountData<'OrderSubmitted'>['strategy']>;
  readonly client_timestamp: string | null;
  /** The ticker's last price; `null` if there is none. */
  readonly last_price: Price | null;
}

/** Cash from outside. */
interface MovedCash {
  /** Negative for cash that leaves the account. */
  readonly amount: Money;
  readonly reason: string;
  readonly client_cash_id: string | null;
}

/** A strategy of the operator, as it is run. */
interface InUse {
  readonly strategy: string;
  readonly source: string;
  readonly hash: string;
  readonly parameters: Readonly<Record<string, number>>;
  readonly share: number | null;
}

/** The commands to the account. Each throws its error or gives the resulting events; none if nothing changes. */
export type AccountCommand =
  | { readonly type: 'open'; readonly account: string; readonly currency: string; readonly cash: Money }
  | { readonly type: 'use-source'; readonly source: string }
  | ({ readonly type: 'move-cash' } & MovedCash)
  /** Takes back a cash movement whose client was told that it could not be recorded. */
  | ({ readonly type: 'take-back-cash' } & MovedCash)
  | { readonly type: 'start' }
  | { readonly type: 'stop' }
  /** Sets the clock of a replay. Fields that are not given stay unchanged. */
  | { readonly type: 'set-clock'; readonly paused?: boolean; readonly speed?: number }
  | { readonly type: 'submit'; readonly order: SubmitOrder }
  | { readonly type: 'cancel'; readonly order_id: string; readonly reason?: CancelReason }
  /** Changes an order. Terms that are not given stay unchanged. */
  | {
      readonly type: 'amend';
      readonly order_id: string;
      readonly quantity: Quantity | null;
      readonly price: Price | null;
      readonly stop_price: Price | null;
      /** The ticker's last price; `null` if there is none. */
      readonly last_price: Price | null;
    }
  /** Closes a position with a market order whose id is `order_id`. Open orders of the ticker are cancelled first. */
  | {
      readonly type: 'close';
      readonly ticker: string;
      readonly order_id: string;
      readonly last_price: Price | null;
    }
  /** Withdraws an order whose client was told that it could not be recorded, although it was. */
  | { readonly type: 'withdraw'; readonly order_id: string }
  | { readonly type: 'delivery-unknown'; readonly order_id: string }
  | { readonly type: 'doubt-unanswered' }
  | { readonly type: 'report'; readonly report: BrokerReport }
  /** Compares the broker's positions with ours, when all its reports are in. A difference is a discrepancy. */
  | { readonly type: 'compare'; readonly positions: ReadonlyMap<string, Quantity> }
  /** A strategy of the operator is in use. */
  | ({ readonly type: 'use-strategy' } & InUse)
  /** The strategy's answer after a closed session. */
  | {
      readonly type: 'decide-strategy';
      readonly strategy: string;
      readonly session: SessionData;
      readonly answer: StrategyAnswer;
    }
  | {
      readonly type: 'refuse-strategy-order';
      readonly data: AccountData<'StrategyOrderRefused'>;
    }
  | { readonly type: 'halt-strategy'; readonly data: AccountData<'StrategyHalted'> }
  | { readonly type: 'stop-strategy'; readonly strategy: string }
  | ({ readonly type: 'start-strategy' } & InUse)
  | { readonly type: 'open-session'; readonly session: SessionData }
  | {
      readonly type: 'close-session';
      readonly session: string;
      /** The closing prices of all tickers that traded, as traded. */
      readonly closes: Prices;
    };

/** Prices by ticker; there is none for a ticker without a trade. */
export type Prices = Pick<ReadonlyMap<string, Price>, 'get'>;

/** The command of one type. */
export type CommandOf<Type extends AccountCommand['type']> = Extract<AccountCommand, { type: Type }>;

/** The events that the account records. */
export type AccountDraft = DraftOf<AccountEvent>;

/** What follows from a command, in order. */
export type Drafts = readonly AccountDraft[];

/** The result of most commands in a quiet session: no events. */
export const NO_DRAFTS: Drafts = [];

/** The data of one type of event. */
export type AccountData<Type extends AccountDraft['type']> = Extract<AccountDraft, { type: Type }>['data'];

/** The id of an order that a strategy decided on, from its index among those of a session. */
export const strategyOrderId = (account: string, strategy: string, session: string, at: number): string =>
  orderId(account, strategyCall(strategy, session, at));

/** The id of the call that submits an order of a strategy. */
export const strategyCall = (strategy: string, session: string, at: number): string =>
  `strategy/${strategy}/${session}/${at}`;

/** A short, readable id that is the same for the same call, so that a repeated call makes no second order. */
export function orderId(account: string, callId: string): string {
  return `o-${hash('sha256', `${account}/${callId}`, 'hex').slice(0, 16)}`;
}
