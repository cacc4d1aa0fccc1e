import { abs, type Quantity } from '../../events/decimal.ts';
import type { SessionData } from '../../events/messages/market.ts';
import type { OrderAction } from './broker.ts';
import { exposingOrders } from './open-orders.ts';
import type { AccountState, OrderState, StrategyState } from './state.ts';

/** Whether a strategy may not buy a ticker on the day of a session. It may still sell its shares of the ticker. */
export type IsOut = (ticker: string) => boolean;

/** Without a universe everything may be bought. */
const NOTHING_IS: IsOut = () => false;

export function outOfUniverse({ universe }: Pick<SessionData, 'universe'>): IsOut {
  if (universe === undefined) return NOTHING_IS;
  const members = new Set(universe);
  return (ticker) => !members.has(ticker);
}

/** Open orders of a strategy that would open exposure in tickers that have left the universe. */
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

/** Cuts orders outside the universe to what they close. Several orders of one answer close each share only once. */
export function closingOnly({ holdings }: Pick<StrategyState, 'holdings'>, isOut: IsOut) {
  const left = new Map<string, Quantity>();
  return (ticker: string, action: OrderAction, asked: Quantity, isLinked: boolean): Quantity => {
    if (!isOut(ticker)) return asked;
    const held = left.get(ticker) ?? holdings.get(ticker)?.quantity ?? 0n;
    const closable = action === 'sell' ? held : -held;
    const closing = closable <= 0n ? 0n : asked < closable ? asked : closable;
    // Only one of linked orders is filled, so they do not add up.
    if (!isLinked) left.set(ticker, action === 'sell' ? held - closing : held + closing);
    return closing;
  };
}
