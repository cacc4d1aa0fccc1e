import { moneyNumber, ONE_SHARE } from '../../events/decimal.ts';
import type { StrategyView } from '../strategy/strategy.ts';
import { totalValue } from './account-value.ts';
import { freeFunds } from './funds.ts';
import type { TradingPolicy } from './commands.ts';
import type { AccountState } from './state.ts';

const UNIT = Number(ONE_SHARE);

/**
 * What a strategy may know of the account: the positions that it opened itself. Its cash is what may be spent: settled, and
 * not reserved by open orders. Each part is computed when it is first read, because in most sessions none is.
 */
export const viewForStrategy = (state: AccountState, policy: TradingPolicy): StrategyView =>
  new AccountView(state, policy);

class AccountView implements StrategyView {
  readonly #state: AccountState;
  readonly #policy: TradingPolicy;
  #positions: StrategyView['positions'] | undefined;
  #working: StrategyView['working'] | undefined;
  #totalValue: number | undefined;
  #cash: number | undefined;

  constructor(state: AccountState, policy: TradingPolicy) {
    this.#state = state;
    this.#policy = policy;
  }

  get positions(): StrategyView['positions'] {
    return (this.#positions ??= ownPositions(this.#state));
  }

  get working(): StrategyView['working'] {
    return (this.#working ??= new Set(this.#state.books.keys()));
  }

  get totalValue(): number {
    return (this.#totalValue ??= moneyNumber(totalValue(this.#state)));
  }

  get cash(): number {
    return (this.#cash ??= moneyNumber(freeFunds(this.#state, this.#policy)));
  }
}

function ownPositions({ positions }: AccountState): ReadonlyMap<string, number> {
  const own = new Map<string, number>();
  for (const [ticker, { ofStrategy }] of positions) {
    if (ofStrategy !== 0n) own.set(ticker, Number(ofStrategy) / UNIT);
  }
  return own;
}
