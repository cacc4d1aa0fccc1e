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
import { toldTrail } from './trail.ts';

/** A strategy's open orders, in the order of submission. */
export const ownOrders = ({ open }: AccountState, name: string): readonly OrderState[] =>
  open.size === 0 ? NO_ORDERS : [...open.values()].filter(({ strategy }) => strategy === name);

const NO_ORDERS: readonly OrderState[] = [];

/**
 * The value and the spendable funds of a strategy: those of the whole account or, if the strategy has a share of the
 * account, that share as it has grown or shrunk since the strategy began.
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
 * The account as it is shown to a strategy, with numbers for JSON and tickers sorted by name. Each member is calculated
 * when it is read, because in most sessions none is read. It must be read before the state changes.
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
    return this.#strategy.trades.map(({ quantity, price, ...trade }) => ({
      ...trade,
      quantity: quantityNumber(quantity),
      price: priceNumber(price),
    }));
  }

  toJSON(): StrategyAccount {
    const { value, cash, positions, orders, trades } = this;
    return { value, cash, positions, orders, trades };
  }
}

type Holdings = StrategyState['holdings'];
type Holding = Holdings extends ReadonlyMap<string, infer Each> ? Each : never;
type Position = StrategyAccount['positions'][string];

/** A holding, and its values when it was last shown. */
interface Row extends Pick<Holding, 'quantity' | 'cost' | 'opened' | 'high'> {
  readonly ticker: string;
  readonly holding: Holding;
  /** `null` if the holding had no shares. */
  position: Position | null;
}

/** The holdings of a strategy by name, as they were last shown: most have not changed by the next session. */
interface Shown {
  readonly rows: readonly Row[];
  positions: StrategyAccount['positions'];
}

const lastShown = new WeakMap<Holdings, Shown>();

function positionsOf({ holdings }: StrategyState): StrategyAccount['positions'] {
  let shown = lastShown.get(holdings);
  // Holdings are never removed, so a different number means that some were added.
  if (shown?.rows.length !== holdings.size) {
    shown = { rows: rowsOf(holdings), positions: {} };
    lastShown.set(holdings, shown);
  }
  let changed: Record<string, Position> | null = null;
  let areOthers = false;
  for (const row of shown.rows) {
    const before = row.position;
    if (!showAgain(row)) continue;
    const { ticker, position } = row;
    if (position === null || before === null) areOthers = true;
    else (changed ??= { ...shown.positions })[ticker] = position;
  }
  if (areOthers) shown.positions = ofRows(shown.rows);
  else if (changed !== null) shown.positions = changed;
  return shown.positions;
}

const rowsOf = (holdings: Holdings): readonly Row[] =>
  [...holdings.keys()].sort().map((ticker) => ({
    ticker,
    holding: holdings.get(ticker)!,
    quantity: 0n,
    cost: 0n,
    opened: '',
    high: 0n,
    position: null,
  }));

/**
 * Whether the holding has changed since it was last shown. In most cases only its high is new; an average price costs a
 * division of bigints, so it is calculated only when needed.
 */
function showAgain(row: Row): boolean {
  const { quantity, cost, opened, high } = row.holding;
  const isSameCost = row.quantity === quantity && row.cost === cost;
  if (isSameCost && row.high === high && row.opened === opened) return false;
  row.position =
    quantity === 0n
      ? null
      : Object.freeze({
          quantity: quantityNumber(quantity),
          average_price:
            isSameCost && row.position !== null ? row.position.average_price : perShareNumber(cost, quantity),
          opened,
          high: priceNumber(high),
        });
  row.quantity = quantity;
  row.cost = cost;
  row.opened = opened;
  row.high = high;
  return true;
}

function ofRows(rows: readonly Row[]): StrategyAccount['positions'] {
  const positions: Record<string, Position> = {};
  for (const { ticker, position } of rows) if (position !== null) positions[ticker] = position;
  return positions;
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
  trail: order.trail === undefined ? null : toldTrail(order.trail),
  linked_to: order.linked_to ?? null,
  exit_of: order.exit_of ?? null,
});
