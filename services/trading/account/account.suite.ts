import { POLICY } from '../../../actors/trading/account.suite.ts';
import type { SubmitOrder } from '../../../actors/trading/commands.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { parseMoney, parsePrice, parseQuantity } from '../../../events/decimal.ts';
import { createCodec } from '../../../events/define.ts';
import type { CallContext } from '../../../events/messages/define.ts';
import { MemoryStore } from '../../../events/store/memory-store.suite.ts';
import type { EventStore } from '../../../events/store/store.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { FaultyStore } from '../../../testing/faults/faulty-store.suite.ts';
import { openAccount, type AccountWriter } from './account.ts';
import type { Snapshots } from './snapshots.ts';

export const ACCOUNT = 'test';

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

export function caller(callId: string, timeMs = 10_000): CallContext {
  return { correlationId: callId, callId, deadline: new Date(Date.now() + timeMs) };
}

const sealsNothing = (): never => {
  throw new Error('an account seals nothing');
};
const VAULT = { seal: sealsNothing, open: sealsNothing } as unknown as Vault;

/** A record, and writers of one account over it. */
export class AccountRecord {
  readonly store = new FaultyStore(new MemoryStore());
  readonly codec = createCodec(CATALOG, VAULT);
  readonly lost: unknown[] = [];

  /** Loads the recorded account. */
  load(snapshots = noSnapshots): Promise<AccountWriter> {
    return this.open(this.store, snapshots);
  }

  open(store: EventStore, snapshots = noSnapshots): Promise<AccountWriter> {
    return openAccount({
      store,
      codec: this.codec,
      account: ACCOUNT,
      snapshots,
      policy: POLICY,
      now: () => new Date(),
      onLost: (error) => this.lost.push(error),
    });
  }

  /** Over an account with this cash, where trading is active. */
  async writer(cash = '1000000', store: EventStore = this.store): Promise<AccountWriter> {
    const writer = await this.open(store);
    await writer.submit(
      { type: 'open', account: ACCOUNT, currency: 'USD', cash: parseMoney(cash) },
      caller('open'),
    );
    await writer.submit({ type: 'start' }, caller('start'));
    return writer;
  }

  /** Types of the account's events, in their order. */
  async types(): Promise<string[]> {
    const types: string[] = [];
    for await (const { type } of this.store.readStream(accountStream(ACCOUNT))) types.push(type);
    return types;
  }
}
