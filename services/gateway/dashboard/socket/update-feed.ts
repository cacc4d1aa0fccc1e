import {
  MarketUpdateFinished,
  MarketUpdateStarted,
  TickerUpdated,
  TickerUpdateFailed,
} from '../../../../events/catalog/market.ts';
import type { HeardEvent } from './account-events.ts';
import type { Hub } from './hub.ts';
import { prepare } from './prepared.ts';
import type { UpdatePush } from './server-message.ts';
import type { z } from 'zod';

const MAX_FAULTS = 5;

/** An update of the market data; one runs at a time. */
interface Update {
  readonly stream: string;
  revision: number;
  total: number | null;
  /** A ticker that is done again after a crash counts once. */
  readonly done: Set<string>;
}

/** Pushes how an update of the market data goes on, from its events. */
export class UpdateFeed {
  readonly #hub: Hub;
  #update: Update = { stream: '', revision: -1, total: null, done: new Set() };

  constructor(hub: Hub) {
    this.#hub = hub;
  }

  /** Throws for an event that is not what the catalogue says. */
  heard({ type, stream, revision, data }: HeardEvent): void {
    if (stream !== this.#update.stream) {
      this.#update = { stream, revision: -1, total: null, done: new Set() };
    }
    // The relay publishes at least once.
    if (data === null || revision <= this.#update.revision) return;
    this.#update.revision = revision;
    switch (type) {
      case MarketUpdateStarted.type: {
        const { update_id, tickers } = MarketUpdateStarted.schema.parse(data);
        this.#update.total = tickers.length;
        return this.#push({ event: type, update_id, ticker: null, ok: true, faults: [] });
      }
      case TickerUpdated.type: {
        const { update_id, ticker } = TickerUpdated.schema.parse(data);
        this.#update.done.add(ticker);
        return this.#push({ event: type, update_id, ticker, ok: true, faults: [] });
      }
      case TickerUpdateFailed.type: {
        const { update_id, ticker, faults } = TickerUpdateFailed.schema.parse(data);
        this.#update.done.add(ticker);
        return this.#push({
          event: type,
          update_id,
          ticker,
          ok: false,
          faults: faults.slice(0, MAX_FAULTS),
        });
      }
      case MarketUpdateFinished.type: {
        const { update_id, failed } = MarketUpdateFinished.schema.parse(data);
        return this.#push({ event: type, update_id, ticker: null, ok: failed === 0, faults: [] });
      }
    }
  }

  #push(of: Omit<z.output<typeof UpdatePush>, 'type' | 'seq' | 'done' | 'total'>): void {
    const { done, total } = this.#update;
    this.#hub.push('logs', prepare('update', 'some', { ...of, done: done.size, total }));
  }
}
