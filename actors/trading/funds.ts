import { valueOf, type Money, type Price, type Quantity } from '../../events/decimal.ts';
import { markOf } from './account-value.ts';
import type { Funds } from './broker.ts';
import type { TradingPolicy } from './commands.ts';
import { withCollar } from './order-reserve.ts';
import type { AccountState } from './state.ts';

/**
 * What may be spent on new exposure: settled cash, less what open orders may cost, less what short positions tie up.
 * The real cost of an order is checked when it is filled (see `Funds`).
 */
export function freeFunds(state: AccountState, policy: TradingPolicy): Money {
  let free = state.cash - state.reservedAtLimit - withCollar(state.reservedAtMarket, policy);
  for (const ticker of state.shorts) {
    free -= collateralOf(state.positions.get(ticker)!.quantity, markOf(state, ticker));
  }
  return free;
}

/**
 * What a short position (a negative quantity) ties up: twice its value. Once, because its proceeds are in the cash and
 * will be needed to buy back; and once more as its collateral. So it costs as much of the free funds as a long position
 * of the same size.
 */
export const collateralOf = (short: Quantity, price: Price): Money => -2n * valueOf(short, price);

/**
 * What fills in the open session may cost. Open orders reserve nothing here, because they are the ones being filled.
 */
export function fundsOf(
  state: AccountState,
  { settlementSessions }: Pick<TradingPolicy, 'settlementSessions'>,
): Funds {
  return { cash: state.cash, salesSettle: settlementSessions === 0, marks: marksOfShorts(state) };
}

function marksOfShorts(state: AccountState): Funds['marks'] {
  if (state.shorts.size === 0) return NO_MARKS;
  const marks = new Map<string, Price>();
  for (const ticker of state.shorts) marks.set(ticker, markOf(state, ticker));
  return marks;
}

const NO_MARKS: Funds['marks'] = new Map();
