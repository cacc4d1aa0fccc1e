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
 * Finds orders by their `client_order_id`, even after the account's state has dropped them: the tables hold every
 * order that was ever submitted. The state drops an order only after `KEPT_DONE` later orders were done. A dropped
 * order is therefore at least that many events old, so the tables only need to have reached an earlier position,
 * which is tracked here.
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
      // An order that is done is returned, because the state may have dropped it by the time the command is decided
      // on.
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
