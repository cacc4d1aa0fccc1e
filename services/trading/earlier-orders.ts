import { openTables } from '../../events/sqlite/readable-file.ts';
import type { DatabaseSync } from 'node:sqlite';
import { KEPT_DONE } from '../../actors/trading/open-orders.ts';
import type { ClientOrder } from '../../actors/trading/state.ts';
import type { ProjectionRunner } from '../../events/projections/runner.ts';
import type { AccountWriter } from './account/account.ts';
import { readClientOrder } from './tables/queries.ts';

interface EarlierOrdersOptions {
  readonly account: string;
  readonly writer: Pick<AccountWriter, 'state' | 'position' | 'follow'>;
  readonly projection: ProjectionRunner;
  /** The file of the tables. */
  readonly file: string;
}

/** Milliseconds that an order may wait for tables that are behind. */
const TABLES_MS = 2_000;
/**
 * The number of events after which the tables must have advanced. Together with the events in flight it is far below
 * the number for which an order is kept.
 */
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
  /** The number of events since `next`. */
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
     * Finds an order that is done; open orders are in the state. Rejects with `DEADLINE_EXCEEDED` or
     * `SERVICE_UNAVAILABLE` if the tables have not advanced far enough.
     */
    async find(clientOrderId: string): Promise<ClientOrder | undefined> {
      const { state } = writer;
      const known = state.clientOrders.get(clientOrderId);
      // An order that is done is returned, because the state may have dropped it by the time the command is decided
      // on.
      if (known !== undefined) return state.done.has(known.order_id) ? known : undefined;
      if (state.orderCount === state.orders.size) return undefined;
      if (needed !== null) await projection.waitFor(needed, { timeoutMs: TABLES_MS });
      tables ??= openTables(file);
      return readClientOrder(tables, account, clientOrderId);
    },
    close(): void {
      unsubscribe();
      tables?.close();
    },
  };
}

export type EarlierOrders = ReturnType<typeof earlierOrders>;
