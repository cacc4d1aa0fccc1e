import type { z } from 'zod';
import type * as trading from '../../events/catalog/trading.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { Money, Price, Quantity } from '../../events/decimal.ts';
import type { Trail } from './trail.ts';

export type OrderAction = z.output<typeof trading.OrderAction>;
export type OrderType = z.output<typeof trading.OrderType>;
export type OrderOrigin = z.output<typeof trading.OrderOrigin>;
type TimeInForce = z.output<typeof trading.TimeInForce>;

/** An order as a broker gets it. The id is ours and is the idempotency key: the same id again is the same order. */
export interface BrokerOrder {
  readonly order_id: string;
  readonly ticker: string;
  readonly action: OrderAction;
  readonly type: OrderType;
  readonly quantity: Quantity;
  /** The limit price. It is set for limit orders, and for stop-limit orders once they are triggered. */
  readonly price: Price | null;
  /** The stop price of a stop order or of a stop-limit order. */
  readonly stop_price: Price | null;
  readonly time_in_force: TimeInForce;
  /** Whether the order never takes a position through zero. */
  readonly reduce_only: boolean;
  /**
   * The first of a group of linked orders: a fill of one reduces the others by as much, and a complete fill cancels
   * them.
   */
  readonly linked_to?: string | undefined;
  /** For a stop order: how far the stop stays behind the best price of the bars that the order has met. */
  readonly trail?: Trail | undefined;
}

/** The new terms of an open order. */
export interface Amendment extends Pick<BrokerOrder, 'order_id' | 'quantity' | 'price' | 'stop_price'> {
  /** The amendments of an order are numbered from 1. The same number is the same amendment. */
  readonly amendment: number;
}

/** What an account can spend on new exposure while a session's orders are filled. */
export interface Funds {
  /** The settled cash. */
  readonly cash: Money;
  /** Whether the proceeds of a sale can be spent in the same session. */
  readonly salesSettle: boolean;
  /** Prices of the short positions. Each position ties up twice its value. */
  readonly marks: ReadonlyMap<string, Price>;
}

interface OfOrder {
  readonly order_id: string;
  /** The report's position among the broker's reports: opaque, growing, and the same each time it is read. */
  readonly cursor: string;
}

/** A broker's reports, in order. */
export type BrokerReport = OfOrder &
  (
    | { readonly type: 'accepted' }
    | { readonly type: 'rejected'; readonly reason: string }
    | { readonly type: 'triggered' }
    | {
        readonly type: 'trade';
        /** Identifies the trade. If the broker reports it twice, both reports have the same id. */
        readonly trade_id: string;
        readonly quantity: Quantity;
        readonly price: Price;
        readonly fee: Money;
        /** The day of the trade, `YYYY-MM-DD`. */
        readonly session: string;
      }
    | { readonly type: 'cancelled'; readonly reason: string }
    | { readonly type: 'expired' }
    | ({
        /** The present terms of the order. */
        readonly type: 'amended';
        readonly reason: z.output<typeof trading.AmendReason>;
        /** The number of the amendment that was granted. */
        readonly amendment?: number | undefined;
      } & Pick<BrokerOrder, 'quantity' | 'price' | 'stop_price'>)
  );

/**
 * A broker, real or simulated. It keeps its own record, so after a crash it is asked for its orders and reports.
 *
 * Every method rejects with `BROKER_UNAVAILABLE` if the broker did not answer in time. The request may still have
 * reached the broker; only `find` tells.
 */
export interface Broker {
  /** Resolves once the broker has taken note of the order, now or earlier. A report says whether it is accepted. */
  submit(order: BrokerOrder): Promise<void>;
  /**
   * Resolves once the broker has taken note of the cancellation; a report says whether the order was cancelled. Has no
   * effect on an order that is done. An order that has not arrived yet is cancelled too: if it arrives later, it is not
   * accepted.
   */
  cancel(orderId: string): Promise<void>;
  /**
   * Resolves once the broker has taken note of the amendment; a report says whether it was granted. Has no effect on an
   * order that is done or unknown. If the new quantity is filled already, the rest is cancelled. The order keeps its
   * place in the queue only if nothing changes but a smaller quantity.
   */
  amend(amendment: Amendment): Promise<void>;
  /**
   * Whether the broker has the order open. `null`: the broker confirms that it does not have the order, which may still
   * be on its way.
   */
  find(orderId: string): Promise<{ readonly open: boolean } | null>;
  /** Positions other than zero, by ticker, as the broker has them. */
  positions(): Promise<ReadonlyMap<string, Quantity>>;
  /** The next reports after a cursor, or from the start for `null`; empty if there are no more. */
  reports(after: string | null): Promise<readonly BrokerReport[]>;
  /**
   * The last session in which open orders met their bars, `YYYY-MM-DD`; `null` before the first. After a restart the
   * broker may report an earlier session: then nothing happened in the sessions in between, and nothing will if they
   * are repeated.
   */
  readonly session: string | null;
  /**
   * Applies splits, then lets open orders meet the session's bars. A session that was met already, or an earlier one,
   * changes nothing. Submit an order that was decided on after the account opened this session only after this call:
   * its quantity is in shares after the split, and the split would change it once more. A real broker has a market of
   * its own, and resolves when it has met the session there.
   *
   * `funds`: what the account can pay with as the session opens. No fill that opens exposure costs more than is left of
   * the funds, fee included: a market order is cut to what can be paid, any other order is rejected, and the report
   * says what was missing.
   */
  advance(session: SessionData, funds: Funds): Promise<void>;
  /** Registers a listener that is called when there may be new reports; returns a function that removes it. */
  onReports(listener: () => void): () => void;
}
