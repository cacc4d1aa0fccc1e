import type { z } from 'zod';
import type { MessageBus } from '../../../../events/bus/bus.ts';
import * as market from '../../../../events/catalog/market.ts';
import { followEvents, type EventReaders } from '../follow-events.ts';
import type { Hub } from './subscriptions.ts';
import { prepare } from './prepared-push.ts';
import type { UpdatePush } from './server-message.ts';

const MAX_FAULTS = 5;

type Pushed = z.output<typeof UpdatePush>;
type Said = Pick<Pushed, 'update_id' | 'ticker' | 'ok' | 'faults'> & { readonly total?: number };

const WELL = { ticker: null, ok: true, faults: [] };
const READERS: EventReaders<typeof market, Said> = {
  MarketUpdateStarted: ({ update_id, tickers }) => ({ ...WELL, update_id, total: tickers.length }),
  TickerUpdated: ({ update_id, ticker }) => ({ ...WELL, update_id, ticker }),
  TickerUpdateFailed: ({ update_id, ticker, faults }) => ({
    update_id,
    ticker,
    ok: false,
    faults: faults.slice(0, MAX_FAULTS),
  }),
  MarketUpdateFinished: ({ update_id, failed }) => ({ ...WELL, update_id, ok: failed === 0 }),
};

/** An update of the market data; one runs at a time. */
interface Update {
  readonly stream: string;
  revision: number;
  total: number | null;
  /** A set, because a ticker that is repeated after a crash counts once. */
  readonly done: Set<string>;
}

/** Pushes the progress of an update of the market data, read from its events. */
export function followUpdates(bus: MessageBus, hub: Hub): void {
  let update: Update = { stream: '', revision: -1, total: null, done: new Set() };
  followEvents(bus, market, READERS, ({ total, ...said }, { type, stream, revision }) => {
    if (stream !== update.stream) update = { stream, revision: -1, total: null, done: new Set() };
    // The relay publishes at least once, so an event may come twice.
    if (revision <= update.revision) return;
    update.revision = revision;
    update.total = total ?? update.total;
    if (said.ticker !== null) update.done.add(said.ticker);
    const event = type as Pushed['event'];
    const counts = { done: update.done.size, total: update.total };
    hub.push('logs', prepare('update', 'some', { event, ...said, ...counts }));
  });
}
