import { abs, type Quantity } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { OrderAction } from './broker.ts';
import { exposingOrders } from './open-orders.ts';
import type { AccountState, OrderState, StrategyState } from './state.ts';

/** Tells the tickers that a strategy may not buy on the day of a session. What it holds of them it may only reduce. */
export type IsOut = (ticker: string) => boolean;

/** Without a universe everything may be bought. */
const NOTHING_IS: IsOut = () => false;

export function outOfUniverse({ universe }: Pick<SessionData, 'universe'>): IsOut {
  if (universe === undefined) return NOTHING_IS;
  const members = new Set(universe);
  return (ticker) => !members.has(ticker);
}

/** Open orders of a strategy that would open exposure in what has left the universe. */
export const openingOutside = (state: AccountState, name: string, isOut: IsOut): readonly OrderState[] =>
  isOut === NOTHING_IS
    ? []
    : exposingOrders(state).filter(
        ({ strategy, ticker, cancelRequested }) => strategy === name && isOut(ticker) && !cancelRequested,
      );

/** The part of a position that its target leaves unchanged. */
export function keptOf(held: Quantity, target: Quantity): Quantity {
  if (held > 0n !== target > 0n) return 0n;
  return abs(held) < abs(target) ? held : target;
}

/** Cuts orders outside the universe to what they close; several of one answer close each share once. */
export function closingOnly({ holdings }: Pick<StrategyState, 'holdings'>, isOut: IsOut) {
  const left = new Map<string, Quantity>();
  return (ticker: string, action: OrderAction, asked: Quantity, isLinked: boolean): Quantity => {
    if (!isOut(ticker)) return asked;
    const held = left.get(ticker) ?? holdings.get(ticker)?.quantity ?? 0n;
    const closable = action === 'sell' ? held : -held;
    const closing = closable <= 0n ? 0n : asked < closable ? asked : closable;
    // Of linked orders, only one is filled.
    if (!isLinked) left.set(ticker, action === 'sell' ? held - closing : held + closing);
    return closing;
  };
}
