import {
  moneyText,
  mulDiv,
  parseQuantity,
  priceText,
  quantityText,
  valueOf,
  type Price,
  type Quantity,
  type Ratio,
  ratioText,
  parseRatio,
  priceOf,
} from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { isEmpty } from '../../events/is-empty.ts';
import type { SessionData } from '../../events/messages/market.ts';
import {
  NO_DRAFTS,
  type AccountData,
  type AccountDraft,
  type CommandOf,
  type Drafts,
  type TradingPolicy,
} from './commands.ts';
import type { Decided, ExactClose } from './exact-close.ts';
import { haltOnLoss, haltOnNothing, resume } from './halt.ts';
import { markOf, valueAt } from './account-value.ts';
import { heldOf } from './position.ts';
import { callMargin, chargeBorrowing } from './short-positions.ts';
import type { AccountState, OrderState, PositionState } from './state.ts';
import { splitOrder, splitPriceText, splitShares } from '../paper-broker/share-split.ts';
import { splitTrail } from './trail.ts';
import { requestCancels } from './cancel-order.ts';

/**
 * Opens a session: cash that is due settles, borrowing for short positions is charged, splits change positions and open
 * orders, dividends of the ex-date are booked, and tickers that no longer trade are settled at their last price. A
 * dividend is booked after a split of the same day, because it is per share as it trades now. A halt for the loss of
 * the session before ends. Gives no events for a session that is or was open.
 */
export function openSession(opened: SessionData, state: AccountState, policy: TradingPolicy): Drafts {
  const { date: session, splits, dividends, gone = NONE } = opened;
  if (state.session !== null && session <= state.session) return NO_DRAFTS;
  const drafts: AccountDraft[] = [{ type: 'SessionOpened', data: { session } }];
  // Mostly nothing follows, and a loop over nothing is faster than spreading it.
  for (const draft of resume(state, session)) drafts.push(draft);
  for (const draft of chargeBorrowing(session, state, policy)) drafts.push(draft);
  if (isEmpty(splits) && isEmpty(dividends) && isEmpty(gone)) return drafts;
  drafts.push(...actions(opened, state, policy));
  return drafts;
}

/** What splits, dividends, and tickers that no longer trade change in the account. */
function actions(
  { date: session, bars, splits, dividends, gone = NONE }: SessionData,
  state: AccountState,
  policy: TradingPolicy,
): Drafts {
  const drafts: AccountDraft[] = [];
  const quantities = new Map<string, Quantity>();
  const ratios = new Map(Object.entries(splits).map(([ticker, text]) => [ticker, parseRatio(text)]));
  for (const [ticker, ratio] of ratios) {
    const held = state.positions.get(ticker);
    if (held !== undefined && held.quantity !== 0n) {
      const open = bars[ticker]?.open;
      const price = open === undefined ? undefined : priceOf(open);
      const after = splitPosition(held, ratio, policy, { open: price, mark: state.marks.get(ticker) });
      quantities.set(ticker, parseQuantity(after.quantity));
      drafts.push({ type: 'SplitApplied', data: { ticker, session, ...after } });
    }
    drafts.push(...adjustOrders(state.books.get(ticker)?.orders ?? [], ratio, policy.lot));
  }
  const quantityOf = (ticker: string): Quantity => quantities.get(ticker) ?? heldOf(state, ticker);
  for (const [ticker, perShare] of Object.entries(dividends)) {
    const quantity = quantityOf(ticker);
    if (quantity === 0n) continue;
    const price = priceOf(perShare);
    drafts.push({
      type: 'DividendPaid',
      data: { ticker, session, per_share: priceText(price), ...valued(quantity, price) },
    });
  }
  for (const [ticker, lastTraded] of Object.entries(gone)) {
    const quantity = quantityOf(ticker);
    const price = afterSplit(markOf(state, ticker), ratios.get(ticker));
    if (quantity === 0n) continue;
    drafts.push({
      type: 'PositionSettled',
      data: { ticker, session, last_traded: lastTraded, price: priceText(price), ...valued(quantity, price) },
    });
  }
  return drafts;
}

const NONE: NonNullable<SessionData['gone']> = {};

const afterSplit = (price: Price, ratio: Ratio | undefined): Price =>
  ratio === undefined ? price : mulDiv(price, ratio.denominator, ratio.numerator);

