import type { z } from 'zod';
import { moneyNumber, mulDiv, parseQuantity, quantityNumber } from '../../events/decimal.ts';
import type { OwnStrategyView } from '../../events/messages/trading.ts';
import type { TradingPolicy } from './commands.ts';
import { totalValue } from './account-value.ts';
import { SCALE, scaled } from './sizing.ts';
import type { AccountState, StrategyState } from './state.ts';
import { accountShown, budgetOf } from './strategy-account.ts';

type View = z.output<typeof OwnStrategyView>;

/** How a strategy was named. */
type Named = Pick<View, 'source' | 'share'>;

/**
 * The operator's own strategies as clients see them: first those in use, then the others, each group sorted by name.
 */
export function viewOwnStrategies(
  state: AccountState,
  policy: TradingPolicy,
  inUse: ReadonlyMap<string, Named>,
): View[] {
  const known = state.strategies ?? new Map<string, StrategyState>();
  const starting = [...inUse].filter(([name]) => !known.has(name));
  return [
    ...starting.map(([name, named]) => viewStarting(state, name, named)),
    ...[...known].map(([name, strategy]) => viewOne(state, policy, name, strategy, inUse.has(name))),
  ].sort((one, other) => Number(other.in_use) - Number(one.in_use) || (one.name < other.name ? -1 : 1));
}

/** A new strategy that the account has not taken into use yet, because its service is still starting. */
const viewStarting = (state: AccountState, name: string, { source, share }: Named): View => ({
  name,
  source,
  in_use: true,
  hash: '',
  parameters: {},
  share,
  state: 'starting',
  fault: null,
  value: moneyNumber(mulDiv(totalValue(state), scaled(share ?? 1), SCALE)),
  cash: 0,
  positions: {},
  open_orders: [],
  last_decision: null,
});

function viewOne(
  state: AccountState,
  policy: TradingPolicy,
  name: string,
  strategy: StrategyState,
  in_use: boolean,
): View {
  const { source, hash, parameters, share, status, fault, place } = strategy;
  const { value, cash } = budgetOf(state, name, policy);
  const { positions, orders } = accountShown(state, name, policy);
  return {
    name,
    source,
    in_use,
    hash,
    parameters,
    share,
    // A strategy that is not in use is asked no more. On record it is still `running`, because nobody has stopped it.
    state: in_use || status !== 'running' ? status : 'stopped',
    fault: fault === null ? null : { detail: fault, file: place?.file ?? null, line: place?.line ?? null },
    value: moneyNumber(value),
    cash: moneyNumber(cash),
    positions: Object.fromEntries(
      Object.entries(positions).map(([ticker, { quantity, average_price, opened }]) => [
        ticker,
        { quantity, average_price, opened },
      ]),
    ),
    open_orders: orders.map(({ order_id }) => order_id),
    last_decision: decisionOf(strategy),
  };
}

function decisionOf({ session, targets, orders }: StrategyState): View['last_decision'] {
  if (session === null) return null;
  return {
    session,
    targets: targets.map(({ ticker, quantity, reason }) => ({
      ticker,
      quantity: quantity === null ? null : quantityNumber(quantity),
      reason,
    })),
    orders: orders.map(({ ticker, action, type, quantity, reason }) => ({
      ticker,
      action,
      type,
      quantity: quantityNumber(parseQuantity(quantity)),
      reason,
    })),
  };
}
