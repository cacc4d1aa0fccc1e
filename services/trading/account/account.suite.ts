import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SubmitOrder, TradingPolicy } from '../../../actors/trading/commands.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { parseMoney, parsePrice, parseQuantity } from '../../../events/decimal.ts';
import { createCodec } from '../../../events/define.ts';
import { openEmbeddedStore } from '../../../events/store/embedded/embedded.ts';
import type { EventStore } from '../../../events/store/store.ts';
import { openSqliteVault } from '../../../events/vault/sqlite.ts';
import { FaultyStore } from '../../faulty-store.suite.ts';
import { AccountLog } from './log.ts';
import { AccountWriter } from './writer.ts';
import type { Snapshots } from './snapshots.ts';
import type { Caller } from './entry.ts';

export const ACCOUNT = 'test';

export const POLICY: TradingPolicy = {
  shorting: false,
  lot: parseQuantity('1'),
  collarBps: 500n,
  settlementSessions: 0,
  maxOrderValue: null,
  maxPositionBps: null,
  maxDailyLossBps: null,
  maintenanceBps: 3_000n,
  borrowBps: 0n,
};

export const noSnapshots: Snapshots = { read: async () => undefined, write: async () => undefined };

/** A market order to buy ten of AAA at about 100. */
export function order(orderId: string, changes: Partial<SubmitOrder> = {}): SubmitOrder {
  return {
    order_id: orderId,
    ticker: 'AAA',
    action: 'buy',
    type: 'market',
    quantity: parseQuantity('10'),
    price: null,
    stop_price: null,
    time_in_force: 'day',
    reduce_only: false,
    client_order_id: null,
    origin: 'client',
    client_timestamp: null,
    last_price: parsePrice('100'),
    ...changes,
  };
}

export function caller(callId: string, timeMs = 10_000): Caller {
  return { correlationId: callId, callId, deadline: new Date(Date.now() + timeMs) };
}

/** A store on disk, and writers of one account over it. */
export class AccountRecord {
  readonly store: FaultyStore;
  readonly codec;
  readonly lost: unknown[] = [];
  readAgain = 0;
  readonly #dispose: () => Promise<void>;

  private constructor(
    store: EventStore,
    codec: ReturnType<typeof createCodec>,
    dispose: () => Promise<void>,
  ) {
    this.store = new FaultyStore(store);
    this.codec = codec;
    this.#dispose = dispose;
  }

  static async create(): Promise<AccountRecord> {
    const folder = await mkdtemp(join(tmpdir(), 'beleg-account-'));
    const store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    const vault = await openSqliteVault({ file: join(folder, 'keys.db') });
    return new AccountRecord(store, createCodec(CATALOG, vault), async () => {
      await store.close();
      await vault.close();
      await rm(folder, { recursive: true });
    });
  }

  log(store: EventStore = this.store, snapshots = noSnapshots): AccountLog {
    return new AccountLog({ store, codec: this.codec, account: ACCOUNT, snapshots });
  }

  /** Over an account with this cash, where trading is active. */
  async writer(cash = '1000000', store: EventStore = this.store): Promise<AccountWriter> {
    const writer = await AccountWriter.open({
      log: this.log(store),
      policy: POLICY,
      now: () => new Date(),
      onReadAgain: () => (this.readAgain += 1),
      onLost: (error) => this.lost.push(error),
    });
    await writer.record(
      { type: 'open', account: ACCOUNT, currency: 'USD', cash: parseMoney(cash) },
      caller('open'),
    );
    await writer.record({ type: 'start' }, caller('start'));
    return writer;
  }

  /** Types of the account's events, in their order. */
  async types(): Promise<string[]> {
    const types: string[] = [];
    for await (const { type } of this.store.readStream(accountStream(ACCOUNT))) types.push(type);
    return types;
  }

  dispose(): Promise<void> {
    return this.#dispose();
  }
}
