import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pino } from 'pino';
import { emptyBook, evolve as evolveBook } from '../../actors/paper-broker/book.ts';
import { evolve } from '../../actors/trading/evolve.ts';
import { unsettledCash } from '../../actors/trading/exposure.ts';
import { stateHash } from '../../actors/trading/snapshot.ts';
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
import type { DomainEvent } from '../../events/define.ts';
import { verifyRecord } from '../../events/store/verify.ts';
import { readSettings, type Environment } from '../../services/config.ts';
import { openRuntime, type Runtime } from '../../services/runtime.ts';
import { snapshotFile } from '../../services/trading/snapshots.ts';
import type { Answer } from './child.ts';
import type { Step } from './script.ts';

export interface RecordReport {
  readonly faults: readonly string[];
  readonly events: number;
  readonly fills: number;
  readonly orders: number;
}

/** Reads the whole record of account and broker as the next start would find it, and says everything that is wrong with it. */
export async function checkTradingRecord(
  environment: Environment,
  { steps, answersFile }: { steps: readonly Step[]; answersFile: string },
): Promise<RecordReport> {
  const settings = readSettings(environment);
  const runtime = await openRuntime(settings, pino({ level: 'silent' }));
  try {
    const account = await read<AccountEvent>(runtime, accountStream(settings.trading.account));
    const broker = await read<PaperBrokerEvent>(runtime, paperBrokerStream(settings.trading.account));
    const chains = await verifyRecord(runtime.store);
    const faults = [
      ...chains.broken.map((stream) => `chain broken: ${JSON.stringify(stream)}`),
      ...checkIds([...account, ...broker]),
      ...checkFolds(account),
      ...checkBroker(account, broker),
      ...checkAnswers(account, steps, await answersIn(answersFile)),
      ...(await checkSnapshot(
        account,
        join(settings.dataDir, `account-${settings.trading.account}.snapshot`),
      )),
    ];
    const fills = account.filter(({ type }) => type === 'OrderFilled').length;
    const orders = account.filter(({ type }) => type === 'OrderSubmitted').length;
    return { faults, events: account.length, fills, orders };
  } finally {
    await runtime.close();
  }
}

async function read<E>({ store, codec }: Runtime, stream: string): Promise<E[]> {
  const events: E[] = [];
  for await (const recorded of store.readStream(stream)) events.push((await codec.decode(recorded)) as E);
  return events;
}

async function answersIn(file: string): Promise<Answer[]> {
  const lines = (await readFile(file, 'utf8').catch(() => '')).split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Answer);
}

function checkIds(events: readonly DomainEvent<string, unknown>[]): string[] {
  return new Set(events.map(({ id }) => id)).size === events.length ? [] : ['an event is there twice'];
}

/** Cash and positions, added up from the events by hand, are what the account's own fold says. */
function checkFolds(events: readonly AccountEvent[]): string[] {
  const state = events.reduce(evolve, initialState());
  let cash = 0n;
  const held = new Map<string, bigint>();
  for (const { type, data } of events) {
    if (type === 'AccountOpened') cash += parseMoney(data.cash);
    if (type === 'DividendPaid') cash += parseMoney(data.amount);
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

/** The broker has just the orders that the account sent, each once; each of its trades is booked once, as it was. */
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
    if (status === 'unknown' || status === 'submitted') faults.push(`${order_id} never got to the broker`);
  }
  return faults;
}

/** Acknowledged orders are there once, under the id that was given; no client_order_id is there twice. */
function checkAnswers(
  events: readonly AccountEvent[],
  steps: readonly Step[],
  answers: readonly Answer[],
): string[] {
  const faults: string[] = [];
  const submitted = new Map<string, string[]>();
  const withdrawn = new Set<string>();
  for (const { type, data } of events) {
    if (type === 'OrderWithdrawn') withdrawn.add(data.order_id);
    if (type !== 'OrderSubmitted' || data.client_order_id === null) continue;
    submitted.set(data.client_order_id, [...(submitted.get(data.client_order_id) ?? []), data.order_id]);
  }
  for (const { step, order_id, refused } of answers) {
    const what = steps[step]!;
    if (what.kind !== 'order') continue;
    const ids = (submitted.get(what.body.client_order_id) ?? []).filter((id) => !withdrawn.has(id));
    if (refused === undefined && ids[0] !== order_id) faults.push(`step ${step}: ${order_id} is lost`);
    if (refused !== undefined && ids.length > 0) faults.push(`step ${step}: refused (${refused}), but there`);
    if (ids.length > 1) faults.push(`step ${step}: there ${ids.length} times`);
  }
  return faults;
}

/** The state that the last process had when it stopped is what its events say. */
async function checkSnapshot(events: readonly AccountEvent[], file: string): Promise<string[]> {
  const snapshot = await snapshotFile(file, () => undefined).read();
  if (snapshot === undefined) return ['there is no snapshot'];
  const { state, revision, eventId } = snapshot;
  const until = events.slice(0, Number(revision) + 1);
  if (until.at(-1)?.id !== eventId) return ['the snapshot is of another stream'];
  const live = stateHash(state);
  const replayed = stateHash(until.reduce(evolve, initialState()));
  const [whole, tail] = [
    stateHash(events.reduce(evolve, initialState())),
    stateHash(events.slice(Number(revision) + 1).reduce(evolve, state)),
  ];
  return [
    ...(live === replayed ? [] : ['the live state is not what a replay gives']),
    ...(whole === tail ? [] : ['snapshot and tail are not what a replay gives']),
  ];
}