/** A quantity and its value. */
const valued = (quantity: Quantity, price: Price) => ({
  quantity: quantityText(quantity),
  amount: moneyText(valueOf(quantity, price)),
});

/**
 * Closes a session: sets the marks and the account's value. If the value is too low for the short positions, they are
 * bought back. A loss at the limit since the last close halts active trading. Gives no events for a session that is
 * closed already.
 *
 * @throws {BelegError} `INTERNAL` for a session that is not open.
 */
export function closeSession(
  { session, closes }: CommandOf<'close-session'>,
  state: AccountState,
  policy: TradingPolicy,
): readonly Decided[] {
  if (state.closedSession !== null && session <= state.closedSession) return [];
  if (session !== state.session) {
    throw new BelegError('INTERNAL', { detail: `the session ${session} is not open` });
  }
  const { value, marks } = valueAt(closes, state);
  const closed: ExactClose = {
    type: 'SessionClosed',
    exact: { session, closes: marks, cash: state.cash, total_value: value },
  };
  const margin = callMargin(session, value, closes, state, policy);
  const halted = value <= 0n ? haltOnNothing(state, value) : haltOnLoss(state, value, policy);
  return margin.length + halted.length === 0
    ? [closed]
    : [closed, ...margin, ...withoutRepeatedCancels(halted, margin)];
}

/** Leaves out cancellations of orders that are being cancelled for the margin already. */
const withoutRepeatedCancels = (drafts: Drafts, before: Drafts): Drafts =>
  drafts.filter(
    ({ type, data }) =>
      type !== 'OrderCancelRequested' ||
      !before.some((one) => one.type === type && one.data.order_id === data.order_id),
  );

/**
 * A position after a split: rounded to whole lots toward zero. The fraction is paid out at the opening price (without
 * one, at the last price by the ratio), and takes its share of the cost along; the difference is realized. The fraction
 * is exact: each amount is rounded once, in the 16th decimal place.
 */
function splitPosition(
  { quantity, cost }: PositionState,
  ratio: Ratio,
  { lot }: TradingPolicy,
  { open, mark }: { readonly open: Price | undefined; readonly mark: Price | undefined },
): Omit<AccountData<'SplitApplied'>, 'ticker' | 'session'> {
  const { numerator, denominator } = ratio;
  const kept = splitShares(quantity, ratio, lot);
  // Shares multiplied by the denominator, so that nothing is rounded yet.
  const whole = quantity * numerator;
  const cut = whole - kept * denominator;
  const cashInLieu = open === undefined ? mulDiv(cut, mark ?? 0n, numerator) : mulDiv(cut, open, denominator);
  const keptCost = mulDiv(cost, kept * denominator, whole);
  return {
    ratio: ratioText(ratio),
    quantity: quantityText(kept),
    cost: moneyText(keptCost),
    cash_in_lieu: moneyText(cashInLieu),
    realized: moneyText(cashInLieu - (cost - keptCost)),
  };
}

/** Adjusts open orders after a split, as the broker does. An order of which nothing is left is cancelled. */
function adjustOrders(orders: Iterable<OrderState>, ratio: Ratio, lot: Quantity): Drafts {
  return [...orders].flatMap((order): Drafts => {
    const after = splitOrder(order, ratio, lot);
    if (after === null) return requestCancels([order], 'split');
    const { order_id, ticker } = order;
    return [{ type: 'OrderAdjusted', data: { order_id, ticker, ...after, ...ofAccount(order, ratio, lot) } }];
  });
}

/** The parts of an order that only the account knows: its bracket, and an amendment that is not sent yet. */
function ofAccount({ bracket, amending, filled, trail }: OrderState, ratio: Ratio, lot: Quantity) {
  const wished = amending && splitOrder({ ...amending, filled, ...(trail && { trail }) }, ratio, lot);
  return {
    ...(bracket && {
      bracket: {
        take_profit: splitPriceText(bracket.take_profit, ratio),
        stop_loss: splitPriceText(bracket.stop_loss, ratio),
        trail: bracket.trail && splitTrail(bracket.trail, ratio),
      },
    }),
    ...(wished && {
      amending: { quantity: wished.quantity, price: wished.price, stop_price: wished.stop_price },
    }),
  };
}
