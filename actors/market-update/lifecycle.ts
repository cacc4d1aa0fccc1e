import type { MarketEvent } from '../../events/catalog/catalog.ts';

export type UpdateStatus = 'idle' | 'running' | 'finished';

/**
 * The lifecycle of an update of the market data, as `evolve` and `decide` hold to it: it ends when it has come to every
 * ticker.
 */
export const UPDATE_LIFECYCLE: Readonly<
  Record<UpdateStatus, Readonly<Partial<Record<MarketEvent['type'], UpdateStatus>>>>
> = {
  idle: { MarketUpdateStarted: 'running' },
  running: { TickerUpdated: 'running', TickerUpdateFailed: 'running', MarketUpdateFinished: 'finished' },
  finished: {},
};
