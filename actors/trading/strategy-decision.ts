import {
  abs,
  moneyText,
  mulDiv,
  ONE_SHARE,
  parseOptionalPrice,
  parsePrice,
  parseQuantity,
  parseRatio,
  priceOf,
  quantityText,
  valueOf,
  type Price,
  type Quantity,
} from '../../events/decimal.ts';
import { BelegError } from '../../events/errors.ts';
import { isSameJson } from '../../events/json.ts';
import type { StrategyAnswer } from '../strategy/answer.ts';
import {
  strategyOrderId,
  type AccountData,
  type Drafts,
  type CommandOf,
  type SubmitOrder,
  type TradingPolicy,
} from './commands.ts';
import { requestCancels } from './cancel-order.ts';
import { totalValue } from './account-value.ts';
import { SCALE, scaled, sharesWorth, sized, type Unmet, type Wanted } from './sizing.ts';
import { exposingOrders } from './open-orders.ts';
import { leftOf, type AccountState, type StrategyState } from './state.ts';
import { ownOrders, budgetOf } from './strategy-account.ts';
import { splitShares } from '../paper-broker/share-split.ts';
import { bracketFor, isProtected, protectionOf, splitProtection, stopFor, stopsOf } from './target-stops.ts';
import { bracketOf, givenPrice, trailOf } from './trail.ts';
import { closingOnly, keptOf, openingOutside, outOfUniverse, type IsOut } from './universe.ts';

type Taken = Omit<CommandOf<'use-strategy'>, 'type'>;
type Decided = AccountData<'StrategyDecided'>;
type Target = StrategyState['targets'][number];

/**
 * Takes a strategy into use. Gives no events if it is in use unchanged, or is halted: a halted strategy has to be
 * started by hand.
 */
export function useStrategy(command: CommandOf<'use-strategy'>, state: AccountState): Drafts {
  const known = state.strategies?.get(command.strategy);
  return known?.status === 'halted' ? [] : taken(command, state);
}

function taken({ strategy, source, hash, parameters, share }: Taken, state: AccountState): Drafts {
  const known = state.strategies?.get(strategy);
  const said = { source, hash, parameters, share };
  if (known !== undefined && same(said, known)) return [];
  const begins = (part: number) => mulDiv(totalValue(state), scaled(part), SCALE);
  const capital = share === null ? null : moneyText(known?.share === share ? known.capital! : begins(share));
  return [{ type: 'StrategyTaken', data: { strategy, ...said, capital } }];
}

type Said = Pick<StrategyState, 'source' | 'hash' | 'parameters' | 'share'>;
const same = (one: Said, other: Said): boolean =>
  one.source === other.source &&
  one.hash === other.hash &&
  one.share === other.share &&
  isSameJson(one.parameters, other.parameters);

/**
 * Decides on a strategy's answer to a session: its targets in shares, and the orders that lead there, sales first, new
 * exposure only within its funds and the account's limits. A target stands until it is reached or replaced, or trading
 * stops. A ticker outside the day's universe is not bought: its target and orders are cut to what they close, and open
 * orders that would open exposure in it are cancelled. Gives no events for a session that the strategy has decided on
 * already, and while the strategy or trading is stopped or halted.
 *
 * @throws {BelegError} `INTERNAL` for a strategy that was never taken into use.
 */
export function decideStrategy(
  command: CommandOf<'decide-strategy'>,
  state: AccountState,
  policy: TradingPolicy,
): Drafts {
  const { strategy: name, session, answer } = command;
  const strategy = state.strategies?.get(name);
  if (strategy === undefined) throw new BelegError('INTERNAL', { detail: `there is no strategy ${name}` });
  if (state.engine !== 'running' || strategy.status !== 'running') return [];
  if (strategy.session !== null && session.date <= strategy.session) return [];
  // Without a target only the day's universe can change anything: open orders for tickers that have left it are
  // cancelled.
  if (
    wantsNothing(answer) &&
    strategy.targets.length === 0 &&
    (session.universe === undefined || state.open.size === 0)
  ) {
    const { targets, orders, cancels, unmet } = NOTHING;
    const { plot } = answer;
    const data: Decided = { strategy: name, session: session.date, targets, orders, cancels, unmet, plot };
    remember(answer, strategy, data);
    return [{ type: 'StrategyDecided', data }];
  }
  return weigh(command, strategy, state, policy);
}

