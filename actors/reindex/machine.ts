import { assign, emit, fromPromise, setup, type ActorRefFrom } from 'xstate';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { IndexBuiltData, IndexCommand } from './reindex.ts';

/** What a build ends in: an index that waits to be swapped in, or the number of faults in the knowledge base. */
export type BuildResult =
  | { readonly outcome: 'built'; readonly index: unknown; readonly data: IndexBuiltData }
  | { readonly outcome: 'invalid'; readonly faults: number };

/** A request whose start is on record. */
export interface ReindexRequest {
  readonly requestId: string;
  readonly callId: string;
  /** For the record. */
  readonly traceparent?: string | undefined;
}

/** What the machine tells the service, in order: put its end on record; this request ended so. */
type ReindexNotice = { readonly request: ReindexRequest } & (
  | { readonly type: 'record'; readonly command: IndexCommand }
  | { readonly type: 'reindexed'; readonly data: IndexBuiltData }
  | { readonly type: 'rejected'; readonly error: BelegError }
);

interface Context {
  /** The request that is being worked on. */
  readonly request: ReindexRequest;
  readonly built: Extract<BuildResult, { outcome: 'built' }> | null;
}

const notProvided = (): Promise<never> =>
  Promise.reject(new Error('this actor must be given with provide()'));

/**
 * Rebuilds the index: idle → building → swapping → idle. Asks go on, on the old index, until `swap` has put the new
 * one in whole; whatever fails before leaves the old one in service. `build` and `swap` come by `provide`.
 *
 * Its start is on record before a request gets here, and its end before the next one does: one at a time, as `decide` has it.
 */
export const reindexMachine = setup({
  types: {
    context: {} as Context,
    events: {} as { type: 'REINDEX'; request: ReindexRequest },
    emitted: {} as ReindexNotice,
  },
  actors: {
    build: fromPromise<BuildResult, ReindexRequest>(notProvided),
    swap: fromPromise<void, { index: unknown }>(notProvided),
  },
  actions: {
    accept: assign((_, request: ReindexRequest) => ({ request, built: null })),
    keepBuilt: assign((_, result: BuildResult) => ({ built: result.outcome === 'built' ? result : null })),
    record: emit(({ context }, command: IndexCommand) => ({
      type: 'record' as const,
      request: context.request,
      command,
    })),
    succeed: emit(({ context }) => ({
      type: 'reindexed' as const,
      request: context.request,
      data: context.built!.data,
    })),
    reject: emit(({ context }, { error }: { error: unknown }) => ({
      type: 'rejected' as const,
      request: context.request,
      error: isBelegError(error) ? error : new BelegError('INTERNAL', { cause: error }),
    })),
  },
  guards: {
    isBuilt: (_, result: BuildResult) => result.outcome === 'built',
  },
}).createMachine({
  id: 'reindex',
  context: { request: { requestId: '', callId: '' }, built: null },
  initial: 'idle',
  states: {
    idle: {
      on: {
        REINDEX: {
          target: 'building',
          actions: { type: 'accept', params: ({ event }) => event.request },
        },
      },
    },
    building: {
      invoke: {
        src: 'build',
        input: ({ context }) => context.request,
        onDone: [
          {
            guard: { type: 'isBuilt', params: ({ event }) => event.output },
            target: 'swapping',
            actions: { type: 'keepBuilt', params: ({ event }) => event.output },
          },
          {
            target: 'idle',
            actions: [
              { type: 'record', params: ({ event }) => failure(invalid(event.output), event.output) },
              { type: 'reject', params: ({ event }) => ({ error: invalid(event.output) }) },
            ],
          },
        ],
        onError: {
          target: 'idle',
          actions: [
            { type: 'record', params: ({ event }) => failure(event.error) },
            { type: 'reject', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
    swapping: {
      invoke: {
        src: 'swap',
        input: ({ context }) => ({ index: context.built!.index }),
        onDone: {
          target: 'idle',
          actions: [
            {
              type: 'record',
              params: ({ context }) => ({ type: 'FinishReindex', built: context.built!.data }),
            },
            'succeed',
          ],
        },
        onError: {
          target: 'idle',
          actions: [
            { type: 'record', params: ({ event }) => failure(event.error) },
            { type: 'reject', params: ({ event }) => ({ error: event.error }) },
          ],
        },
      },
    },
  },
});

type ReindexActor = ActorRefFrom<typeof reindexMachine>;

/** Sends one request to the machine and waits for its end. Rejects with `KB_INVALID`, or what broke the build. */
export function requestReindex(actor: ReindexActor, request: ReindexRequest): Promise<IndexBuiltData> {
  const { promise, resolve, reject } = Promise.withResolvers<IndexBuiltData>();
  const subscriptions = [
    actor.on('reindexed', (notice) => {
      if (notice.request.callId === request.callId) resolve(notice.data);
    }),
    actor.on('rejected', (notice) => {
      if (notice.request.callId === request.callId) reject(notice.error);
    }),
  ];
  actor.send({ type: 'REINDEX', request });
  return promise.finally(() => {
    for (const subscription of subscriptions) subscription.unsubscribe();
  });
}

function failure(error: unknown, result?: BuildResult): IndexCommand {
  return { type: 'FailReindex', error, faults: result?.outcome === 'invalid' ? result.faults : 0 };
}

function invalid(result: BuildResult): BelegError {
  const faults = result.outcome === 'invalid' ? result.faults : 0;
  return new BelegError('KB_INVALID', {
    detail: `The knowledge base has ${faults} ${faults === 1 ? 'fault' : 'faults'}`,
  });
}
