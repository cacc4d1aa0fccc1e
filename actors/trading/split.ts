import {
  moneyText,
  mulDiv,
  priceText,
  quantityText,
  ratioText,
  type Price,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';
import { splitPrice, splitShares } from '../paper-broker/split.ts';
import { requestCancels } from './cancel.ts';
import type { AccountData, AccountDraft } from './commands.ts';
import { leftOf, type OrderState, type PositionState } from './state.ts';

interface Split {
  readonly ticker: string;
  readonly session: string;
  /** New shares per old share. */
  readonly ratio: Ratio;
  readonly lot: Quantity;
  /** First price after the split, where there is one. */
  readonly open: Price | undefined;
  /** Last price before it. */
  readonly mark: Price | undefined;
}

/**
 * A position after a split: cut to whole lots toward zero. What is cut off is paid for, at the opening price (without
 * one, at the last price by the ratio), and takes its share of the cost along; the difference is realized. The
 * fraction is exact: each amount is rounded once, in the 16th decimal place.
 */
export function splitPosition(
  { quantity, cost }: PositionState,
  { ticker, session, ratio, lot, open, mark }: Split,
): { readonly quantity: Quantity; readonly event: AccountData<'SplitApplied'> } {
  const { numerator, denominator } = ratio;
  const kept = splitShares(quantity, ratio, lot);
  // In shares times the denominator, so that nothing is rounded yet.
  const whole = quantity * numerator;
  const cut = whole - kept * denominator;
  const cashInLieu = open === undefined ? mulDiv(cut, mark ?? 0n, numerator) : mulDiv(cut, open, denominator);
  const keptCost = mulDiv(cost, kept * denominator, whole);
  return {
    quantity: kept,
    event: {
      ticker,
      session,
      ratio: ratioText(ratio),
      quantity: quantityText(kept),
      cost: moneyText(keptCost),
      cash_in_lieu: moneyText(cashInLieu),
      realized: moneyText(cashInLieu - (cost - keptCost)),
    },
  };
}

/**
 * Open orders after a split, as the broker changes them too: what is filled and what is left are each cut to whole
 * lots, prices rounded to cents (below 1 to hundredths of one). Of which nothing is left, that is cancelled.
 */
export function adjustOrders(
  orders: Iterable<OrderState>,
  ratio: Ratio,
  lot: Quantity,
): readonly AccountDraft[] {
  const drafts: AccountDraft[] = [];
  const priceAfter = (price: Price | null): string | null =>
    price === null ? null : priceText(splitPrice(price, ratio));
  for (const order of orders) {
    const left = splitShares(leftOf(order), ratio, lot);
    const filled = splitShares(order.filled, ratio, lot);
    if (left === 0n) {
      drafts.push(...requestCancels([order]));
      continue;
    }
    drafts.push({
      type: 'OrderAdjusted',
      data: {
        order_id: order.order_id,
        ticker: order.ticker,
        quantity: quantityText(filled + left),
        filled_quantity: quantityText(filled),
        price: priceAfter(order.price),
        stop_price: priceAfter(order.stop_price),
      },
    });
  }
  return drafts;
}