/** The decision on an answer that wants something, or on targets that stand. */
function weigh(
  { strategy: name, session, answer }: CommandOf<'decide-strategy'>,
  strategy: StrategyState,
  state: AccountState,
  policy: TradingPolicy,
): Drafts {
  const unmet: Unmet[] = [];
  const tell = (one: Unmet): void => void unmet.push(one);
  let known: ReturnType<typeof budgetOf> | undefined;
  const budget = () => (known ??= budgetOf(state, name, policy));
  const standing = new Map<string, Target>();
  for (const target of strategy.targets) {
    standing.set(target.ticker, splitTarget(target, session.splits[target.ticker], policy));
  }
  const saidToday = new Set<string>();
  for (const said of answer.targets) {
    saidToday.add(said.ticker);
    standing.set(said.ticker, targetOf(said));
  }
  const own = ownOrders(state, name);
  const stops: Decided['orders'] = [];
  const isOwn = (id: string): boolean => own.some(({ order_id }) => order_id === id);
  const cancels = answer.cancel.filter(isOwn);
  const isOut = outOfUniverse(session);
  for (const order of openingOutside(state, name, isOut)) {
    if (cancels.includes(order.order_id)) continue;
    tell({ ticker: order.ticker, reason: 'not in the universe', wanted: leftOf(order), got: 0n });
    cancels.push(order.order_id);
  }
  const amends = answer.amend
    .filter(({ order_id }) => isOwn(order_id))
    .filter((amendment) => !opensOutside(amendment, state, isOut, tell))
    .map(amendOf);
  const wanted: Wanted[] = [];
  for (const [ticker, target] of standing) {
    const isSaid = saidToday.has(ticker);
    if (!isSaid && wasStoppedOut(target, strategy)) {
      standing.delete(ticker);
      continue;
    }
    const bar = session.bars[ticker];
    const close = bar && priceOf(bar.close);
    const held = strategy.holdings.get(ticker)?.quantity ?? 0n;
    const asked = target.quantity ?? quantityOf(target, close, budget().value, policy);
    if (isSaid && target.by === 'quantity') tellRest(ticker, target.amount, asked!, tell);
    const quantity = isOut(ticker) ? closedTo(held, asked) : asked;
    if (quantity !== asked && target.amount !== 0) {
      const shares = asked === null ? null : abs(asked - held);
      tell({ ticker, reason: 'not in the universe', wanted: shares, got: abs((quantity ?? held) - held) });
    }
    if (quantity === null) {
      tell({ ticker, reason: 'no bar in this session', wanted: null, got: 0n });
      continue;
    }
    standing.set(ticker, { ...target, quantity });
    const difference = quantity - held;
    const lots = isNear(held, target, quantity) ? 0n : (abs(difference) / policy.lot) * policy.lot;
    const wish = { ticker, action: difference > 0n ? ('buy' as const) : ('sell' as const), quantity: lots };
    const blocked = lots === 0n ? null : blockedBy(wish, quantity, own, cancels, close, policy);
    const { protection } = target;
    const stopped = stopsOf(own, ticker);
    const working =
      stopped.length === 0 ? stopped : stopped.filter(({ order_id }) => !cancels.includes(order_id));
    if (isSaid && (protection !== undefined || quantity === 0n)) {
      // Shares that stay in the position, or that cannot be sold today, also need the stop order of the target.
      const stays = lots === 0n || (blocked !== null && isLess(held, quantity) && quantity !== 0n);
      const kept = stays ? held : keptOf(held, quantity);
      if (protection === undefined || !isProtected(working, kept, protection)) {
        cancels.push(...working.map(({ order_id }) => order_id));
        if (protection !== undefined && kept !== 0n) stops.push(stopFor(ticker, kept, protection, working));
      }
    }
    if (lots === 0n) {
      if (!isSaid) standing.delete(ticker);
      continue;
    }
    if (blocked !== null) tell({ ticker, reason: blocked, wanted: lots, got: 0n });
    else wanted.push({ ...wish, price: close!, reduce_only: working.length > 0 && isLess(held, quantity) });
  }
  const sizes = wanted.length === 0 ? [] : sized(wanted, budget().cash, state, policy, tell);
  const orders: Decided['orders'] = sizes.map(({ ticker, action, quantity, reduce_only = false }) => ({
    ticker,
    action,
    type: 'market',
    quantity: quantityText(quantity),
    price: null,
    stop_price: null,
    time_in_force: 'day',
    reduce_only,
    ...entryBracket(standing.get(ticker), action),
    reason: standing.get(ticker)?.reason ?? null,
  }));
  orders.push(...stops);
  for (const { ticker, time_in_force } of answer.targets)
    if (time_in_force === 'day') standing.delete(ticker);
  const before = orders.length;
  const idAt = (at: number): string => strategyOrderId(state.account!, name, session.date, before + at);
  orders.push(...ordersSaid(answer, strategy, own, policy, { idAt, isOut, tell }));
  const data: Decided = {
    strategy: name,
    session: session.date,
    targets: standing.size === 0 ? NOTHING.targets : [...standing.values()].map(writtenTarget),
    orders,
    cancels,
    unmet: unmet.length === 0 ? NOTHING.unmet : unmet.map(writtenUnmet),
    plot: answer.plot,
  };
  if (amends.length > 0) data.amends = amends;
  remember(answer, strategy, data);
  return [{ type: 'StrategyDecided', data }];
}

