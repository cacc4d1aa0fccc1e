import {
  mulDiv,
  ONE_SHARE,
  parseMoney,
  parsePrice,
  parseQuantity,
  parseRatio,
  type Quantity,
  type Ratio,
} from '../../events/decimal.ts';
import type { AccountData } from './commands.ts';
import { ENGINE_LIFECYCLE, type EngineEventType } from './engine-lifecycle.ts';
import { corrupt } from './corrupt.ts';
import { exactClose, type Decided, type ExactClose } from './exact-close.ts';
import { changed, filled, reported, submitted, withdrawn } from './evolve-order.ts';
import {
  forgetTargets,
  forgetTrades,
  noteHighs,
  settleHoldings,
  shareIncome,
  splitHoldings,
  strategyDecided,
  strategyOrderRefused,
  strategyRests,
  strategyStarted,
  strategyTaken,
} from './evolve-strategy.ts';
import { fingerprintOf } from './move-cash.ts';
import { attribute, bookFill, noteSide } from './position.ts';
import type { AccountState, PositionState } from './state.ts';

/**
 * Applies an event, recorded or still a draft. It writes to the state that it is given and returns it, so that a fold
 * copies nothing.
 *
 * @throws {BelegError} `STREAM_CORRUPT` for an event that cannot follow the earlier ones.
 *
 * @example
 * const state = events.reduce(evolve, initialState());
 */
export function evolve(state: AccountState, event: Decided): AccountState {
  if (state.account === null && event.type !== 'AccountOpened') {
    throw corrupt(`${event.type} was recorded before the account was opened`);
  }
  state.worth = null;
  apply(state, event);
  return state;
}

function apply(state: AccountState, event: Decided): void {
  switch (event.type) {
    case 'AccountOpened':
      return opened(state, event.data);
    case 'MarketSourceTaken':
      state.source = event.data.source;
      return;
    case 'CashMoved':
      return cashMoved(state, event.data);
    case 'TradingStarted':
      turned(state, event.type);
      state.halt = null;
      state.sessionsRun = 0;
      return;
    case 'TradingStopped':
      turned(state, event.type);
      forgetTargets(state);
      return;
    case 'TradingHalted':
      turned(state, event.type);
      forgetTargets(state);
      state.halt = { ...event.data, session: state.session, resumed: null };
      if (event.data.reason === 'daily_loss') state.lossSession = state.session;
      return;
    case 'TradingResumed':
      turned(state, event.type);
      if (state.halt !== null) state.halt = { ...state.halt, resumed: event.data.session };
      state.sessionsRun = 0;
      return;
    case 'ClockSet':
      state.clock = event.data;
      return;
    case 'OrderSubmitted':
      return submitted(state, event.data);
    case 'OrderWithdrawn':
      return withdrawn(state, event);
    case 'OrderDeliveryUnknown':
    case 'OrderCancelRequested':
    case 'OrderAdjusted':
    case 'OrderAmendRequested':
      return changed(state, event);
    case 'OrderAccepted':
    case 'OrderTriggered':
    case 'OrderRejected':
    case 'OrderCancelled':
    case 'OrderAmended':
    case 'OrderExpired':
      return reported(state, event);
    case 'OrderFilled':
      return filled(state, event);
    case 'DiscrepancyFound':
      return disputed(state, event.data);
    case 'DiscrepanciesSettled':
      state.discrepancies = [];
      return;
    case 'SessionOpened':
      return sessionOpened(state, event.data);
    case 'SplitApplied':
      return split(state, event.data);
    case 'DividendPaid':
      return dividend(state, event.data);
    case 'BorrowCharged':
      return borrowed(state, event.data);
    case 'MarginCalled':
      return;
    case 'PositionSettled':
      return settled(state, event.data);
    case 'SessionClosed':
      if (!('exact' in event)) return sessionClosed(state, exactClose(event.data));
      sessionClosed(state, event.exact);
      state.worth = event.exact.total_value;
      return;
    case 'StrategyTaken':
      return strategyTaken(state, event.data);
    case 'StrategyDecided':
      return strategyDecided(state, event.data);
    case 'StrategyOrderRefused':
      return strategyOrderRefused(state, event.data);
    case 'StrategyHalted':
      return strategyRests(state, event.data.strategy, event.data);
    case 'StrategyStopped':
      return strategyRests(state, event.data.strategy, null);
    case 'StrategyStarted':
      return strategyStarted(state, event.data.strategy);
    default:
      event satisfies never;
  }
}

function opened(state: AccountState, { account, currency, cash }: AccountData<'AccountOpened'>): void {
  if (state.account !== null) throw corrupt(`the account ${account} was opened twice`);
  state.account = account;
  state.currency = currency;
  state.cash = parseMoney(cash);
  state.closeValue = state.cash;
}

