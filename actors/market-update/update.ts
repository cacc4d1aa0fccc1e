import type { DraftOf, MarketEvent } from '../../events/catalog/catalog.ts';
import type { EventDraft } from '../../events/define.ts';
import { BelegError } from '../../events/errors.ts';
import { Lifecycle } from '../lifecycle.ts';
import type * as market from '../../events/catalog/market.ts';

type UpdateStatus = 'idle' | 'running' | 'finished';

/** An update ends when it has processed every ticker. `evolve` and `decide` follow this lifecycle. */
export const UPDATE_LIFECYCLE = new Lifecycle<UpdateStatus, MarketEvent['type']>('market-update', 'idle', {
  idle: { MarketUpdateStarted: 'running' },
  running: { TickerUpdated: 'running', TickerUpdateFailed: 'running', MarketUpdateFinished: 'finished' },
  finished: {},
});

export type MarketEventDraft = DraftOf<MarketEvent>;

/** What an update did to a ticker, as it is recorded. */
export type TickerResult =
  | ({ readonly status: 'updated' } & Omit<
      EventDraft<typeof market.TickerUpdated>['data'],
      'update_id' | 'ticker'
    >)
  | { readonly status: 'failed'; readonly faults: readonly string[] };

/** The state of an update's stream; the last update is `finished` until the next begins. */
export type UpdateState =
  | { readonly status: 'idle' }
  /** `remaining`: the tickers that are not processed yet, in the update's order. */
  | ({ readonly status: 'running'; readonly remaining: readonly string[] } & Counts)
  | ({ readonly status: 'finished' } & Counts);

interface Counts {
  readonly update_id: string;
  readonly updated: number;
  readonly failed: number;
}

export type UpdateCommand =
  | {
      readonly type: 'start-update';
      readonly update_id: string;
      readonly source: string;
      readonly tickers: readonly string[];
    }
  | { readonly type: 'record-ticker'; readonly ticker: string; readonly result: TickerResult };

export const initialState = (): UpdateState => ({ status: 'idle' });

/** Applies an event. */
export function evolve(state: UpdateState, event: MarketEvent | MarketEventDraft): UpdateState {
  switch (event.type) {
    case 'MarketUpdateStarted': {
      const { update_id, tickers } = event.data;
      return { status: 'running', update_id, remaining: tickers, updated: 0, failed: 0 };
    }
    case 'TickerUpdated':
    case 'TickerUpdateFailed': {
      if (state.status !== 'running') return state;
      const remaining = state.remaining.filter((other) => other !== event.data.ticker);
      const count = event.type === 'TickerUpdated' ? 'updated' : 'failed';
      return { ...state, remaining, [count]: state[count] + 1 };
    }
    case 'MarketUpdateFinished':
      return { status: 'finished', ...event.data };
  }
}

/**
 * Decides on a command. The end is recorded in one append with the last ticker. A ticker that was processed already, or
 * that the update does not have, gives no events.
 *
 * @throws {BelegError} `UPDATE_RUNNING` for a second start.
 */
export function decide(command: UpdateCommand, state: UpdateState): readonly MarketEventDraft[] {
  switch (command.type) {
    case 'start-update': {
      if (state.status === 'running') throw new BelegError('UPDATE_RUNNING');
      const { update_id, source, tickers } = command;
      const started: MarketEventDraft = {
        type: 'MarketUpdateStarted',
        data: { update_id, source, tickers: [...tickers] },
      };
      return andFinish([started], state);
    }
    case 'record-ticker':
      return state.status === 'running' && state.remaining.includes(command.ticker)
        ? andFinish([tickerEvent(state.update_id, command)], state)
        : [];
  }
}

function tickerEvent(
  update_id: string,
  { ticker, result }: Extract<UpdateCommand, { type: 'record-ticker' }>,
): MarketEventDraft {
  if (result.status === 'failed') {
    return { type: 'TickerUpdateFailed', data: { update_id, ticker, faults: [...result.faults] } };
  }
  const { status: _, ...data } = result;
  return { type: 'TickerUpdated', data: { update_id, ticker, ...data } };
}

/** Adds the end if no ticker is left after these events. */
function andFinish(events: readonly MarketEventDraft[], state: UpdateState): readonly MarketEventDraft[] {
  const after = events.reduce(evolve, state);
  if (after.status !== 'running' || after.remaining.length > 0) return events;
  const { update_id, updated, failed } = after;
  return [...events, { type: 'MarketUpdateFinished', data: { update_id, updated, failed } }];
}
