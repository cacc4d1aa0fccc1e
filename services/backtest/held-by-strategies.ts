import { abs, mulDiv, type Quantity, type Ratio } from '../../events/decimal.ts';

/**
 * The shares that an own strategy holds of a ticker; the strategy is `null` for shares that were ordered by hand or by
 * a built-in strategy.
 */
interface Held {
  readonly strategy: string | null;
  /** Negative for a short position. */
  readonly quantity: Quantity;
}

/**
 * How many shares of one ticker each own strategy holds, from its fills. With it a position that closes without an
 * order, by a settlement, is attributed to its strategies.
 */
export class HeldByStrategies {
  readonly #held = new Map<string, Quantity>();

  fill(strategy: string | null, quantity: Quantity): void {
    if (strategy !== null) this.#held.set(strategy, (this.#held.get(strategy) ?? 0n) + quantity);
  }

  split({ numerator, denominator }: Ratio): void {
    for (const [strategy, quantity] of this.#held) {
      this.#held.set(strategy, mulDiv(quantity, numerator, denominator));
    }
  }

  /**
   * Closes the whole position and returns the holdings of each. As in the account, sales by hand were taken from the
   * strategies in the order of their names.
   */
  closeAll(position: Quantity): readonly Held[] {
    const holders = [...this.#held]
      .filter(([, quantity]) => quantity !== 0n && quantity > 0n === position > 0n)
      .sort(([one], [other]) => (one < other ? -1 : 1));
    this.#held.clear();
    let excess = holders.reduce((sum, [, quantity]) => sum + abs(quantity), 0n) - abs(position);
    const closed: Held[] = [];
    for (const [strategy, quantity] of holders) {
      const taken = excess <= 0n ? 0n : excess < abs(quantity) ? excess : abs(quantity);
      excess -= taken;
      const left = abs(quantity) - taken;
      if (left > 0n) closed.push({ strategy, quantity: position > 0n ? left : -left });
    }
    const others = position - closed.reduce((sum, { quantity }) => sum + quantity, 0n);
    return others === 0n ? closed : [...closed, { strategy: null, quantity: others }];
  }
}
