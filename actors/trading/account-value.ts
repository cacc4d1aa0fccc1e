import { valueOf, type Money, type Price } from '../../events/decimal.ts';
import type { Prices } from './commands.ts';
import type { AccountState } from './state.ts';

export const markOf = (state: AccountState, ticker: string): Price => state.marks.get(ticker) ?? 0n;

/** Sales that are not settled yet. */
export const unsettledCash = (state: AccountState): Money =>
  state.unsettled.reduce((sum, { amount }) => sum + amount, 0n);

/** Cash, settled or not, and positions at their marks; `closes` go before the marks. */
export function totalValue(state: AccountState, closes?: Prices): Money {
  let value = state.cash + unsettledCash(state);
  for (const [ticker, { quantity }] of state.positions) {
    if (quantity !== 0n) value += valueOf(quantity, closes?.get(ticker) ?? markOf(state, ticker));
  }
  return value;
}
