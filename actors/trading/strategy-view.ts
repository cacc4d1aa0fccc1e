import { moneyNumber, quantityNumber } from '../../events/decimal.ts';
import type { StrategyView } from '../strategy/strategy.ts';
import { totalValue } from './account-value.ts';
import { freeFunds } from './funds.ts';
import type { TradingPolicy } from './commands.ts';
import type { AccountState } from './state.ts';

/**
 * What a strategy may know of the account: the positions that it opened itself, and the cash that may be spent
 * (settled, and not reserved by open orders). Each part is calculated when it is read, because in most sessions none is
 * read. It must be read before the account changes.
 */
export const viewForStrategy = (state: AccountState, policy: TradingPolicy): StrategyView =>
  new AccountView(state, policy);

class AccountView implements StrategyView {
  readonly #state: AccountState;
  readonly #policy: TradingPolicy;

  constructor(state: AccountState, policy: TradingPolicy) {
    this.#state = state;
    this.#policy = policy;
  }

  get positions(): StrategyView['positions'] {
    return new OwnPositions(this.#state);
  }

  get working(): StrategyView['working'] {
    return this.#state.books;
  }

  get totalValue(): number {
    return moneyNumber(totalValue(this.#state));
  }

  get cash(): number {
    return moneyNumber(freeFunds(this.#state, this.#policy));
  }
}

class OwnPositions {
  readonly #positions: AccountState['positions'];

  constructor({ positions }: AccountState) {
    this.#positions = positions;
  }

  get(ticker: string): number | undefined {
    const own = this.#positions.get(ticker)?.ofStrategy ?? 0n;
    return own === 0n ? undefined : quantityNumber(own);
  }

  has(ticker: string): boolean {
    return this.get(ticker) !== undefined;
  }

  keys(): readonly string[] {
    return [...this.#positions.keys()].filter((ticker) => this.has(ticker));
  }
}
