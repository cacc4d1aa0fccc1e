import { z } from 'zod';
import { MoneyText, PriceText, QuantityText, RatioText } from '../decimal.ts';
import { defineEvent } from '../define.ts';

/** Each account has one stream and one writer: what was ordered, filled and paid, and the state of the engine. */
export const accountStream = (account: string): string => `account-${account}`;

/** A day of the market, `YYYY-MM-DD`. The feed counts time in sessions, and a `day` order is good for one of them. */
export const SessionDate = z.iso.date();

export const OrderAction = z.enum(['buy', 'sell']);
export const OrderType = z.enum(['market', 'limit', 'stop', 'stop_limit']);
export const TimeInForce = z.enum(['day', 'gtc', 'ioc', 'fok']);
/**
 * Who placed an order. `close` is for an order by which the account closes a position, at a client's wish or for the
 * margin.
 */
export const OrderOrigin = z.enum(['client', 'strategy', 'close']);

const OrderId = z.string();

/** The position of a report among the broker's reports. It is opaque; after a restart the reports after it are read. */
const Cursor = z.string();

/** Fields that every event of an order has, so that a subscriber need not look them up. */
const ofOrder = { order_id: OrderId, ticker: z.string() };

/** How far a stop stays behind the best price: an amount a share, or hundredths of that price. */
export const Trail = z.union([
  z.strictObject({ amount: PriceText }),
  z.strictObject({ percent: z.string().regex(/^\d{1,2}(\.\d{1,6})?$/) }),
]);

/** The exits that close each fill of an order again: with a profit, or to limit a loss. */
export const Bracket = z.strictObject({
  take_profit: PriceText.nullable(),
  stop_loss: PriceText.nullable(),
  /**
   * The trail of the stop, if it follows the price. Without a `stop_loss` the stop begins at this distance from the
   * fill's price.
   */
  trail: Trail.nullable(),
});

/** The terms of an order. */
export const ORDERED = {
  action: OrderAction,
  type: OrderType,
  quantity: QuantityText,
  price: PriceText.nullable(),
  stop_price: PriceText.nullable(),
  time_in_force: TimeInForce,
  /** The order never takes a position through zero: a fill is cut to what is held. */
  reduce_only: z.boolean(),
  /**
   * The first of a group of linked orders: a fill of one order reduces the others by as much. Missing for the first
   * one, and for an order without links.
   */
  linked_to: OrderId.optional(),
  /** How the stop follows the price; only stop orders may have it. */
  trail: Trail.optional(),
};

/** The terms of an open order that can be changed. */
const AMENDABLE = {
  quantity: QuantityText,
  price: PriceText.nullable(),
  stop_price: PriceText.nullable(),
};

export const AccountOpened = defineEvent('trading', 'AccountOpened', {
  account: z.string(),
  currency: z.string(),
  cash: MoneyText,
});

/**
 * The source of bars that the account uses from then on, for its sessions and its prices. Recorded once for each
 * account; accounts of earlier releases get this event at their next start.
 */
export const MarketSourceTaken = defineEvent('trading', 'MarketSourceTaken', { source: z.string() });

export const TradingStarted = defineEvent('trading', 'TradingStarted', {});

/** A short reason for moving cash. It is recorded unencrypted. */
export const CashReason = z
  .string()
  .regex(/^[A-Za-z0-9 ._:-]{1,64}$/, '1 to 64 of the characters A-Z a-z 0-9 space . _ : -');

/** Cash came in from outside or, if negative, left. It is no profit and no loss. */
export const CashMoved = defineEvent('trading', 'CashMoved', {
  amount: MoneyText,
  reason: CashReason,
  client_cash_id: z
    .string()
    .regex(/^[A-Za-z0-9._:-]{1,64}$/)
    .nullable(),
  /** The last opened session; `null` before the first one. */
  session: SessionDate.nullable(),
  /**
   * This event takes back a movement whose client was told that it could not be recorded. The client's id for it is
   * free again.
   */
  takes_back: z.literal(true).optional(),
});

/** An operator has stopped trading. Open orders that could open exposure are cancelled with it. */
export const TradingStopped = defineEvent('trading', 'TradingStopped', {});

/**
 * The engine halted trading by itself: only closing orders are allowed. A halt for a daily loss ends when the next
 * session opens (`TradingResumed`); any other halt ends when somebody starts trading and its cause is gone.
 */
