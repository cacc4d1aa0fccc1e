import * as market from '../../events/messages/market.ts';
import { whenVanished } from '../../events/sqlite/file-place.ts';
import { whileHeld } from '../foundation/lease-holder.ts';
import { Responder } from '../foundation/responder.ts';
import type { StateHashes } from '../foundation/streams/state-hashes.ts';
import { feedOf } from './session-feed.ts';
import { isIndexOnly, isNoFund } from './tickers-to-update.ts';
import { openSource } from './sources/open-source.ts';
import type { MarketSettings } from './settings.ts';
import { pipelineStatus } from './update-status.ts';
import { marketQueries } from './queries.ts';
import { openMarketStore } from './store.ts';
import { marketUpdater } from './updater.ts';
import { keepUp } from './scheduled-updates.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

const QUEUE = 'market';

interface MarketServiceOptions extends ServiceParts {
  /** The settings of the market. */
  settings: MarketSettings;
  /** Replaces the source in tests. */
  open?: typeof openSource;
}

/** The state for readiness and metrics; `null` if another process serves the market. */
type MarketStatus = Pick<
  ReturnType<typeof pipelineStatus>,
  'status' | 'tickers_loaded' | 'bars' | 'last'
> | null;

export type MarketService = ReturnType<typeof serveMarket>;

/**
 * The market service: bars, splits and dividends of one source in a file of its own, the sessions, and updates. One
 * process runs it, under the lease `market-update`, because another process would have another file and other bars.
 * While no process holds the lease, callers get `NO_RESPONDERS`.
 */
export function serveMarket(options: MarketServiceOptions) {
  const ready = Promise.withResolvers<void>();
  let held: LeaseSession | null = null;
  const part = whileHeld(options.leases, 'market-update', async (giveUp) => {
    const lease = (held = openLeaseSession(options, giveUp));
    lease.loaded.then(ready.resolve, () => undefined);
    return async () => {
      held = null;
      await lease.end();
    };
  });
  return {
    /**
     * Resolves when this process answers for the market for the first time; missing data is loaded meanwhile. Rejects
     * if the file of market data cannot be used.
     */
    allHeld: part.begun,
    /** Resolves when this process has bars to show, at once if an earlier run stored some. */
    ready: ready.promise,
    status: (): MarketStatus => held?.status() ?? null,
    /** State hashes of the streams that this process holds. */
    stateHashes: (): StateHashes => held?.stateHashes() ?? {},
    /** Called before the bus is drained. A running update is left; the next process that opens the file resumes it. */
    leave: () => part.end(),
  };
}

/** The work of one process while it holds the lease. */
function openLeaseSession(options: MarketServiceOptions, giveUp: () => void) {
  const { settings, now, logger, codec } = options;
  const opened = (options.open ?? openSource)(settings, now);
  const { source } = opened;
  const store = openMarketStore(settings.dbPath, (error) =>
    logger.error(
      { err: error },
      'the file of the market data is damaged: it is kept as ….damaged, and all is loaded anew from the source',
    ),
  );
  store.begin(opened.key);
  const endLook = whenVanished(
    () => store.isInPlace,
    () => {
      logger.error('the file of the market data, or its log, was removed or replaced, so all is loaded anew');
      giveUp();
    },
  );
  const updater = marketUpdater({
    store: options.store,
    codec,
    market: store,
    source,
    logger,
    now,
    actors: options.actors,
    onFenced: giveUp,
  });
  const status = () =>
    pipelineStatus(opened, settings, store, {
      running: updater.running,
      sourceFault: upkeep.sourceFault,
      now: now(),
    });
  const isLoading = (): boolean => ['uninitialized', 'loading'].includes(status().status);
  const queries = marketQueries({ store, source, settings, isLoading });
  const leaveOut = (ticker: string): boolean => isIndexOnly(source, settings, ticker);
  const feed = feedOf({
    store,
    source,
    feedFrom: settings.feedFrom,
    leaveOut,
    isNoFund: (ticker) => isNoFund(source, settings, ticker),
  });
  const requests = new Responder(options, QUEUE, 'market-update');
  requests.answer(market.Tickers, async () => queries.tickers());
  requests.answer(market.Pipeline, async () => status());
  requests.answer(market.LatestPrice, async (request) => queries.price(request));
  requests.answer(market.Prices, async (request) => queries.prices(request));
  requests.answer(market.CorporateActions, async (request) => queries.actions(request));
  requests.answer(market.Features, async (request) => queries.features(request));
  requests.answer(market.RecentCloses, async (request) => queries.closes(request));
  requests.answer(market.Sessions, ({ after, limit, ticker }) => feed.after(after, limit, ticker));
  requests.answer(market.SessionOn, async ({ date }) => ({ session: feed.on(date) }));
  requests.answer(market.UpdateMarket, async (_, call) => ({
    status: 'started' as const,
    update_id: await upkeep.update(call),
  }));
  const upkeep = keepUp({ opened, settings, store, updater, logger, now });
  return {
    loaded: upkeep.loaded,
    status,
    stateHashes: () => updater.stateHashes(),
    async end(): Promise<void> {
      endLook();
      await requests.leave();
      await Promise.all([upkeep.close(), updater.close()]);
      store.close();
    },
  };
}

type LeaseSession = ReturnType<typeof openLeaseSession>;
