import type { Logger } from 'pino';
import { MarketUpdateFinished } from '../../events/catalog/market.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import { whileHeld } from '../foundation/lease-holder.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';
import { openLeaseSession, type LeaseSession, type TradingServiceOptions } from './lease-session.ts';
import type { AccountState } from '../../actors/trading/state.ts';
import { viewStatus, type StatusView } from '../../actors/trading/view.ts';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError } from '../../events/errors.ts';
import { RebuildTradingTables } from '../../events/messages/audit.ts';
import type { EventStore } from '../../events/store/store.ts';
import { rebuildTables } from '../foundation/rebuild-tables.ts';
import { Responder } from '../foundation/responder.ts';
import { openTradingTables, readEquity, readOrders } from './tables/queries.ts';
import * as messages from '../../events/messages/trading.ts';

/**
 * Owns the account: its record, its orders, its dealings with the broker, its clock. One process at a time, under the
 * lease `trading`; one that has lost it without knowing is fenced off by the account's revision.
 */
export function serveTrading(options: TradingServiceOptions) {
  const { bus, leases, settings } = options;
  let lease: LeaseSession | null = null;

  const account = whileHeld(leases, 'trading', (giveUp) =>
    closingOnFailure(async (closers) => {
      const held = await openLeaseSession({ ...options, giveUp });
      closers.defer(() => held.end());
      const close = serveTradingRequests({ ...options, account: settings.account }, held);
      const updated = bus.subscribe(UPDATES, () => held.feed.nudge());
      lease = held;
      return async () => {
        await updated.unsubscribe();
        await close();
        lease = null;
      };
    }),
  );

  return {
    /** Resolves when this process has the account, which it does at once where it is the only one. Rejects when it could not begin. */
    allHeld: account.begun,
    status: () => figuresOf(lease),
    /** Of what this process has. Rejects as the account's writer does. */
    stateHashes: async (): Promise<StateHashes> => (await lease?.stateHashes()) ?? {},
    /** Before the bus is drained: gives the account back, so that another process takes over at once. Nothing is in flight then. */
    leave: () => account.end(),
  };
}

export type TradingService = ReturnType<typeof serveTrading>;

/** The subject for the end of every market update: the last token, which names the stream, is a wildcard. */
const UPDATES = MarketUpdateFinished.subject('').replace(/[^.]+$/, '*');

/** For readiness and figures. */
const figuresOf = (lease: LeaseSession | null) => ({
  /** This process has the account; `false` where another one has it, or nobody. */
  held: lease !== null,
  reconciling: lease?.isReconciling() ?? false,
  feed_waiting: lease?.feed.waiting ?? false,
  /** Callers that wait for the record. */
  waiting: lease?.writer.waiting ?? 0,
  open_orders: lease?.writer.state.open.size ?? 0,
  discrepancies: lease?.writer.state.discrepancies.length ?? 0,
  tables_live: lease?.projection.status().state === 'live',
});

/** Milliseconds that a query waits for what was recorded last to be in the tables. */
const TABLES_MS = 3_000;
/** Milliseconds that a status waits for the append in flight; after that, it is as recorded before. */
const STATUS_MS = 1_000;

/** Serves one account's requests until the function that it returns has been called and has resolved. */
function serveTradingRequests(
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

  requests.answer(messages.StartTrading, commands.start);
  requests.answer(messages.StopTrading, commands.stop);
  requests.answer(messages.SubmitOrder, commands.submit);
  requests.answer(messages.CancelOrder, commands.cancel);
  requests.answer(messages.ClosePosition, commands.close);
  requests.answer(messages.CloseAllPositions, commands.closeAll);
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
function statusOf({ writer, feed, strategy, isReconciling }: LeaseSession): () => Promise<StatusView> {
  const look = (state: AccountState): StatusView => {
    const surroundings = {
      reconciling: isReconciling(),
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
