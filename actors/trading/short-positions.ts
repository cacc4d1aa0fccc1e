import { DAY_MS } from '../../events/dates.ts';
import { moneyText, mulDiv, quantityText, valueOf, type Money, type Price } from '../../events/decimal.ts';
import { close } from './close-position.ts';
import {
  NO_DRAFTS,
  orderId,
  type AccountDraft,
  type Drafts,
  type Prices,
  type TradingPolicy,
} from './commands.ts';
import { markOf } from './account-value.ts';
import { WHOLE_BPS } from './order-reserve.ts';
import type { AccountState } from './state.ts';

/** The days of a year by the convention of money markets. */
const YEAR_DAYS = 360n;

/** Charges the cost of borrowing for each calendar day since the last close, on the value at that close. */
export function chargeBorrowing(session: string, state: AccountState, { borrowBps }: TradingPolicy): Drafts {
  if (state.shorts.size === 0 || borrowBps === 0n || state.closedSession === null) return NO_DRAFTS;
  const drafts: AccountDraft[] = [];
  for (const [ticker, { quantity }] of state.positions) {
    if (quantity >= 0n) continue;
    const days = (Date.parse(session) - Date.parse(state.closedSession)) / DAY_MS;
    const value = valueOf(-quantity, markOf(state, ticker));
    const amount = mulDiv(value, borrowBps * BigInt(days), WHOLE_BPS * YEAR_DAYS);
    drafts.push({
      type: 'BorrowCharged',
      data: {
        ticker,
        session,
        days,
        quantity: quantityText(-quantity),
        value: moneyText(value),
        amount: moneyText(amount),
      },
    });
  }
  return drafts;
}

/**
 * Margin call: an account that is worth less than the required share of its short positions has to buy them back, at
 * the market, in the next session. Gives no events if all of them are being closed already.
 */
export const callMargin = (
  session: string,
  value: Money,
  closes: Prices,
  state: AccountState,
  policy: TradingPolicy,
): Drafts => (state.shorts.size === 0 ? NO_DRAFTS : callFor(session, value, closes, state, policy));

function callFor(
  session: string,
  value: Money,
  closes: Prices,
  state: AccountState,
  { maintenanceBps }: TradingPolicy,
): Drafts {
  const shorts: string[] = [];
  let short: Money = 0n;
  const priceAt = (ticker: string): Price => closes.get(ticker) ?? markOf(state, ticker);
  for (const [ticker, { quantity }] of state.positions) {
    if (quantity >= 0n) continue;
    shorts.push(ticker);
    short += valueOf(-quantity, priceAt(ticker));
  }
  const required = mulDiv(short, maintenanceBps, WHOLE_BPS);
  if (value >= required) return [];
  const open = shorts.filter((ticker) => !isBeingClosed(ticker, state));
  if (open.length === 0) return [];
  return [
    {
      type: 'MarginCalled',
      data: { session, value: moneyText(value), short: moneyText(short), required: moneyText(required) },
    },
    ...open.flatMap((ticker) =>
      close({ ticker, order_id: marginOrderId(state, session, ticker), last_price: priceAt(ticker) }, state),
    ),
  ];
}

/** The id of the order with which a margin call of this session buys a ticker back. */
export const marginOrderId = ({ account }: AccountState, session: string, ticker: string): string =>
  orderId(account ?? '', `margin/${session}/${ticker}`);

const isBeingClosed = (ticker: string, { books }: AccountState): boolean =>
  [...(books.get(ticker)?.orders ?? [])].some(
    ({ origin, action, cancelRequested }) => origin === 'close' && action === 'buy' && !cancelRequested,
  );
