import { assign, emit, enqueueActions, fromPromise, setup } from 'xstate';
import { backoff, type Pauses } from '../../events/backoff.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { initialState, type TickerResult, type UpdateCommand, type UpdateState } from './update.ts';

export interface UpdateRequest {
  readonly updateId: string;
  readonly source: string;
  readonly tickers: readonly string[];
  /** All that the source has of a ticker, or what is new. */
  readonly full: boolean;
  /** What caused it. */
  readonly correlationId: string;
  readonly callId: string;
  readonly traceparent?: string | undefined;
}

/** What the machine tells the service. */
export type UpdateNotice =
  | { readonly type: 'started' }
  /** Its start could not be recorded. */
  | { readonly type: 'rejected'; readonly error: unknown }
  | { readonly type: 'finished' }
  /** Another process has written to the update's stream: this one does no more. */
  | { readonly type: 'fenced'; readonly error: unknown };

/** An update that has not come to its end, as it is on record. */
export interface Unfinished {
  readonly request: UpdateRequest;
  readonly state: UpdateState;
}

interface Context {
  readonly state: UpdateState;
  readonly request: UpdateRequest;
  /** To be put on record. */
  readonly command: UpdateCommand;
  /** Failed tries of what is tried now. */
  readonly failures: number;
  /** The source was away all through the last ticker: the next ones are tried once. */
  readonly away: boolean;
  readonly pauseMs: number;
}

interface Fault {
  readonly error: unknown;
}
const faultIn = ({ event: { error } }: { readonly event: Fault }): Fault => ({ error });

/** Tries for one ticker while the source is away: for about a minute, or longer where it says so. */
const MAX_TRIES = 7;
const PAUSES: Pauses = { firstMs: 1_000, longestMs: 60_000 };

const notProvided = (): Promise<never> =>
  Promise.reject(new Error('this actor must be given with provide()'));
const nobody: UpdateRequest = {
  updateId: '',
  source: '',
  tickers: [],
  full: true,
  correlationId: '',
  callId: '',
};

/**
 * Updates the market data ticker by ticker: idle → recording → (updating → recording …) → idle, and is asked for the next
 * update when it is idle again. Each step is on record
 * before the next begins, so that after a crash `RESUME` goes on with the tickers that are not. What is wrong with one
 * ticker is recorded and leaves the others alone; while the source or the store is away, it waits and tries again.
 *
 * `update` (rejects with `SERVICE_UNAVAILABLE` for a source that is away) and `record` (decides and appends, and resolves
 * with the state then; rejects with `WRONG_EXPECTED_REVISION` when another process has taken over) come by `provide`.
 */
export const updateMachine = setup({
  types: {
    context: {} as Context,
    events: {} as
      | { readonly type: 'UPDATE'; readonly request: UpdateRequest }
      | ({ readonly type: 'RESUME' } & Unfinished),
    emitted: {} as UpdateNotice,
  },
  actors: {
    update: fromPromise<TickerResult, { request: UpdateRequest; ticker: string }>(notProvided),
    record: fromPromise<UpdateState, { request: UpdateRequest; command: UpdateCommand }>(notProvided),
  },
  delays: { pause: ({ context }) => context.pauseMs },
  actions: {
    begin: assign((_, { request, state }: Unfinished) => ({
      request,
      state,
      command: start(request),
      failures: 0,
      away: false,
    })),
    command: assign((_, command: UpdateCommand) => ({ command })),
    follow: enqueueActions(({ context: { state: before }, enqueue }, state: UpdateState) => {
      enqueue.assign({ state, failures: 0 });
      if (before.status === 'idle') enqueue.emit({ type: 'started' });
    }),
    countFailure: assign(({ context }, { error }: Fault) => {
      const asked = isBelegError(error) ? (error.retryAfter ?? 0) * 1_000 : 0;
      const failures = context.failures + 1;
      return { failures, pauseMs: Math.max(asked, backoff(failures, PAUSES)) };
    }),
    noteAway: assign((_, away: boolean) => ({ away, failures: 0 })),
    finish: emit({ type: 'finished' as const }),
    fence: emit((_, { error }: Fault) => ({ type: 'fenced' as const, error })),
    reject: emit((_, { error }: Fault) => ({ type: 'rejected' as const, error })),
  },
  guards: {
    isDone: ({ context: { state } }) => state.status !== 'running' || state.remaining.length === 0,
    isFenced: (_, { error }: Fault) => isBelegError(error, 'WRONG_EXPECTED_REVISION'),
    hasNotBegun: ({ context }) => context.state.status === 'idle',
    triesAgain: ({ context }, { error }: Fault) =>
      isAway(error) && !context.away && context.failures + 1 < MAX_TRIES,
  },
}).createMachine({
  id: 'market-update',
  context: {
    state: initialState(),
    request: nobody,
    command: start(nobody),
    failures: 0,
    away: false,
    pauseMs: 0,
  },
  initial: 'idle',
  states: {
    idle: {
      on: {
        UPDATE: {
          target: 'recording',
          actions: {
            type: 'begin',
            params: ({ event: { request } }) => ({ request, state: initialState() }),
          },
        },
        RESUME: { target: 'choosing', actions: { type: 'begin', params: ({ event }) => event } },
      },
    },
    recording: {
      invoke: {
        src: 'record',
        input: ({ context: { request, command } }) => ({ request, command }),
        onDone: {
          target: 'choosing',
          actions: { type: 'follow', params: ({ event }) => event.output },
        },
        onError: [
          {
            guard: { type: 'isFenced', params: faultIn },
            target: 'idle',
            actions: { type: 'fence', params: faultIn },
          },
          {
            guard: 'hasNotBegun',
            target: 'idle',
            actions: { type: 'reject', params: faultIn },
          },
          {
            target: 'waitingForStore',
            actions: { type: 'countFailure', params: faultIn },
          },
        ],
      },
    },
    waitingForStore: { after: { pause: 'recording' } },
    choosing: {
      always: [{ guard: 'isDone', target: 'idle', actions: 'finish' }, { target: 'updating' }],
    },
    updating: {
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
    },
    waitingForSource: { after: { pause: 'updating' } },
  },
});

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

/** For whoever looks at the update: no exception text. */
const faultOf = (error: unknown): string =>
  (isBelegError(error) ? error : new BelegError('INTERNAL')).message;
