import { openTables } from '../../events/sqlite/readable-file.ts';
import { MarketUpdateFinished } from '../../events/catalog/market.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import { whileHeld } from '../foundation/lease-holder.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';
import { startEngine, type EngineView } from './engine.ts';
import { openHeldAccount, type HeldAccount, type TradingServiceOptions } from './held-account.ts';
import type { AccountState } from '../../actors/trading/state.ts';
import { viewStatus, type StatusView } from '../../actors/trading/view.ts';
import { viewOwnStrategies } from '../../actors/trading/own-strategies-view.ts';
import { BelegError } from '../../events/errors.ts';
import { RebuildTradingTables } from '../../events/messages/audit.ts';
import { rebuildTables } from '../foundation/rebuild-tables.ts';
import { Responder } from '../foundation/responder.ts';
import type { Position } from '../../events/store/store.ts';
import { inTime } from '../../events/timeout-and-abort.ts';
import { clockCommands } from './clock-commands.ts';
import { accountPerformance } from './account-performance.ts';
import { tickersOf } from './tickers.ts';
import { tradingCommands } from './trading-commands.ts';
import { readEquity, readOrders } from './tables/queries.ts';
import * as messages from '../../events/messages/trading.ts';

/**
 * Owns the account: its record, its orders, its exchange with the broker, its clock. One process at a time, under the
 * lease `trading`; a process that has lost it without notice is fenced off by the account's revision.
 */
export function serveTrading(options: TradingServiceOptions) {
  const { bus, leases, settings, logger } = options;
  const engine = startEngine({
    open: (parts) => closingOnFailure((closers) => hold({ ...options, ...parts }, closers)),
    restsWhenIdle: settings.feedRests,
    speed: settings.feedSpeed,
    logger,
    actors: options.actors,
    account: settings.account,
  });

  async function hold(opening: Parameters<typeof openHeldAccount>[0], closers: AsyncDisposableStack) {
    const held = await openHeldAccount(opening);
    closers.defer(() => held.close());
    const tickers = tickersOf(held.market);
    const close = serveTradingRequests(options, held, { engine, hasTicker: (ticker) => tickers.has(ticker) });
    const updated = bus.subscribe(UPDATES, () => {
      engine.marketUpdated();
      void tickers.refresh();
    });
    return {
      ...held,
      async close() {
        await updated.unsubscribe();
        await close();
      },
    };
  }

  const lease = whileHeld(leases, 'trading', (giveUp) => engine.hold(giveUp));

  return {
    /** Resolves when this process has the account for the first time; rejects if it could not begin. */
    allHeld: lease.begun,
    status: () => figuresOf(engine),
    /** State hashes of the streams that this process holds. Rejects as the account's writer does. */
    stateHashes: async (): Promise<StateHashes> => (await engine.account?.stateHashes()) ?? {},
    /**
     * To be called before the process waits for its callers: no further session begins, and the session under way is
     * finished.
     */
    endSessions: () => engine.endSessions(),
    /**
     * To be called before the bus is drained: gives the account back, so that another process takes over at once.
     * Nothing is in flight afterwards.
     */
    async leave(): Promise<void> {
      await lease.end();
      engine.close();
    },
  };
}

export type TradingService = ReturnType<typeof serveTrading>;

/** The subject of the end of every market update. Its last token, which names the stream, is a wildcard. */
const UPDATES = MarketUpdateFinished.subject('').replace(/[^.]+$/, '*');

/** The engine's state for readiness and metrics. */
const figuresOf = ({ account, has, waiting }: ReturnType<typeof startEngine<HeldAccount>>) => ({
  /** Whether this process has the account; `false` if another one has it, or none. */
  held: has('held'),
  losing: account?.isLosing() ?? false,
  reconciling: has('held') && !has('reconciled'),
  feed_waiting: waiting,
  /** The number of callers that wait for the record. */
  waiting: account?.writer.waiting ?? 0,
  open_orders: account?.writer.state.open.size ?? 0,
  discrepancies: account?.writer.state.discrepancies.length ?? 0,
  tables_live: account?.projection.status().state === 'live',
});

