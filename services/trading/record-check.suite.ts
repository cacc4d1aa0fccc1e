import { emptyBook, evolve as evolveBook } from '../../actors/paper-broker/book.ts';
import { evolve } from '../../actors/trading/evolve.ts';
import { unsettledCash } from '../../actors/trading/account-value.ts';
import { initialState } from '../../actors/trading/state.ts';
import { paperBrokerStream } from '../../events/catalog/broker.ts';
import type { AccountEvent, PaperBrokerEvent } from '../../events/catalog/catalog.ts';
import { accountStream } from '../../events/catalog/trading.ts';
import {
  moneyText,
  parseMoney,
  parsePrice,
  parseQuantity,
  quantityText,
  valueOf,
} from '../../events/decimal.ts';
import type { Codec, DomainEvent } from '../../events/define.ts';
import type { EventStore } from '../../events/store/store.ts';
import { describeFinding } from '../../events/proof/finding-words.ts';
import { verifyRecord } from '../../events/proof/verify.ts';

/** A trading record, and all its faults. */
export interface TradingRecord {
  readonly account: readonly AccountEvent[];
  readonly broker: readonly PaperBrokerEvent[];
  readonly faults: readonly string[];
}

/** Reads an account and its paper broker, adds them up by hand, and compares them with each other. */
export async function readTradingRecord(
  store: EventStore,
  codec: Codec,
  name: string,
): Promise<TradingRecord> {
  const account = await read<AccountEvent>(store, codec, accountStream(name));
  const broker = await read<PaperBrokerEvent>(store, codec, paperBrokerStream(name));
  const chains = await verifyRecord(store);
  const faults = [
    ...chains.findings.map(describeFinding),
    ...checkIds([...account, ...broker]),
    ...checkFolds(account),
    ...checkBroker(account, broker),
  ];
  return { account, broker, faults };
}

async function read<E>(store: EventStore, codec: Codec, stream: string): Promise<E[]> {
  const events: E[] = [];
  for await (const recorded of store.readStream(stream)) events.push((await codec.decode(recorded)) as E);
  return events;
}

function checkIds(events: readonly DomainEvent<string, unknown>[]): string[] {
  return new Set(events.map(({ id }) => id)).size === events.length ? [] : ['an event is there twice'];
}

/** Cash and positions, summed up from the events, equal the account's own fold. */
function checkFolds(events: readonly AccountEvent[]): string[] {
  const state = events.reduce(evolve, initialState());
  let cash = 0n;
  const held = new Map<string, bigint>();
  for (const { type, data } of events) {
    if (type === 'AccountOpened') cash += parseMoney(data.cash);
    if (type === 'CashMoved') cash += parseMoney(data.amount);
    if (type === 'DividendPaid') cash += parseMoney(data.amount);
    if (type === 'BorrowCharged') cash -= parseMoney(data.amount);
    if (type === 'PositionSettled') {
      cash += parseMoney(data.amount);
      held.set(data.ticker, 0n);
    }
    if (type === 'SplitApplied') {
      cash += parseMoney(data.cash_in_lieu);
      held.set(data.ticker, parseQuantity(data.quantity));
    }
    if (type === 'OrderFilled') {
      const quantity = parseQuantity(data.quantity) * (data.action === 'buy' ? 1n : -1n);
      cash -= valueOf(quantity, parsePrice(data.price)) + parseMoney(data.fee);
      held.set(data.ticker, (held.get(data.ticker) ?? 0n) + quantity);
    }
  }
  const ours = state.cash + unsettledCash(state);
  const faults = cash === ours ? [] : [`cash: ${moneyText(ours)} instead of ${moneyText(cash)}`];
  for (const [ticker, quantity] of held) {
    const ours = state.positions.get(ticker)?.quantity ?? 0n;
    if (ours !== quantity)
      faults.push(`${ticker}: ${quantityText(ours)} instead of ${quantityText(quantity)}`);
  }
  for (const { kind, detail } of state.discrepancies) faults.push(`discrepancy ${kind}: ${detail}`);
  for (const { order_id, filled, quantity } of state.orders.values()) {
    if (filled > quantity) faults.push(`${order_id} is filled beyond its quantity`);
  }
  return faults;
}

/** The broker has just the orders that the account sent, each once, and open where it is open here; each of its trades is booked once, as it was. */
function checkBroker(account: readonly AccountEvent[], broker: readonly PaperBrokerEvent[]): string[] {
  const faults: string[] = [];
  const state = account.reduce(evolve, initialState());
  const book = broker.reduce(evolveBook, emptyBook());
  const accepted = broker.flatMap(({ type, data }) => (type === 'PaperOrderAccepted' ? [data.order_id] : []));
  if (new Set(accepted).size !== accepted.length) faults.push('the broker has an order twice');
  for (const id of accepted)
    if (!state.orders.has(id)) faults.push(`the broker has ${id}, the account has not`);
  const theirs = broker.flatMap(({ type, data }) =>
    type === 'PaperTradeExecuted' ? [[data.trade_id, data.quantity, data.price, data.fee].join(' ')] : [],
  );
  const ours = account.flatMap(({ type, data }) =>
    type === 'OrderFilled' ? [[data.trade_id, data.quantity, data.price, data.fee].join(' ')] : [],
  );
  for (const trade of theirs) if (!ours.includes(trade)) faults.push(`not booked: ${trade}`);
  for (const trade of ours) if (!theirs.includes(trade)) faults.push(`booked, but never made: ${trade}`);
  if (new Set(ours).size !== ours.length) faults.push('a trade is booked twice');
  for (const [ticker, { quantity }] of state.positions) {
    if ((book.positions.get(ticker) ?? 0n) !== quantity)
      faults.push(`${ticker}: the broker has another position`);
  }
  for (const { order_id, status } of state.open.values()) {
    if (!accepted.includes(order_id)) faults.push(`${order_id} never got to the broker`);
    else if (!book.open.has(order_id)) faults.push(`${order_id} is open here, but done at the broker`);
    else if (status === 'unknown' || status === 'submitted')
      faults.push(`that the broker has ${order_id} was never noted`);
  }
  for (const id of book.open.keys())
    if (!state.open.has(id)) faults.push(`${id} is open at the broker, but done here`);
  return faults;
}