export const TradingHalted = defineEvent('trading', 'TradingHalted', {
  reason: z.enum(['daily_loss', 'discrepancy', 'no_equity']),
  detail: z.string(),
});

/** The session after a daily loss has begun, so the halt ends. */
export const TradingResumed = defineEvent('trading', 'TradingResumed', { session: SessionDate });

/** An operator has paused the clock of a replay, resumed it, or set its speed. */
export const ClockSet = defineEvent('trading', 'ClockSet', {
  /** While true, a session comes only when somebody asks for it. */
  paused: z.boolean(),
  /** Sessions a second; `null` while no command has set it: then the speed of the settings counts. */
  speed: z.number().nullable(),
});

const StrategyName = z.string();
/** The parameters by name. The strategy's file declares them. */
const StrategyParameters = z.record(z.string(), z.number());
/** The strategy's own reason for its decision. */
const StrategyReason = z.string().max(200).nullable();

/**
 * An order is intended. This is recorded before it is sent to a broker. Prices are those in effect (the `price` of a
 * market order is a hint).
 */
export const OrderSubmitted = defineEvent(
  'trading',
  'OrderSubmitted',
  {
    ...ofOrder,
    client_order_id: z.string().nullable(),
    ...ORDERED,
    bracket: Bracket.optional(),
    /** The order that has the bracket of which this order is an exit. */
    exit_of: OrderId.optional(),
    origin: OrderOrigin,
    /** SHA-256 of the weights of the model whose predictions the strategy used; `null` if it used none. */
    weights: z.string().nullable(),
    /**
     * The operator's own strategy that decided on the order, with its file and parameters; missing if there was none.
     */
    strategy: z
      .strictObject({
        name: StrategyName,
        hash: z.string(),
        parameters: StrategyParameters,
        reason: StrategyReason,
      })
      .optional(),
    /** The time that the client stated. */
    client_timestamp: z.string().nullable(),
    /** The last opened session; `null` before the first one. */
    session: SessionDate.nullable(),
    /** The last price when the order was decided on. Its reserve is calculated from it. */
    reference_price: PriceText,
  },
  {
    version: 2,
    // Some events of version 1 were written by a release that had the field already, if a model was used.
    upcasts: { 1: (data) => ({ weights: null, ...data }) },
  },
);

/**
 * The client was told that the order could not be recorded, and no broker has received it: the order counts as never
 * placed.
 */
export const OrderWithdrawn = defineEvent('trading', 'OrderWithdrawn', ofOrder);

/** The broker did not answer in time. Until it is asked again, nobody knows whether it has the order. */
export const OrderDeliveryUnknown = defineEvent('trading', 'OrderDeliveryUnknown', ofOrder);

export const OrderAccepted = defineEvent('trading', 'OrderAccepted', { ...ofOrder, cursor: Cursor });

/**
 * Here and in `OrderCancelled`, `cursor` is null in events of an earlier release, which did not wait for the broker's
 * report.
 */
export const OrderRejected = defineEvent('trading', 'OrderRejected', {
  ...ofOrder,
  reason: z.string(),
  cursor: Cursor.nullable(),
});

/** A stop price was reached: a stop-limit order works as a limit order from now on. */
export const OrderTriggered = defineEvent('trading', 'OrderTriggered', { ...ofOrder, cursor: Cursor });

export const OrderFilled = defineEvent('trading', 'OrderFilled', {
  ...ofOrder,
  /** The broker's id of the trade: each trade is booked once. */
  trade_id: z.string(),
  action: OrderAction,
  quantity: QuantityText,
  price: PriceText,
  fee: MoneyText,
  session: SessionDate,
  /** The number of session openings until the cash of a sale is settled; 0: at once. */
  settles_after: z.int().nonnegative().default(0),
  cursor: Cursor,
});

/** Why an order is to be cancelled, if no client asked for it. */
export const CancelReason = z.enum([
  'trading_stopped',
  'trading_halted',
  'strategy_stopped',
  'strategy_halted',
  'position_closed',
  'split',
]);

export const OrderCancelRequested = defineEvent('trading', 'OrderCancelRequested', {
  ...ofOrder,
  reason: CancelReason.optional(),
});
export type CancelReason = z.output<typeof CancelReason>;

export const OrderCancelled = defineEvent('trading', 'OrderCancelled', {
  ...ofOrder,
  reason: z.string(),
  cursor: Cursor.nullable(),
});

