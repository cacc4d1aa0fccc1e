import type { MarketEvent } from '../../events/catalog/catalog.ts';
import { Lifecycle } from '../lifecycle.ts';

type UpdateStatus = 'idle' | 'running' | 'finished';

/** As `evolve` and `decide` hold to it: an update of the market data ends when it has come to every ticker. */
export const UPDATE_LIFECYCLE = new Lifecycle<UpdateStatus, MarketEvent['type']>('market-update', 'idle', {
  idle: { MarketUpdateStarted: 'running' },
  running: { TickerUpdated: 'running', TickerUpdateFailed: 'running', MarketUpdateFinished: 'finished' },
  finished: {},
});
