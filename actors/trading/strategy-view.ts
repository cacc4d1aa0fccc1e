import { moneyNumber, ONE_SHARE } from '../../events/decimal.ts';
import type { StrategyView } from '../strategy/strategy.ts';
import { totalValue } from './account-value.ts';
import { freeFunds } from './funds.ts';
import type { TradingPolicy } from './commands.ts';
import type { AccountState } from './state.ts';

const UNIT = Number(ONE_SHARE);

/** What a strategy may know of the account: the positions that it opened itself. Its cash is what may be spent: settled, and not reserved by open orders. */
export function viewForStrategy(state: AccountState, policy: TradingPolicy): StrategyView {
  const positions = new Map<string, number>();
  for (const [ticker, { ofStrategy }] of state.positions) {
    if (ofStrategy !== 0n) positions.set(ticker, Number(ofStrategy) / UNIT);
  }
  return {
    positions,
    working: new Set(state.books.keys()),
    totalValue: moneyNumber(totalValue(state)),
    cash: moneyNumber(freeFunds(state, policy)),
  };
}