/** Milliseconds that a query waits for what was recorded last to be in the tables. */
const TABLES_MS = 3_000;
/** Milliseconds that a status waits for the append in flight. After that, it shows what was recorded before. */
const STATUS_MS = 1_000;

/** Serves requests for one account until the returned function has resolved. */
function serveTradingRequests(
  options: TradingServiceOptions,
  held: HeldAccount,
  {
    engine,
    hasTicker,
  }: { readonly engine: EngineView; readonly hasTicker: (ticker: string) => Promise<boolean> },
): () => Promise<void> {
  const { store, settings } = options;
  const { account } = settings;
  const { writer, projection } = held;
  const commands = tradingCommands({ ...held, account, hasTicker, engine });
  const tables = openTables(held.file);
  const requests = new Responder(options, 'trading', 'trading');

  /**
   * Resolves when the tables contain everything that commands have replied so far, and everything up to the given
   * event.
   */
  async function upToDate(event?: string): Promise<void> {
    for (const position of [writer.position, event as Position | undefined])
      if (position) await projection.waitFor(position, { timeoutMs: TABLES_MS });
  }

  requests.answer(messages.StartTrading, commands.start);
  requests.answer(messages.StopTrading, commands.stop);
  requests.answer(messages.StartStrategy, commands.startStrategy);
  requests.answer(messages.StopStrategy, commands.stopStrategy);
  requests.answer(messages.OwnStrategiesQuery, async () => ({
    strategies: await writer.read((state) =>
      viewOwnStrategies(state, settings.policy, held.ownStrategies?.inUse ?? new Map()),
    ),
  }));
  const clock = clockCommands(engine, writer, settings);
  requests.answer(messages.PauseClock, clock.pause);
  requests.answer(messages.ResumeClock, clock.resume);
  requests.answer(messages.SetClockSpeed, clock.speed);
  requests.answer(messages.NextSession, clock.next);
  requests.answer(messages.MoveCash, commands.moveCash);
  requests.answer(messages.SubmitOrder, commands.submit);
  requests.answer(messages.CancelOrder, commands.cancel);
  requests.answer(messages.AmendOrder, commands.amend);
  requests.answer(messages.ClosePosition, commands.close);
  requests.answer(messages.CloseAllPositions, commands.closeAll);
  requests.answer(messages.TradingStatus, statusOf(held, engine));
  requests.answer(messages.Orders, async (query) => {
    await upToDate(query.including);
    return { orders: readOrders(tables, account, query) };
  });
  requests.answer(messages.EquityCurve, async (query) => {
    await upToDate();
    return { points: readEquity(tables, account, query) };
  });
  const { performance, trades } = accountPerformance(options);
  requests.answer(messages.AccountPerformance, performance);
  requests.answer(messages.AccountTrades, trades);

  requests.answer(RebuildTradingTables, () => rebuildTables(projection, store));

  return async () => {
    await requests.leave();
    // While the store is away, waiting callers would otherwise wait until their deadlines.
    await held.close();
    await requests.rest();
    tables.close();
  };
}

/** The status by the record; while the store is away, as it was recorded last. */
function statusOf({ writer, strategy }: HeldAccount, engine: EngineView): () => Promise<StatusView> {
  const look = (state: AccountState): StatusView => {
    const surroundings = {
      reconciling: !engine.has('reconciled'),
      feed_waiting: engine.waiting,
      feed_resting: engine.has('resting'),
      feed_paused: engine.has('byHand'),
      strategy: strategy.name,
    };
    // A session counts only after it is closed.
    return { ...viewStatus(state, surroundings), session: state.closedSession };
  };
  let last = look(writer.state);
  writer.follow(() => (last = look(writer.state)));
  return async () => {
    const reading = writer.read((state) => (last = look(state)));
    const late = new BelegError('STORE_UNAVAILABLE');
    return inTime(reading, STATUS_MS, () => late).catch((error: unknown) => {
      if (error !== late) throw error;
      return last;
    });
  };
}