/** A change of an open order was requested; a fill may still come first. */
export const OrderAmendRequested = defineEvent('trading', 'OrderAmendRequested', {
  ...ofOrder,
  /** The amendments of an order are numbered from 1. */
  amendment: z.int().positive(),
  ...AMENDABLE,
});

export const AmendReason = z.enum(['requested', 'linked', 'trail']);

/**
 * An open order now has these terms. `requested`: the account's amendment was granted; `linked`: a linked order was
 * filled in part; `trail`: its stop has followed the price.
 */
export const OrderAmended = defineEvent('trading', 'OrderAmended', {
  ...ofOrder,
  ...AMENDABLE,
  reason: AmendReason,
  /** The number of the amendment that was granted. */
  amendment: z.int().positive().optional(),
  cursor: Cursor,
});

export const OrderExpired = defineEvent('trading', 'OrderExpired', { ...ofOrder, cursor: Cursor });

/** A split changed an open order to these terms. */
export const OrderAdjusted = defineEvent('trading', 'OrderAdjusted', {
  ...ofOrder,
  quantity: QuantityText,
  filled_quantity: QuantityText,
  price: PriceText.nullable(),
  stop_price: PriceText.nullable(),
  trail: Trail.optional(),
  bracket: Bracket.optional(),
  /** A requested amendment that the broker has not received yet. */
  amending: z.strictObject(AMENDABLE).optional(),
});

/** The records of broker and account differ: only closing orders are allowed until this is settled. */
export const DiscrepancyFound = defineEvent('trading', 'DiscrepancyFound', {
  kind: z.enum(['overfill', 'unknown_order', 'position', 'late_report']),
  order_id: OrderId.nullable(),
  ticker: z.string().nullable(),
  detail: z.string(),
  cursor: Cursor.nullable(),
});

/**
 * The positions of broker and account are equal again, so earlier discrepancies no longer keep trading from being
 * started.
 */
export const DiscrepanciesSettled = defineEvent('trading', 'DiscrepanciesSettled', {
  count: z.int().positive(),
});

/** A session has opened. Cash of sales that is due settles. */
export const SessionOpened = defineEvent('trading', 'SessionOpened', { session: SessionDate });

/**
 * A split is applied to a position once, at the opening of its ex-date. `quantity` and `cost` are the values after
 * the split.
 */
export const SplitApplied = defineEvent('trading', 'SplitApplied', {
  ticker: z.string(),
  session: SessionDate,
  /** New shares per old share. */
  ratio: RatioText,
  quantity: QuantityText,
  cost: MoneyText,
  /** The payment for the fraction of a share that was cut off. */
  cash_in_lieu: MoneyText,
  /** The profit of that fraction. */
  realized: MoneyText,
});

/** A dividend was booked at the opening of its ex-date. It is negative for a short position, which owes it. */
export const DividendPaid = defineEvent('trading', 'DividendPaid', {
  ticker: z.string(),
  session: SessionDate,
  per_share: PriceText,
  quantity: QuantityText,
  amount: MoneyText,
});

/**
 * The cost of borrowing shares for short positions since the last close. They were worth `value` then, and `days`
 * calendar days have passed.
 */
export const BorrowCharged = defineEvent('trading', 'BorrowCharged', {
  ticker: z.string(),
  session: SessionDate,
  days: z.int().positive(),
  quantity: QuantityText,
  value: MoneyText,
  amount: MoneyText,
});

/** The account is worth less than its short positions require: the orders that buy them back follow. */
export const MarginCalled = defineEvent('trading', 'MarginCalled', {
  session: SessionDate,
  value: MoneyText,
  short: MoneyText,
  required: MoneyText,
});

/**
 * A ticker no longer trades: its position is closed at its last price, without a fee, because the market data does not
 * say what a holder really got. The figures are those of the position before; the amount is negative for a short
 * position.
 */
export const PositionSettled = defineEvent('trading', 'PositionSettled', {
  ticker: z.string(),
  session: SessionDate,
  /** The last day on which the ticker traded. */
  last_traded: SessionDate,
  quantity: QuantityText,
  price: PriceText,
  amount: MoneyText,
});

/** A session has closed: the marks of the positions, and the value of the account at these marks. */
export const SessionClosed = defineEvent('trading', 'SessionClosed', {
  session: SessionDate,
  closes: z.record(z.string(), PriceText),
  cash: MoneyText,
  total_value: MoneyText,
});

