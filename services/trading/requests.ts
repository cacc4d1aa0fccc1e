import type { Logger } from 'pino';
import type { AccountState } from '../../actors/trading/state.ts';
import { viewStatus, type StatusView } from '../../actors/trading/view.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { RebuildTradingTables } from '../../events/messages/audit.ts';
import * as messages from '../../events/messages/trading.ts';
import type { EventStore } from '../../events/store/store.ts';
import { rebuildTables } from '../rebuild-tables.ts';
import { Responder } from '../responder.ts';
import { openTradingTables, readEquity, readOrders } from './tables/queries.ts';
import type { LeaseSession } from './lease-session.ts';

/** Milliseconds that a query waits for what was recorded last to be in the tables. */
const TABLES_MS = 3_000;
/** Milliseconds that a status waits for the append in flight; after that, it is as recorded before. */
const STATUS_MS = 1_000;

/** Serves one account's requests until the function that it returns has been called and has resolved. */
export function serveTradingRequests(
  options: { bus: MessageBus; logger: Logger; store: EventStore; account: string },
  lease: LeaseSession,
): () => Promise<void> {
  const { store, account } = options;
  const { commands } = lease;
  const tables = openTradingTables(lease.file);
  const requests = new Responder(options, 'trading');

  /** What a command has replied is in the tables then. */
  async function upToDate(): Promise<void> {
    const { position } = lease.writer;
    if (position !== null) await lease.projection.waitFor(position, { timeoutMs: TABLES_MS });
  }

  requests.answer(messages.StartTrading, async (_, call) => {
    await commands.start(call);
    return { status: 'started' as const };
  });
  requests.answer(messages.StopTrading, async (_, call) => {
    await commands.stop(call);
    return { status: 'stopped' as const };
  });
  requests.answer(messages.SubmitOrder, async (request, call) => ({
    status: 'submitted' as const,
    order_id: await commands.submit(request, call),
  }));
  requests.answer(messages.CancelOrder, async ({ order_id }, call) => {
    await commands.cancel(order_id, call);
    return { status: 'cancelled' as const };
  });
  requests.answer(messages.ClosePosition, async ({ ticker }, call) => ({
    status: 'submitted' as const,
    order_id: await commands.close(ticker, call),
  }));
  requests.answer(messages.CloseAllPositions, async (_, call) => ({
    status: 'submitted' as const,
    results: await commands.closeAll(call),
  }));
  requests.answer(messages.TradingStatus, statusOf(lease));
  requests.answer(messages.Orders, async (query) => {
    await upToDate();
    return { orders: readOrders(tables, account, query) };
  });
  requests.answer(messages.EquityCurve, async ({ limit }) => {
    await upToDate();
    return { points: readEquity(tables, account, limit) };
  });

  requests.answer(RebuildTradingTables, () => rebuildTables(lease.projection, store));

  return async () => {
    await requests.leave();
    // While the store is away, they would wait for it until their deadlines.
    await lease.end();
    await requests.rest();
    tables.close();
  };
}

/** As recorded; while the store is away: as recorded last. */
function statusOf({ writer, feed, strategy, reconciling }: LeaseSession): () => Promise<StatusView> {
  const look = (state: AccountState): StatusView => {
    const surroundings = {
      reconciling: reconciling(),
      feed_waiting: feed.waiting,
      feed_resting: feed.resting,
      strategy,
    };
    // A session counts once it is closed.
    return { ...viewStatus(state, surroundings), session: state.closedSession };
  };
  let last: StatusView | undefined;
  writer.follow(() => (last = look(writer.state)));
  return async () => {
    const reading = writer.read((state) => (last = look(state)));
    const late = Promise.withResolvers<StatusView>();
    const timer = setTimeout(() => {
      if (last === undefined) late.reject(new BelegError('STORE_UNAVAILABLE'));
      else late.resolve(last);
    }, STATUS_MS);
    return Promise.race([reading, late.promise]).finally(() => clearTimeout(timer));
  };
}
