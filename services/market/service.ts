import * as market from '../../events/messages/market.ts';
import { whileHeld } from '../lease-holder.ts';
import { Responder } from '../responder.ts';
import type { StateHashes } from '../state-hashes.ts';
import { Feed } from './feed.ts';
import { isIndexOnly } from './listing.ts';
import { openSource, type MarketSettings, type OpenedSource } from './sources/open-source.ts';
import { pipelineStatus } from './pipeline.ts';
import { MarketQueries } from './queries.ts';
import { openMarketStore, type MarketStore } from './store.ts';
import { Updater } from './updater.ts';
import { Upkeep } from './upkeep.ts';
import type { ServiceParts } from '../service-parts.ts';

const QUEUE = 'market';

interface MarketServiceOptions extends ServiceParts {
  /** What `TD_SOURCE` and its fellows say. */
  settings: MarketSettings;
  /** For tests. */
  open?: typeof openSource;
}

/** For readiness and figures; `null` where another process serves. */
type MarketStatus = Pick<
  ReturnType<typeof pipelineStatus>,
  'status' | 'tickers_loaded' | 'bars' | 'last'
> | null;

export type MarketService = ReturnType<typeof serveMarket>;

/**
 * The market: bars, splits and dividends of one source in a file of their own, the sessions that time comes from, and
 * updates. One process does all of it, the holder of the lease `market-update`: the file is its own, so that another one
 * would answer from other bars. Where none holds it, callers hear `NO_RESPONDERS`.
 */
export function serveMarket(options: MarketServiceOptions) {
  const ready = Promise.withResolvers<void>();
  let held: LeaseSession | null = null;
  const part = whileHeld(options.leases, 'market-update', async (giveUp) => {
    const lease = (held = new LeaseSession(options, giveUp));
    lease.loaded.then(ready.resolve, () => undefined);
    return async () => {
      held = null;
      await lease.end();
    };
  });
  return {
    /**
     * Resolves when this process answers for the market, which it does at once where it is the only one; it loads what is
     * not there meanwhile. Rejects when the file of the market data cannot be used.
     */
    allHeld: part.begun,
    /** Resolves when this process has bars to show: at once where an earlier run stored them. */
    ready: ready.promise,
    status: (): MarketStatus => held?.status() ?? null,
    /** Of what this process has. */
    stateHashes: (): StateHashes => held?.stateHashes() ?? {},
    /** Before the bus is drained. An update that runs is left where it is, and taken up again by whoever opens the file. */
    leave: () => part.end(),
  };
}

/** From getting the lease to giving it back. */
class LeaseSession {
  readonly #options: MarketServiceOptions;
  readonly #opened: OpenedSource;
  readonly #store: MarketStore;
  readonly #updater: Updater;
  readonly #upkeep: Upkeep;
  readonly #requests: Responder;

  /** @throws {BelegError} `STORE_UNAVAILABLE` */
  constructor(options: MarketServiceOptions, giveUp: () => void) {
    const { settings, now, logger, codec } = options;
    this.#options = options;
    this.#opened = (options.open ?? openSource)(settings, now);
    const store = (this.#store = openMarketStore(settings.dbPath));
    store.begin(this.#opened.key);
    this.#updater = new Updater({
      store: options.store,
      codec,
      market: store,
      source: this.#opened.source,
      logger,
      now,
      onFenced: giveUp,
    });
    this.#requests = this.#serve();
    this.#upkeep = new Upkeep({ opened: this.#opened, settings, store, updater: this.#updater, logger, now });
  }

  get loaded(): Promise<void> {
    return this.#upkeep.loaded;
  }

  status(): ReturnType<typeof pipelineStatus> {
    const { settings, now } = this.#options;
    return pipelineStatus(this.#opened, settings, this.#store, {
      running: this.#updater.running,
      sourceFault: this.#upkeep.sourceFault,
      now: now(),
    });
  }

  stateHashes(): StateHashes {
    return this.#updater.stateHashes();
  }

  async end(): Promise<void> {
    await this.#requests.leave();
    await Promise.all([this.#upkeep.close(), this.#updater.close()]);
    this.#store.close();
  }

  #serve(): Responder {
    const { settings } = this.#options;
    const { source } = this.#opened;
    const store = this.#store;
    const queries = new MarketQueries({
      store,
      source,
      settings,
      isLoading: () => ['uninitialized', 'loading'].includes(this.status().status),
    });
    const feed = new Feed({
      store,
      source,
      feedFrom: settings.feedFrom,
      leaveOut: (ticker) => isIndexOnly(source, settings, ticker),
    });
    const requests = new Responder(this.#options, QUEUE);
    requests.answer(market.Tickers, async () => queries.tickers());
    requests.answer(market.Pipeline, async () => this.status());
    requests.answer(market.LatestPrice, async (request) => queries.price(request));
    requests.answer(market.Prices, async (request) => queries.prices(request));
    requests.answer(market.CorporateActions, async (request) => queries.actions(request));
    requests.answer(market.Features, async (request) => queries.features(request));
    requests.answer(market.RecentCloses, async (request) => queries.closes(request));
    requests.answer(market.Sessions, ({ after, limit }) => feed.after(after, limit));
    requests.answer(market.SessionOn, async ({ date }) => ({ session: feed.on(date) }));
    requests.answer(market.UpdateMarket, async (_, call) => ({
      status: 'started' as const,
      update_id: await this.#upkeep.update(call),
    }));
    return requests;
  }
}
