import type { DatabaseSync } from 'node:sqlite';
import { KEPT_DONE } from '../../actors/trading/open-orders.ts';
import type { ClientOrder } from '../../actors/trading/state.ts';
import type { ProjectionRunner } from '../../events/projections/runner.ts';
import type { AccountWriter } from './account/account.ts';
import { openTradingTables, readClientOrder } from './tables/queries.ts';

interface EarlierOrdersOptions {
  readonly account: string;
  readonly writer: Pick<AccountWriter, 'state' | 'position' | 'follow'>;
  readonly projection: ProjectionRunner;
  /** The projection's. */
  readonly file: string;
}

/** Milliseconds that an order may wait for tables that are behind. */
const TABLES_MS = 2_000;
/** Events after which the tables must have come further: with what is in flight, far fewer than an order is kept for. */
const STEP = KEPT_DONE / 4;

/**
 * Orders by their `client_order_id`, also when the account's state has let go of them: in the tables, which hold all
 * that were ever submitted. How far the tables must be is known without asking each time: an order is let go of once
 * `KEPT_DONE` others were done after it, so it was over that many events ago or more.
 */
export function earlierOrders({ account, writer, projection, file }: EarlierOrdersOptions) {
  let tables: DatabaseSync | undefined;
  /** The tables must hold everything up to here. */
  let needed = writer.position;
  let next = needed;
  /** Since `next`. */
  let events = 0;
  const unsubscribe = writer.follow((recorded) => {
    events += recorded.length;
    if (events < STEP) return;
    needed = next;
    next = writer.position;
    events = 0;
  });

  return {
    /**
     * One that is done; those that are open the state knows. Rejects with `DEADLINE_EXCEEDED` or `SERVICE_UNAVAILABLE`
     * where the tables have not come far enough to tell.
     */
    async find(clientOrderId: string): Promise<ClientOrder | undefined> {
      const { state } = writer;
      const known = state.clientOrders.get(clientOrderId);
      // By the time it is decided on, the state may have let go of it.
      if (known !== undefined) return state.done.has(known.order_id) ? known : undefined;
      if (state.orderCount === state.orders.size) return undefined;
      if (needed !== null) await projection.waitFor(needed, { timeoutMs: TABLES_MS });
      tables ??= openTradingTables(file);
      return readClientOrder(tables, account, clientOrderId);
    },
    close(): void {
      unsubscribe();
      tables?.close();
    },
  };
}

export type EarlierOrders = ReturnType<typeof earlierOrders>;
