import { assign, emit, enqueueActions, fromPromise, setup, type ActorRefFrom } from 'xstate';
import { backoff, RETRY_PAUSES } from '../../events/retry-pauses.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { statesOf } from '../lifecycle.ts';
import { faultIn, notProvided, type Fault } from '../machine-parts.ts';
import {
  UPDATE_LIFECYCLE,
  type MarketEventDraft,
  type TickerResult,
  type UpdateCommand,
  type UpdateState,
} from './update.ts';

export interface UpdateRequest {
  readonly updateId: string;
  readonly source: string;
  readonly tickers: readonly string[];
  /** Whether to fetch all bars of a ticker, or only new ones. */
  readonly full: boolean;
  /** The cause of the update. */
  readonly correlationId: string;
  readonly callId: string;
  readonly traceparent?: string | undefined;
}

/** What the machine reports to the service. */
export type UpdateNotice =
  | { readonly type: 'started' }
  /** The start of the update could not be recorded. */
  | { readonly type: 'rejected'; readonly error: unknown }
  | { readonly type: 'finished' }
  /** Another process has written to the update's stream, so this process stops. */
  | { readonly type: 'fenced'; readonly error: unknown };

/** An update as it is on record. */
export interface RecordedUpdate {
  readonly request: UpdateRequest;
  readonly state: UpdateState;
}

interface Context extends RecordedUpdate {
  /** The command that is to be recorded. */
  readonly command: UpdateCommand;
  /** The number of failed tries of the present step. */
  readonly failures: number;
  /** Whether the source was away during all tries for the last ticker. Then each further ticker is tried only once. */
  readonly away: boolean;
  readonly pauseMs: number;
}

/**
 * The most tries for one ticker while the source is away. They take about a minute, or longer if the source says so.
 */
const MAX_TRIES = 7;

const update = setup({
  types: {
    input: {} as RecordedUpdate,
    context: {} as Context,
    events: {} as { readonly type: MarketEventDraft['type'] },
    emitted: {} as UpdateNotice,
  },
  actors: {
    update: fromPromise<TickerResult, { request: UpdateRequest; ticker: string }>(notProvided),
    record: fromPromise<UpdateState, { request: UpdateRequest; command: UpdateCommand }>(notProvided),
  },
  delays: { pause: ({ context }) => context.pauseMs },
  actions: {
    command: assign((_, command: UpdateCommand) => ({ command })),
    /** Begins the next step after one was recorded: the next ticker or, after the last one, the end. */
    follow: enqueueActions(({ context: { state: before, command }, enqueue }, state: UpdateState) => {
      enqueue.assign({ state, failures: 0 });
      if (before.status === 'idle') {
        enqueue.emit({ type: 'started' });
        enqueue.raise({ type: 'MarketUpdateStarted' });
      } else if (command.type === 'record-ticker') {
        const { status } = command.result;
        enqueue.raise({ type: status === 'updated' ? 'TickerUpdated' : 'TickerUpdateFailed' });
      }
      if (state.status === 'finished') enqueue.raise({ type: 'MarketUpdateFinished' });
    }),
    countFailure: assign(({ context }, { error }: Fault) => {
      const asked = isBelegError(error) ? (error.retryAfter ?? 0) * 1_000 : 0;
      const failures = context.failures + 1;
      return { failures, pauseMs: Math.max(asked, backoff(failures, RETRY_PAUSES.marketSource)) };
    }),
    noteAway: assign((_, away: boolean) => ({ away, failures: 0 })),
    finish: emit({ type: 'finished' as const }),
    fence: emit((_, { error }: Fault) => ({ type: 'fenced' as const, error })),
    reject: emit((_, { error }: Fault) => ({ type: 'rejected' as const, error })),
  },
  guards: {
    hasTickers: ({ context: { state } }) => state.status === 'running' && state.remaining.length > 0,
    /** Whether no ticker is left, but the end is not on record yet. */
    isLeftOpen: ({ context: { state } }) => state.status === 'running' && state.remaining.length === 0,
    isFenced: (_, { error }: Fault) => isBelegError(error, 'WRONG_EXPECTED_REVISION'),
    triesAgain: ({ context }, { error }: Fault) =>
      isAway(error) && !context.away && context.failures + 1 < MAX_TRIES,
  },
});

