import {
  abs,
  mulDiv,
  parseMoney,
  parsePrice,
  parseQuantity,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';
import type { AccountData } from './commands.ts';
import { corrupt } from './corrupt.ts';
import type { ExactClose } from './exact-close.ts';
import { OWN_STRATEGY_LIFECYCLE } from './own-strategy-lifecycle.ts';
import { bookFill, heldOf, signed } from './position.ts';
import type { AccountState, OrderState, StrategyState } from './state.ts';

/** @throws {BelegError} `STREAM_CORRUPT` if the strategy was never taken into use. */
function strategyOf(state: AccountState, name: string): StrategyState {
  const strategy = state.strategies?.get(name);
  if (strategy === undefined) throw corrupt(`the account has no strategy ${name}`);
  return strategy;
}

const each = ({ strategies }: AccountState): Iterable<StrategyState> => strategies?.values() ?? NONE;
const NONE: readonly StrategyState[] = [];

/** Takes a strategy into use. It keeps its state and its holdings, even if its file has changed. */
export function strategyTaken(
  state: AccountState,
  { strategy: name, source, hash, parameters, share, capital }: AccountData<'StrategyTaken'>,
): void {
  const known = state.strategies?.get(name);
  const { place: _, ...kept } = { place: undefined, ...(known ?? NEW()) };
  // Streams of earlier releases take a halted strategy into use again at the start of the service. Such events are no
  // longer written.
  const isNew = known === undefined || known.status === 'halted';
  (state.strategies ??= new Map()).set(name, {
    ...kept,
    source,
    hash,
    parameters,
    share,
    capital: capital === null ? null : parseMoney(capital),
    status: isNew
      ? OWN_STRATEGY_LIFECYCLE.initial
      : OWN_STRATEGY_LIFECYCLE.next(known.status, 'StrategyTaken'),
    fault: null,
  });
}

const NEW = (): Pick<
  StrategyState,
  'session' | 'state' | 'targets' | 'orders' | 'cancels' | 'holdings' | 'income' | 'trades'
> => ({
  session: null,
  state: null,
  targets: [],
  orders: [],
  cancels: [],
  holdings: new Map(),
  income: 0n,
  trades: [],
});

export function strategyDecided(state: AccountState, data: AccountData<'StrategyDecided'>): void {
  const strategy = strategyOf(state, data.strategy);
  strategy.session = data.session;
  strategy.targets =
    data.targets.length === 0
      ? []
      : data.targets.map(({ quantity, ...target }) => ({
          ...target,
          quantity: quantity === null ? null : parseQuantity(quantity),
        }));
  strategy.orders = data.orders;
  strategy.cancels = data.cancels;
  // Checks first, because deleting a missing property takes longer than everything else here.
  if (strategy.amends !== undefined) delete strategy.amends;
  if (strategy.refused !== undefined) delete strategy.refused;
  if (data.amends !== undefined) strategy.amends = data.amends;
  if (data.state !== undefined) strategy.state = data.state;
}

export function strategyOrderRefused(
  state: AccountState,
  { strategy: name, session, order, order_id }: AccountData<'StrategyOrderRefused'>,
): void {
  const strategy = strategyOf(state, name);
  const refused = order ?? order_id;
  if (strategy.session === session && refused !== undefined) (strategy.refused ??= []).push(refused);
}

/** The strategy is not asked any more, so its targets are dropped. */
export function strategyRests(
  state: AccountState,
  name: string,
  fault: AccountData<'StrategyHalted'> | null,
): void {
  const strategy = strategyOf(state, name);
  const event = fault === null ? 'StrategyStopped' : 'StrategyHalted';
  strategy.status = OWN_STRATEGY_LIFECYCLE.next(strategy.status, event);
  strategy.fault = fault?.detail ?? null;
  delete strategy.place;
  if (typeof fault?.file === 'string') strategy.place = { file: fault.file, line: fault.line };
  strategy.targets = [];
}

export function strategyStarted(state: AccountState, name: string): void {
  const strategy = strategyOf(state, name);
  strategy.status = OWN_STRATEGY_LIFECYCLE.next(strategy.status, 'StrategyStarted');
  strategy.fault = null;
  delete strategy.place;
}

/** When trading stops, the targets of strategies are forgotten: each has to state them again. */
export function forgetTargets(state: AccountState): void {
  for (const strategy of each(state)) strategy.targets = [];
}

export function forgetTrades(state: AccountState): void {
  for (const strategy of each(state)) strategy.trades = [];
}

/** Books a fill of one of a strategy's orders into its holdings. */
export function filledForStrategy(
  state: AccountState,
  { strategy: name, order_id }: OrderState,
  data: AccountData<'OrderFilled'>,
): void {
  if (name === undefined) return;
  const { ticker, action, session } = data;
  const { holdings, trades } = strategyOf(state, name);
  const [quantity, price] = [parseQuantity(data.quantity), parsePrice(data.price)];
  let holding = holdings.get(ticker);
  if (holding === undefined) {
    holding = { quantity: 0n, cost: 0n, realized: 0n, fees: 0n, opened: session, high: price };
    holdings.set(ticker, holding);
  }
  const before = holding.quantity;
  bookFill(holding, signed(action, quantity), price, parseMoney(data.fee));
  if (before === 0n || before > 0n !== holding.quantity > 0n) {
    holding.opened = session;
    holding.high = price;
  }
  trades.push({ order_id, ticker, action, quantity, price });
}

/**
 * Strategies together never hold more of a ticker than the account holds for them. Shares that were sold by hand are
 * taken from them one after the other, in the order of their names.
 */
export function fitHoldings(state: AccountState, ticker: string): void {
  if (state.strategies === undefined) return;
  let excess = -(state.positions.get(ticker)?.ofStrategy ?? 0n);
  for (const { holdings } of each(state)) excess += holdings.get(ticker)?.quantity ?? 0n;
  if (excess === 0n) return;
  const held = [...state.strategies]
    .filter(([, { holdings }]) => (holdings.get(ticker)?.quantity ?? 0n) !== 0n)
    .sort(([one], [other]) => (one < other ? -1 : 1));
  for (const [, { holdings }] of held) {
    const holding = holdings.get(ticker)!;
    const { quantity } = holding;
    if (excess === 0n || excess > 0n !== quantity > 0n) continue;
    const taken: Quantity = abs(excess) < abs(quantity) ? excess : quantity;
    bookFill(holding, -taken, state.marks.get(ticker) ?? holding.high, 0n);
    excess -= taken;
  }
}

/** Splits the strategies' holdings in the same proportion as those of the account. */
export function splitHoldings(
  state: AccountState,
  ticker: string,
  { numerator, denominator }: Ratio,
  before: Quantity,
): void {
  const after = state.positions.get(ticker)?.ofStrategy ?? 0n;
  for (const { holdings } of each(state)) {
    const holding = holdings.get(ticker);
    if (holding === undefined || holding.quantity === 0n) continue;
    holding.high = mulDiv(holding.high, denominator, numerator);
    holding.quantity = before === 0n ? 0n : mulDiv(holding.quantity, after, before);
  }
  fitHoldings(state, ticker);
}

/** Dividends and borrowing costs go to whoever holds the ticker. */
export function shareIncome(state: AccountState, ticker: string, amount: bigint): void {
  const whole = heldOf(state, ticker);
  if (whole === 0n) return;
  for (const strategy of each(state)) {
    const held = strategy.holdings.get(ticker)?.quantity ?? 0n;
    if (held !== 0n) strategy.income += mulDiv(amount, held, whole);
  }
}

export function noteHighs(state: AccountState, closes: ExactClose['exact']['closes']): void {
  for (const { holdings } of each(state)) {
    for (const [ticker, close] of closes) {
      const holding = holdings.get(ticker);
      if (holding !== undefined && close > holding.high) holding.high = close;
    }
  }
}

/** The ticker no longer trades: holdings in it are paid out at its last price. */
export function settleHoldings(state: AccountState, ticker: string, price: bigint): void {
  for (const { holdings } of each(state)) {
    const holding = holdings.get(ticker);
    if (holding !== undefined) bookFill(holding, -holding.quantity, price, 0n);
  }
}