const writtenTarget = ({ quantity, ...target }: Target): Decided['targets'][number] => ({
  ...target,
  quantity: quantity === null ? null : quantityText(quantity),
});

const writtenUnmet = ({ wanted, got, ...one }: Unmet): Decided['unmet'][number] => ({
  ...one,
  wanted: wanted === null ? null : quantityText(wanted),
  got: quantityText(got),
});

/** Records what the strategy wants to remember, if it has changed. */
function remember({ state }: StrategyAnswer, before: StrategyState, data: Decided): void {
  if (state !== undefined && !isSameJson(state, before.state)) data.state = state;
}

/** The decision of most sessions: the strategy wants nothing, and no target stands. */
const NOTHING: Pick<Decided, 'targets' | 'orders' | 'cancels' | 'unmet'> = {
  targets: [],
  orders: [],
  cancels: [],
  unmet: [],
};

const wantsNothing = ({ targets, orders, cancel, amend }: StrategyAnswer): boolean =>
  targets.length + orders.length + cancel.length + amend.length === 0;

/** The target outside the universe: at most the quantity that is held. */
function closedTo(held: Quantity, asked: Quantity | null): Quantity | null {
  if (held === 0n) return 0n;
  return asked === null ? null : keptOf(held, asked);
}

/** Whether the amendment of an order would open exposure outside the universe. */
function opensOutside(
  { order_id, quantity = null }: StrategyAnswer['amend'][number],
  { open }: AccountState,
  isOut: IsOut,
  tell: (unmet: Unmet) => void,
): boolean {
  const order = open.get(order_id);
  if (quantity === null || order === undefined || order.reduce_only || !isOut(order.ticker)) return false;
  const wanted = priceOf(quantity);
  if (wanted <= order.quantity) return false;
  tell({ ticker: order.ticker, reason: 'not in the universe', wanted, got: order.quantity });
  return true;
}

/**
 * Whether the position is within the target's tolerance. A target of zero has none: the position is closed completely.
 */
function isNear(held: Quantity, { tolerance = 0 }: Target, quantity: Quantity): boolean {
  if (tolerance === 0) return held === quantity;
  return abs(quantity - held) * SCALE <= abs(quantity) * scaled(tolerance);
}

/** Whether the target is a smaller position on the same side, or none at all. */
const isLess = (held: Quantity, target: Quantity): boolean =>
  abs(target) < abs(held) && (target === 0n || held > 0n === target > 0n);

/** The opening order has the target's exits as its bracket, so that they come with each fill. */
function entryBracket(
  target: Target | undefined,
  action: 'buy' | 'sell',
): Pick<Decided['orders'][number], 'bracket'> {
  const { protection, quantity } = target ?? { quantity: null };
  const opens = quantity !== null && (action === 'buy' ? quantity > 0n : quantity < 0n);
  return protection === undefined || !opens ? {} : { bracket: bracketFor(protection) };
}

/** The stop of a target was filled before the target was reached, so the target is dropped. */
function wasStoppedOut({ ticker, protection, quantity }: Target, { trades }: StrategyState): boolean {
  if (protection === undefined || quantity === null) return false;
  const against = quantity > 0n ? 'sell' : 'buy';
  return trades.some((trade) => trade.ticker === ticker && trade.action === against);
}