/**
 * Moves the value that a daily loss is measured from: cash that leaves is no loss, and cash that comes in hides none.
 */
function cashMoved(state: AccountState, data: AccountData<'CashMoved'>): void {
  const amount = parseMoney(data.amount);
  state.cash += amount;
  state.closeValue += amount;
  if (data.client_cash_id === null) return;
  state.cashMoves ??= new Map();
  if (data.takes_back) state.cashMoves.delete(data.client_cash_id);
  else state.cashMoves.set(data.client_cash_id, fingerprintOf(data));
}

function turned(state: AccountState, type: EngineEventType): void {
  state.engine = ENGINE_LIFECYCLE.next(state.engine, type);
}

function disputed(state: AccountState, data: AccountData<'DiscrepancyFound'>): void {
  state.discrepancies.push(data);
  state.cursor = data.cursor ?? state.cursor;
  if (data.order_id === null) return;
  const order = state.orders.get(data.order_id);
  if (order !== undefined) order.disputed = true;
}

function sessionOpened(state: AccountState, { session }: AccountData<'SessionOpened'>): void {
  if (state.session !== null && session <= state.session) {
    throw corrupt(`session ${session} was opened after session ${state.session}`);
  }
  state.session = session;
  forgetTrades(state);
  if (state.unsettled.length === 0) return;
  for (const entry of state.unsettled) {
    entry.sessionsLeft -= 1;
    if (entry.sessionsLeft <= 0) state.cash += entry.amount;
  }
  state.unsettled = state.unsettled.filter(({ sessionsLeft }) => sessionsLeft > 0);
}

function held(state: AccountState, ticker: string): PositionState {
  const position = state.positions.get(ticker);
  if (position === undefined) throw corrupt(`there is no position in ${ticker}`);
  return position;
}

function split(state: AccountState, data: AccountData<'SplitApplied'>): void {
  const position = held(state, data.ticker);
  const ratio = parseRatio(data.ratio);
  const before = position.ofStrategy;
  const whole = before === position.quantity;
  position.quantity = parseQuantity(data.quantity);
  noteSide(state, data.ticker, position);
  attribute(position, whole ? position.quantity : sharesAfter(position, ratio));
  position.cost = parseMoney(data.cost);
  position.realized += parseMoney(data.realized);
  state.cash += parseMoney(data.cash_in_lieu);
  const mark = state.marks.get(data.ticker);
  if (position.quantity === 0n) state.marks.delete(data.ticker);
  else if (mark !== undefined) state.marks.set(data.ticker, mulDiv(mark, ratio.denominator, ratio.numerator));
  splitHoldings(state, data.ticker, ratio, before);
}

function borrowed(state: AccountState, data: AccountData<'BorrowCharged'>): void {
  const amount = parseMoney(data.amount);
  held(state, data.ticker).borrowing += amount;
  state.cash -= amount;
  shareIncome(state, data.ticker, -amount);
}

function settled(state: AccountState, data: AccountData<'PositionSettled'>): void {
  const position = held(state, data.ticker);
  settleHoldings(state, data.ticker, parsePrice(data.price));
  bookFill(position, -parseQuantity(data.quantity), parsePrice(data.price), 0n);
  noteSide(state, data.ticker, position);
  attribute(position, 0n);
  if (position.quantity !== 0n)
    throw corrupt(`the settlement of ${data.ticker} does not close the whole position`);
  state.marks.delete(data.ticker);
  state.cash += parseMoney(data.amount);
}

/** The result is cut to whole shares if the position consists of whole shares. */
function sharesAfter({ ofStrategy, quantity }: PositionState, { numerator, denominator }: Ratio): Quantity {
  const shares = (ofStrategy * numerator) / denominator;
  return quantity % ONE_SHARE === 0n ? shares - (shares % ONE_SHARE) : shares;
}

function dividend(state: AccountState, data: AccountData<'DividendPaid'>): void {
  const amount = parseMoney(data.amount);
  held(state, data.ticker).dividends += amount;
  state.cash += amount;
  shareIncome(state, data.ticker, amount);
}

function sessionClosed(state: AccountState, { session, closes, total_value }: ExactClose['exact']): void {
  if (session !== state.session || session === state.closedSession) {
    throw corrupt(`session ${session} was closed, but the open session is ${state.session ?? 'none'}`);
  }
  for (const [ticker, close] of closes) {
    state.marks.set(ticker, close);
    held(state, ticker).priced = session;
  }
  noteHighs(state, closes);
  state.closedSession = session;
  state.sessionsRun += 1;
  state.closeValue = total_value;
}