/**
 * A strategy of the operator is in use from now on: its file, the SHA-256 of all its files, and its parameters. The
 * event is recorded again when one of these has changed; for a halted strategy only once it is started.
 */
export const StrategyTaken = defineEvent('trading', 'StrategyTaken', {
  strategy: StrategyName,
  source: z.string(),
  hash: z.string(),
  parameters: StrategyParameters,
  /**
   * The share of the account's value that the strategy begins with, as a sub-account; `null`: it has the whole account.
   */
  share: z.number().nullable(),
  /** The capital that the strategy begins with; `null` if it has the whole account. */
  capital: MoneyText.nullable(),
});

/** The unit in which a target is given. */
export const TargetKind = z.enum(['weight', 'quantity', 'value']);

/** The stop that closes a strategy's position if the price turns against it. */
export const Protection = z.strictObject({ stop: PriceText.nullable(), trail: Trail.nullable() });

/** A position that a strategy wants to have. */
const StandingTarget = z.strictObject({
  ticker: z.string(),
  by: TargetKind,
  amount: z.number(),
  protection: Protection.optional(),
  /** The share of the target that the position may differ by. Missing: none. */
  tolerance: z.number().optional(),
  /**
   * The target in shares, calculated with the close of the session in which it was given; `null` until the ticker
   * trades.
   */
  quantity: QuantityText.nullable(),
  reason: StrategyReason,
});

/** An order that a strategy decided on. Its id is derived from the strategy, the session and the order's index. */
export const DecidedOrder = z.strictObject({
  ticker: z.string(),
  ...ORDERED,
  bracket: Bracket.optional(),
  /**
   * The stop price that the trailing stop had reached which this order replaces. The new stop begins no farther from
   * the price.
   */
  trails_from: PriceText.optional(),
  reason: StrategyReason,
});

/** A change of an open order that a strategy decided on. */
export const DecidedAmendment = z.strictObject({
  order_id: OrderId,
  quantity: QuantityText.nullable(),
  price: PriceText.nullable(),
  stop_price: PriceText.nullable(),
});

/**
 * What a strategy wanted after a session, how much of it was reached, and why not more. Its orders follow as events of
 * their own.
 */
export const StrategyDecided = defineEvent('trading', 'StrategyDecided', {
  strategy: StrategyName,
  session: SessionDate,
  /** All standing targets: those given in this session, and earlier ones that are not reached yet. */
  targets: z.array(StandingTarget),
  orders: z.array(DecidedOrder),
  /** The ids of the strategy's open orders that this decision cancels. */
  cancels: z.array(OrderId),
  /**
   * The strategy's open orders that this decision changes; missing if there are none. Terms that stay as they are have
   * `null`.
   */
  amends: z.array(DecidedAmendment).optional(),
  /** The parts of targets that are not reached in this session. */
  unmet: z.array(
    z.strictObject({
      ticker: z.string(),
      reason: z.string(),
      wanted: QuantityText.nullable(),
      got: QuantityText,
    }),
  ),
  /** The strategy's own figures, for charts. */
  plot: z.record(z.string(), z.number()),
  /** What the strategy remembers from now on. Missing if it has not changed. */
  state: z.json().optional(),
});

/** The account refused an order that a strategy had decided on, or a change of one. */
export const StrategyOrderRefused = defineEvent('trading', 'StrategyOrderRefused', {
  strategy: StrategyName,
  session: SessionDate,
  /** The index of the refused order among those of the session; `null` if an amendment was refused. */
  order: z.int().nonnegative().nullable(),
  /** The order that was to be changed. */
  order_id: OrderId.optional(),
  ticker: z.string(),
  reason: z.string(),
});

/** A strategy failed and is asked no more; other strategies and orders by hand go on. */
export const StrategyHalted = defineEvent('trading', 'StrategyHalted', {
  strategy: StrategyName,
  session: SessionDate.nullable(),
  detail: z.string(),
  /** Where the strategy failed, as far as this is known. */
  file: z.string().nullable(),
  line: z.int().nullable(),
});

/** An operator stopped the strategy: it is not asked until it is started again. */
export const StrategyStopped = defineEvent('trading', 'StrategyStopped', { strategy: StrategyName });

/** An operator started the strategy: it is asked again from the next session on. */
export const StrategyStarted = defineEvent('trading', 'StrategyStarted', { strategy: StrategyName });