/** Why a target cannot be followed now. It still stands. */
function blockedBy(
  { ticker }: Pick<Wanted, 'ticker'>,
  quantity: Quantity,
  own: ReturnType<typeof ownOrders>,
  cancels: readonly string[],
  close: Price | undefined,
  { shorting }: TradingPolicy,
): Unmet['reason'] | null {
  if (quantity < 0n && !shorting) return 'short is not allowed';
  const works = own.some(
    (order) => order.ticker === ticker && !order.reduce_only && !cancels.includes(order.order_id),
  );
  if (works) return 'an order is open';
  return close === undefined ? 'no bar in this session' : null;
}

/** A target as the strategy gave it. Its shares are not known yet. */
function targetOf(said: StrategyAnswer['targets'][number]): Target {
  const { weight, value, quantity, ticker, reason = null, tolerance } = said;
  const target: Target = {
    by: weight === undefined ? (value === undefined ? 'quantity' : 'value') : 'weight',
    amount: (weight ?? value ?? quantity)!,
    quantity: null,
    ticker,
    reason,
  };
  const protection = protectionOf(said);
  if (protection !== undefined) target.protection = protection;
  if (tolerance !== undefined) target.tolerance = tolerance;
  return target;
}

/** Reports that a quantity was cut to whole lots. */
function tellRest(ticker: string, said: number, lots: Quantity, tell: (unmet: Unmet) => void): void {
  const [wanted, got] = [abs(priceOf(said)), abs(lots)];
  if (got < wanted) tell({ ticker, reason: 'no multiple of the smallest quantity', wanted, got });
}

/** The quantity in whole lots, rounded toward zero; `null` if it needs a price that is not known. */
function quantityOf(
  { by, amount }: Target,
  close: Price | undefined,
  value: bigint,
  { lot }: TradingPolicy,
): Quantity | null {
  // Quantities have as many decimal places as prices.
  if (by === 'quantity') return (priceOf(amount) / lot) * lot;
  if (close === undefined) return null;
  if (by === 'weight') return sharesWorth(amount, value, close, lot);
  return (valueOf(ONE_SHARE, priceOf(amount)) / (close * lot)) * lot;
}

/** A target in shares after a split of its ticker. */
function splitTarget(target: Target, ratio: string | undefined, { lot }: TradingPolicy): Target {
  if (ratio === undefined || target.quantity === null) return target;
  const by = parseRatio(ratio);
  const { protection } = target;
  return {
    ...target,
    quantity: splitShares(target.quantity, by, lot),
    ...(protection && { protection: splitProtection(protection, by) }),
  };
}

const amendOf = ({ order_id, quantity = null, price, stop_price }: StrategyAnswer['amend'][number]) => ({
  order_id,
  quantity: quantity === null ? null : quantityText(priceOf(quantity)),
  price: givenPrice(price),
  stop_price: givenPrice(stop_price),
});

/**
 * The orders of a strategy's answer. If short positions are not allowed, it can sell only its own shares, not those
 * that were bought by hand; linked orders count once. Outside the universe orders only close. `idAt` gives the id of
 * the order at an index.
 */
function ordersSaid(
  answer: StrategyAnswer,
  { holdings }: StrategyState,
  own: ReturnType<typeof ownOrders>,
  { shorting, lot }: TradingPolicy,
  { idAt, isOut, tell }: { idAt: (at: number) => string; isOut: IsOut; tell: (unmet: Unmet) => void },
): Decided['orders'] {
  if (answer.orders.length === 0) return [];
  const closing = closingOnly({ holdings }, isOut);
  const sellable = new Map<string, Quantity>();
  const names = new Set(answer.orders.flatMap(({ name }) => name ?? []));
  const placed = new Map<string, string>();
  const orders: Decided['orders'] = [];
  for (const { reason = null, trail, bracket, name, linked_to: link, ...order } of answer.orders) {
    const { ticker, action } = order;
    const asked = (priceOf(order.quantity) / lot) * lot;
    tellRest(ticker, order.quantity, asked, tell);
    const linked_to = link === undefined || !names.has(link) ? link : placed.get(link);
    if (link !== undefined && linked_to === undefined) {
      tell({ ticker, reason: 'linked to an order that is not placed', wanted: asked, got: 0n });
      continue;
    }
    let quantity = asked;
    const held = holdings.get(ticker)?.quantity ?? 0n;
    if (action === 'sell' && !shorting && linked_to === undefined) {
      const selling = own
        .filter((one) => one.ticker === ticker && one.action === 'sell' && !one.reduce_only)
        .reduce((sum, one) => sum + one.quantity - one.filled, 0n);
      const free = sellable.get(ticker) ?? held - selling;
      quantity = free < asked ? (free > 0n ? free : 0n) : asked;
      if (!order.reduce_only) sellable.set(ticker, free - quantity);
    }
    if (quantity < asked) {
      const beside = asked <= held ? ' beside what its open orders sell' : '';
      tell({ ticker, reason: `more than it holds${beside}`, wanted: asked, got: quantity });
    }
    const closed = order.reduce_only ? quantity : closing(ticker, action, quantity, linked_to !== undefined);
    if (closed < quantity) tell({ ticker, reason: 'not in the universe', wanted: quantity, got: closed });
    quantity = closed;
    if (quantity === 0n) continue;
    if (name !== undefined) placed.set(name, idAt(orders.length));
    orders.push({
      ...order,
      ...(linked_to !== undefined && { linked_to }),
      ...(trail && { trail: trailOf(trail) }),
      ...(bracket && { bracket: bracketOf(bracket) }),
      quantity: quantityText(quantity),
      price: givenPrice(order.price),
      stop_price: givenPrice(order.stop_price),
      reason,
    });
  }
  return orders;
}

