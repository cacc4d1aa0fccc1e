import {
  abs,
  moneyNumber,
  perShareNumber,
  priceNumber,
  quantityNumber,
  valueOf,
  type Money,
} from '../../events/decimal.ts';
import type { StrategyAccount } from '../strategy/port.ts';
import { markOf, totalValue } from './account-value.ts';
import type { TradingPolicy } from './commands.ts';
import { freeFunds } from './funds.ts';
import { reserveOf } from './order-reserve.ts';
import type { AccountState, OrderState, StrategyState } from './state.ts';
import { saidTrail } from './trail.ts';

/** Its open orders, in the order of submission. */
export const ownOrders = ({ open }: AccountState, name: string): readonly OrderState[] =>
  open.size === 0 ? NO_ORDERS : [...open.values()].filter(({ strategy }) => strategy === name);

const NO_ORDERS: readonly OrderState[] = [];

/**
 * The value and the spendable funds of a strategy: those of the whole account, or those of the share that it began with
 * and has grown or shrunk since.
 */
export function budgetOf(
  state: AccountState,
  name: string,
  policy: TradingPolicy,
): { readonly value: Money; readonly cash: Money } {
  const { capital, holdings, income } = state.strategies!.get(name)!;
  const free = freeFunds(state, policy);
  if (capital === null) return { value: totalValue(state), cash: free };
  let value = capital + income;
  let cash = value;
  for (const [ticker, { quantity, cost, realized }] of holdings) {
    value += realized + valueOf(quantity, markOf(state, ticker)) - cost;
    cash += realized - abs(cost);
  }
  for (const order of ownOrders(state, name)) cash -= reserveOf(order);
  return { value, cash: cash < free ? cash : free };
}

/**
 * The account as it is shown to a strategy, in JSON's numbers; tickers are sorted by name, whatever the order of
 * events. Each member is worked out when it is read, because in most sessions none is: the state must not have changed by then.
 */
export const accountShown = (state: AccountState, name: string, policy: TradingPolicy): StrategyAccount =>
  new ShownAccount(state, name, policy);

class ShownAccount implements StrategyAccount {
  readonly #state: AccountState;
  readonly #name: string;
  readonly #policy: TradingPolicy;
  #known: ReturnType<typeof budgetOf> | undefined;
  #positions: StrategyAccount['positions'] | undefined;

  constructor(state: AccountState, name: string, policy: TradingPolicy) {
    this.#state = state;
    this.#name = name;
    this.#policy = policy;
  }

  get #budget(): ReturnType<typeof budgetOf> {
    return (this.#known ??= budgetOf(this.#state, this.#name, this.#policy));
  }

  get #strategy(): StrategyState {
    return this.#state.strategies!.get(this.#name)!;
  }

  get value(): number {
    return moneyNumber(this.#budget.value);
  }

  get cash(): number {
    return moneyNumber(this.#budget.cash);
  }

  get positions(): StrategyAccount['positions'] {
    return (this.#positions ??= positionsOf(this.#strategy));
  }

  get orders(): StrategyAccount['orders'] {
    return ownOrders(this.#state, this.#name).map(orderShown);
  }

  get trades(): StrategyAccount['trades'] {
    return tradesOf(this.#strategy);
  }

  toJSON(): StrategyAccount {
    const { value, cash, positions, orders, trades } = this;
    return { value, cash, positions, orders, trades };
  }
}

function positionsOf({ holdings }: StrategyState): StrategyAccount['positions'] {
  const positions: Record<string, StrategyAccount['positions'][string]> = {};
  for (const ticker of namesOf(holdings)) {
    const holding = holdings.get(ticker)!;
    if (holding.quantity !== 0n) positions[ticker] = positionShown(holding);
  }
  return positions;
}

type Holdings = StrategyState['holdings'];
type Holding = Holdings extends ReadonlyMap<string, infer Each> ? Each : never;

/** The sorted tickers of the holdings. None is ever removed, so they are sorted anew only where one came. */
const sorted = new WeakMap<Holdings, readonly string[]>();

function namesOf(holdings: Holdings): readonly string[] {
  const known = sorted.get(holdings);
  if (known?.length === holdings.size) return known;
  const names = [...holdings.keys()].sort();
  sorted.set(holdings, names);
  return names;
}

type Position = StrategyAccount['positions'][string];
type Shown = Pick<Holding, 'quantity' | 'cost' | 'opened' | 'high'> & { readonly position: Position };

/** Each holding as it was last shown. Most have not changed since, and an average price takes a division of integers. */
const shown = new WeakMap<Holding, Shown>();

function positionShown(holding: Holding): Position {
  const { quantity, cost, opened, high } = holding;
  const known = shown.get(holding);
  if (known?.quantity === quantity && known.cost === cost && known.opened === opened && known.high === high) {
    return known.position;
  }
  const position = Object.freeze({
    quantity: quantityNumber(quantity),
    average_price: perShareNumber(cost, quantity),
    opened,
    high: priceNumber(high),
  });
  shown.set(holding, { quantity, cost, opened, high, position });
  return position;
}

const orderShown = (order: OrderState): StrategyAccount['orders'][number] => ({
  order_id: order.order_id,
  ticker: order.ticker,
  action: order.action,
  type: order.type,
  quantity: quantityNumber(order.quantity),
  filled: quantityNumber(order.filled),
  price: order.price === null ? null : priceNumber(order.price),
  stop_price: order.stop_price === null ? null : priceNumber(order.stop_price),
  time_in_force: order.time_in_force,
  reduce_only: order.reduce_only,
  trail: order.trail === undefined ? null : saidTrail(order.trail),
  linked_to: order.linked_to ?? null,
  exit_of: order.exit_of ?? null,
});

const tradesOf = ({ trades }: StrategyState): StrategyAccount['trades'] =>
  trades.map(({ quantity, price, ...trade }) => ({
    ...trade,
    quantity: quantityNumber(quantity),
    price: priceNumber(price),
  }));
