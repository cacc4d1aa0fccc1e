import { added } from '../../events/added.ts';
import { valueOf, type Money, type Price } from '../../events/decimal.ts';
import type { Prices } from './commands.ts';
import type { AccountState } from './state.ts';

export const markOf = (state: AccountState, ticker: string): Price => state.marks.get(ticker) ?? 0n;

/** The sum of sales that are not settled yet. */
export function unsettledCash({ unsettled }: AccountState): Money {
  let sum = 0n;
  for (const { amount } of unsettled) sum += amount;
  return sum;
}

/** Cash, settled or not. The check for zero saves time: adding zero to a bigint makes a new one. */
export const wholeCash = (state: AccountState): Money =>
  state.unsettled.length === 0 ? state.cash : state.cash + unsettledCash(state);

/** Cash, settled or not, and positions at their marks. */
export function totalValue(state: AccountState): Money {
  if (state.worth !== null) return state.worth;
  let value = wholeCash(state);
  for (const ticker of state.positions.keys()) {
    const { quantity } = state.positions.get(ticker)!;
    if (quantity !== 0n) value += valueOf(quantity, markOf(state, ticker));
  }
  return value;
}

const NONE: readonly (readonly [ticker: string, close: Price])[] = [];

/** The account's value at the closes of a session, and the new marks: the closes of the tickers that it holds. */
export function valueAt(
  closes: Prices,
  state: AccountState,
): { readonly value: Money; readonly marks: readonly (readonly [ticker: string, close: Price])[] } {
  let marks: (readonly [string, Price])[] | undefined;
  let value = wholeCash(state);
  // Iterates over the keys, because iterating over the entries makes an array for each.
  for (const ticker of state.positions.keys()) {
    const { quantity } = state.positions.get(ticker)!;
    if (quantity === 0n) continue;
    const close = closes.get(ticker);
    if (close !== undefined) marks = added(marks, [ticker, close]);
    value += valueOf(quantity, close ?? markOf(state, ticker));
  }
  return { value, marks: marks ?? NONE };
}
