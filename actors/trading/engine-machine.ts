import { assign, emit, fromPromise, setup, type ActorRefFrom } from 'xstate';
import { backoff } from '../../events/backoff.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { ENGINE_LIFECYCLE, type EngineEventType, type EngineStatus } from './engine-lifecycle.ts';
import { BROKER_PAUSES } from './order-machine.ts';

interface EngineInput {
  /** What the fold of the account says. */
  readonly status: EngineStatus;
}

type EngineEvent =
  /** Recorded in the account's stream. */
  { readonly type: EngineEventType };

/** For the log: what makes reconciling take longer. */
export interface EngineNotice {
  readonly type: 'reconcile-failed';
  readonly error: unknown;
  /** Milliseconds until the next try. */
  readonly retryMs: number;
}

interface Context {
  readonly status: EngineStatus;
  readonly failures: number;
  readonly error: BelegError | null;
}

interface Fault {
  readonly error: unknown;
}

const notProvided = (): Promise<never> =>
  Promise.reject(new Error('this actor must be given with provide()'));

/** Of which another try may come out differently. */
const isTransient = (error: unknown): boolean =>
  isBelegError(
    error,
    'BROKER_UNAVAILABLE',
    'STORE_UNAVAILABLE',
    'WRONG_EXPECTED_REVISION',
    'DEADLINE_EXCEEDED',
    'NO_RESPONDERS',
    'RESPONDER_LOST',
    'SERVICE_UNAVAILABLE',
    'OVERLOADED',
  );

/**
 * The engine: reconciling first, then what the account says: stopped, running or halted. `reconcile` comes by
 * `provide`; it asks the broker how things stand and records that, and is tried again while broker or store are away.
 * What the account decides meanwhile is taken in. A fault that no other try mends ends it, with the fault as output.
 */
export const engineMachine = setup({
  types: {
    input: {} as EngineInput,
    context: {} as Context,
    events: {} as EngineEvent,
    emitted: {} as EngineNotice,
    output: {} as { readonly error: BelegError },
  },
  actors: { reconcile: fromPromise<void>(notProvided) },
  actions: {
    follow: assign(({ context }, type: EngineEventType) => ({
      status: ENGINE_LIFECYCLE.next(context.status, type),
    })),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    forgetFailures: assign({ failures: 0 }),
    keepFault: assign((_, { error }: Fault) => ({
      error: isBelegError(error) ? error : new BelegError('INTERNAL', { cause: error }),
    })),
    tellFailure: emit(({ context }, { error }: Fault) => ({
      type: 'reconcile-failed' as const,
      error,
      retryMs: backoff(context.failures, BROKER_PAUSES),
    })),
  },
  guards: {
    is: ({ context }, status: EngineStatus) => context.status === status,
    isNot: ({ context }, status: EngineStatus) => context.status !== status,
    isTransient: (_, { error }: Fault) => isTransient(error),
  },
  delays: { backoff: ({ context }) => backoff(context.failures, BROKER_PAUSES) },
}).createMachine({
  id: 'engine',
  context: ({ input }) => ({ status: input.status, failures: 0, error: null }),
  initial: 'reconciling',
  on: {
    TradingStarted: { actions: { type: 'follow', params: ({ event }) => event.type } },
    TradingStopped: { actions: { type: 'follow', params: ({ event }) => event.type } },
    TradingHalted: { actions: { type: 'follow', params: ({ event }) => event.type } },
    TradingResumed: { actions: { type: 'follow', params: ({ event }) => event.type } },
  },
  states: {
    reconciling: {
      initial: 'asking',
      states: {
        asking: {
          invoke: {
            src: 'reconcile',
            onDone: { target: '#engine.ready', actions: 'forgetFailures' },
            onError: [
              {
                guard: { type: 'isTransient', params: ({ event }) => ({ error: event.error }) },
                target: 'waiting',
                actions: [
                  'countFailure',
                  { type: 'tellFailure', params: ({ event }) => ({ error: event.error }) },
                ],
              },
              {
                target: '#engine.failed',
                actions: { type: 'keepFault', params: ({ event }) => ({ error: event.error }) },
              },
            ],
          },
        },
        waiting: { after: { backoff: 'asking' } },
      },
    },
    /** Wherever the account says. */
    ready: {
      always: [
        { guard: { type: 'is', params: 'running' as const }, target: 'running' },
        { guard: { type: 'is', params: 'halted' as const }, target: 'halted' },
        { target: 'stopped' },
      ],
    },
    stopped: {
      always: { guard: { type: 'isNot', params: 'stopped' as const }, target: 'ready' },
    },
    running: {
      always: { guard: { type: 'isNot', params: 'running' as const }, target: 'ready' },
    },
    halted: {
      always: { guard: { type: 'isNot', params: 'halted' as const }, target: 'ready' },
    },
    failed: { type: 'final' },
  },
  output: ({ context }) => ({ error: context.error ?? new BelegError('INTERNAL') }),
});

export type EngineActor = ActorRefFrom<typeof engineMachine>;