/** The command for an order that was decided on. */
export function decidedOrder(
  order: Decided['orders'][number],
  {
    order_id,
    last_price,
    strategy: { name, hash, parameters },
  }: Pick<SubmitOrder, 'order_id' | 'last_price'> & {
    readonly strategy: Pick<StrategyState, 'hash' | 'parameters'> & { readonly name: string };
  },
): SubmitOrder {
  const { trails_from, reason } = order;
  return {
    order_id,
    ticker: order.ticker,
    action: order.action,
    type: order.type,
    quantity: parseQuantity(order.quantity),
    price: parseOptionalPrice(order.price),
    stop_price: parseOptionalPrice(order.stop_price),
    time_in_force: order.time_in_force,
    reduce_only: order.reduce_only,
    linked_to: order.linked_to,
    trail: order.trail,
    bracket: order.bracket,
    trails_from: trails_from === undefined ? undefined : parsePrice(trails_from),
    last_price,
    client_order_id: null,
    origin: 'strategy',
    client_timestamp: null,
    strategy: { name, hash, parameters, reason },
  };
}

/**
 * Halts a strategy. Gives no events if it is halted for the same reason already. Its open orders that could open
 * exposure are cancelled.
 */
export function haltStrategy(data: AccountData<'StrategyHalted'>, state: AccountState): Drafts {
  const known = state.strategies?.get(data.strategy);
  if (known === undefined || (known.status === 'halted' && isFaultOf(known, data))) return [];
  return [{ type: 'StrategyHalted', data }, ...cancelExposing(data.strategy, state, 'strategy_halted')];
}

const isFaultOf = (
  { fault, place }: StrategyState,
  { detail, file, line }: AccountData<'StrategyHalted'>,
): boolean =>
  fault === detail && (file === null ? place === undefined : place?.file === file && place.line === line);

/**
 * Stops a strategy: it is asked no more. Its open orders that could open exposure are cancelled; its holdings stay.
 *
 * @throws {BelegError} `UNKNOWN_STRATEGY`.
 */
export function stopStrategy(strategy: string, state: AccountState): Drafts {
  if (ownStrategy(strategy, state).status === 'stopped') return [];
  return [
    { type: 'StrategyStopped', data: { strategy } },
    ...cancelExposing(strategy, state, 'strategy_stopped'),
  ];
}

/**
 * Starts a strategy: it is asked from the next session on, with its file as it is now. Gives no events while it runs.
 *
 * @throws {BelegError} `UNKNOWN_STRATEGY`.
 */
export function startStrategy(command: CommandOf<'start-strategy'>, state: AccountState): Drafts {
  const { strategy } = command;
  if (ownStrategy(strategy, state).status === 'running') return [];
  return [{ type: 'StrategyStarted', data: { strategy } }, ...taken(command, state)];
}

const cancelExposing = (
  name: string,
  state: AccountState,
  reason: 'strategy_stopped' | 'strategy_halted',
): Drafts =>
  requestCancels(
    exposingOrders(state).filter(({ strategy }) => strategy === name),
    reason,
  );

function ownStrategy(name: string, state: AccountState): StrategyState {
  const strategy = state.strategies?.get(name);
  if (strategy === undefined) throw new BelegError('UNKNOWN_STRATEGY');
  return strategy;
}