/** A state in which a step is being recorded. If another process has written to the stream, this process stops. */
function recording(elsewise: { readonly target: string; readonly actions: 'countFailure' | 'reject' }) {
  const { target, actions } = elsewise;
  return update.createStateConfig({
    invoke: {
      src: 'record',
      input: ({ context: { request, command } }) => ({ request, command }),
      onDone: { actions: { type: 'follow', params: ({ event }) => event.output } },
      onError: [
        {
          guard: { type: 'isFenced', params: faultIn },
          target: '#market-update.givenUp',
          actions: { type: 'fence', params: faultIn },
        },
        { target, actions: { type: actions, params: faultIn } },
      ],
    },
  });
}

const updating = update.createStateConfig({
  invoke: {
    src: 'update',
    input: ({ context }) => ({ request: context.request, ticker: nextTicker(context.state) }),
    onDone: {
      target: 'recording',
      actions: [
        { type: 'noteAway', params: false },
        { type: 'command', params: ({ context, event }) => ended(context.state, event.output) },
      ],
    },
    onError: [
      {
        guard: { type: 'triesAgain', params: faultIn },
        target: 'waitingForSource',
        actions: { type: 'countFailure', params: faultIn },
      },
      {
        target: 'recording',
        actions: [
          { type: 'noteAway', params: ({ event }) => isAway(event.error) },
          {
            type: 'command',
            params: ({ context, event }) =>
              ended(context.state, { status: 'failed', faults: [faultOf(event.error)] }),
          },
        ],
      },
    ],
  },
});

/**
 * One update of the market data, ticker by ticker. Its states are those of the record, and within them the work of
 * each. A step is recorded before the next one begins, so that after a crash another machine can go on with the
 * remaining tickers (see `startedAt`). A fault in one ticker's data is recorded, and the other tickers go on; while the
 * source or the store is away, the machine waits and tries again.
 *
 * `update` (rejects with `SERVICE_UNAVAILABLE` for a source that is away) and `record` (decides, appends and resolves
 * with the new state; rejects with `WRONG_EXPECTED_REVISION` when another process has taken over) come by `provide`.
 */
export const updateMachine = update.createMachine({
  id: 'market-update',
  context: ({ input: { request, state } }) => ({
    request,
    state,
    command: start(request),
    failures: 0,
    away: false,
    pauseMs: 0,
  }),
  initial: UPDATE_LIFECYCLE.initial,
  states: {
    ...statesOf(UPDATE_LIFECYCLE, {
      idle: update.createStateConfig({
        initial: 'recording',
        states: { recording: recording({ target: '#market-update.givenUp', actions: 'reject' }) },
      }),
      running: update.createStateConfig({
        initial: 'choosing',
        states: {
          choosing: {
            always: [
              { guard: 'hasTickers', target: 'updating' },
              { guard: 'isLeftOpen', target: '#market-update.finished' },
            ],
          },
          updating,
          waitingForSource: { after: { pause: 'updating' } },
          recording: recording({ target: 'waitingForStore', actions: 'countFailure' }),
          waitingForStore: { after: { pause: 'recording' } },
        },
      }),
      finished: update.createStateConfig({ entry: 'finish' }),
    }),
    /** This process has given up the update: its start could not be recorded, or another process has taken over. */
    givenUp: { type: 'final' },
  },
});

export type UpdateActor = ActorRefFrom<typeof updateMachine>;

function start({ updateId, source, tickers }: UpdateRequest): UpdateCommand {
  return { type: 'start-update', update_id: updateId, source, tickers };
}

function ended(state: UpdateState, result: TickerResult): UpdateCommand {
  return { type: 'record-ticker', ticker: nextTicker(state), result };
}

/** Returns the next ticker. Call it only for a running update that has tickers left. */
function nextTicker(state: UpdateState): string {
  return state.status === 'running' ? (state.remaining[0] ?? '') : '';
}

const isAway = (error: unknown): boolean => isBelegError(error, 'SERVICE_UNAVAILABLE');

/** The fault for people who read of the update. It never has the text of an exception. */
const faultOf = (error: unknown): string =>
  (isBelegError(error) ? error : new BelegError('INTERNAL')).message;
