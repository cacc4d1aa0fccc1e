import { z } from 'zod';
import { MoneyText, PriceText, QuantityText, RatioText } from '../decimal.ts';
import { defineEvent } from '../define.ts';
import { AmendReason, ORDERED, SessionDate, Trail } from './trading.ts';

/**
 * The stream of the paper broker's own order book. The broker does not read the account's stream, and the account does
 * not write to this one.
 */
export const paperBrokerStream = (account: string): string => `paper-broker-${account}`;

const OrderId = z.string();

export const PaperOrderAccepted = defineEvent('broker', 'PaperOrderAccepted', {
  order_id: OrderId,
  ticker: z.string(),
  ...ORDERED,
});

export const PaperOrderRejected = defineEvent('broker', 'PaperOrderRejected', {
  order_id: OrderId,
  reason: z.string(),
});

export const PaperOrderTriggered = defineEvent('broker', 'PaperOrderTriggered', {
  order_id: OrderId,
  session: SessionDate,
});

export const PaperTradeExecuted = defineEvent('broker', 'PaperTradeExecuted', {
  order_id: OrderId,
  trade_id: z.string(),
  quantity: QuantityText,
  price: PriceText,
  fee: MoneyText,
  session: SessionDate,
});

/** An order was cancelled. If it has not arrived yet, the broker will no longer accept it. */
export const PaperOrderCancelled = defineEvent('broker', 'PaperOrderCancelled', {
  order_id: OrderId,
  /** `requested`, `amended`, `linked`, `ioc`, `fok`, `reduce_only`, `split`, or what was missing to pay for it. */
  reason: z.string(),
});

/** An open order now has these terms. */
export const PaperOrderAmended = defineEvent('broker', 'PaperOrderAmended', {
  order_id: OrderId,
  quantity: QuantityText,
  price: PriceText.nullable(),
  stop_price: PriceText.nullable(),
  reason: AmendReason,
  /** The number of the amendment that was granted. */
  amendment: z.int().positive().optional(),
});

export const PaperOrderExpired = defineEvent('broker', 'PaperOrderExpired', {
  order_id: OrderId,
  session: SessionDate,
});

/**
 * A split was applied: the broker's position of the ticker afterwards. Its open orders follow as `PaperOrderAdjusted`.
 */
export const PaperSplitApplied = defineEvent('broker', 'PaperSplitApplied', {
  ticker: z.string(),
  ratio: RatioText,
  quantity: QuantityText,
  session: SessionDate,
});

/** A ticker no longer trades: the broker's position in it is closed, and its open orders expire. */
export const PaperPositionSettled = defineEvent('broker', 'PaperPositionSettled', {
  ticker: z.string(),
  session: SessionDate,
});

export const PaperOrderAdjusted = defineEvent('broker', 'PaperOrderAdjusted', {
  order_id: OrderId,
  quantity: QuantityText,
  filled_quantity: QuantityText,
  price: PriceText.nullable(),
  stop_price: PriceText.nullable(),
  trail: Trail.optional(),
});

/**
 * What the account can pay with. This is recorded before the first fill of a session, so that a crash between two fills
 * does not change it.
 */
export const PaperFundsStated = defineEvent('broker', 'PaperFundsStated', {
  session: SessionDate,
  cash: MoneyText,
  /** Whether the proceeds of a sale can be spent in the same session. */
  sales_settle: z.boolean(),
  /** Prices of short positions. */
  marks: z.record(z.string(), PriceText),
});

/**
 * All open orders have met the bars of this session; each session is matched once. Of several sessions without events
 * only the last one is recorded, if any.
 */
export const PaperSessionMatched = defineEvent('broker', 'PaperSessionMatched', { session: SessionDate });
