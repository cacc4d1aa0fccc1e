import { assign, emit, fromPromise, setup, type ActorRefFrom } from 'xstate';
import { backoff, RETRY_PAUSES } from '../../events/retry-pauses.ts';
import { notProvided } from '../machine-parts.ts';
import type { CommandOf } from './commands.ts';
import { isOpen, type OrderStatus } from './order-lifecycle.ts';
import { hasFills, type OrderState } from './state.ts';

/** The state in which an order's machine begins. */
export type OrderBeginning =
  /** The broker has not been sent the order: it has just been recorded. */
  | 'deliver'
  /** Asks the broker whether it has the order, as after a restart for orders that were not confirmed. */
  | 'ask'
  /** The broker already has the order. */
  | 'work';

export interface OrderInput {
  readonly order_id: string;
  readonly begin: OrderBeginning;
  /** Whether a cancellation is on record. */
  readonly cancelRequested: boolean;
  /** The number of the last recorded amendment that is not granted yet; 0 if there is none. */
  readonly amendment: number;
}

/** A notice that the service records, as a command to the account. */
export type OrderNotice = CommandOf<'delivery-unknown'>;

/** What the account's record has of the order. */
interface OnRecord extends Pick<OrderInput, 'cancelRequested' | 'amendment'> {
  readonly status: OrderStatus;
}

/** The account's record has new events of the order. */
type OrderMachineEvent = OnRecord & { readonly type: 'RECORDED' };

type OfOrder = Pick<OrderInput, 'order_id'>;

interface Context extends OrderInput, OnRecord {
  /** Whether the broker has received the cancellation. */
  readonly cancelTold: boolean;
  /** The number of the last amendment that the broker has taken note of. */
  readonly amendmentTold: number;
  /** The number of tries in a row that failed. */
  readonly failures: number;
}

/**
 * The state in which an order that is open after a restart begins. An order that the broker has confirmed is at work;
 * about any other order the broker is asked, and also about one whose cancellation is requested, because its status no
 * longer shows whether it was confirmed.
 */
export function beginningOf(order: OrderState): OrderBeginning {
  const { status } = order;
  if (hasFills(order) || status === 'accepted' || status === 'triggered') return 'work';
  return 'ask';
}

/**
 * Delivers one open order to the broker. If the broker does not answer, the machine asks until it does. If the broker
 * has the order, it works. If not, the order is delivered again under the same id, or cancelled if that is requested:
 * the first message may still be on its way, so only a report of the broker ends the order. A cancellation or an
 * amendment is repeated until the broker has taken note. The machine ends when the account says that the order is done.
 * It keeps no terms of the order: `submit` looks them up.
 *
 * Its states are not made from `ORDER_LIFECYCLE`. The lifecycle says what the order is by the record; this machine says
 * what is being asked of the broker about it. A requested cancellation may be delivered, asked about or repeated; and
 * while the broker is asked, the record may move from submitted to filled. Both use `isOpen`: an order that is done by
 * the record is done here.
 *
 * `submit`, `find`, `cancel` and `amend` come by `provide`. Each rejects if the broker did not answer, which says
 * nothing about the order.
 */
export const orderMachine = setup({
  types: {
    input: {} as OrderInput,
    context: {} as Context,
    events: {} as OrderMachineEvent,
    emitted: {} as OrderNotice,
  },
  actors: {
    submit: fromPromise<void, OfOrder>(notProvided),
    find: fromPromise<{ readonly open: boolean } | null, OfOrder>(notProvided),
    cancel: fromPromise<void, OfOrder>(notProvided),
    /** Resolves with the number of the amendment that was sent to the broker. */
    amend: fromPromise<number, OfOrder>(notProvided),
  },
  actions: {
    note: assign((_, { status, cancelRequested, amendment }: OnRecord) => ({
      status,
      cancelRequested,
      amendment,
    })),
    // The number is 0 if the broker had granted the amendment before it was sent again.
    noteAmended: assign(({ context }, told: number) => ({ amendmentTold: told || context.amendment })),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    forgetFailures: assign({ failures: 0 }),
    noteTold: assign({ cancelTold: true }),
    tellUnknown: emit(({ context: { order_id } }) => ({ type: 'delivery-unknown' as const, order_id })),
  },
  guards: {
    isDone: ({ context }) => !isOpen(context.status),
    begins: ({ context }, how: OrderBeginning) => context.begin === how,
    isMissing: (_, found: { readonly open: boolean } | null) => found === null,
    isCancelled: ({ context }) => context.cancelRequested,
    mustTell: ({ context }) => context.cancelRequested && !context.cancelTold,
    mustAmend: ({ context }) => context.amendment > context.amendmentTold,
  },
  delays: { backoff: ({ context }) => backoff(context.failures, RETRY_PAUSES.broker) },
}).createMachine({
  id: 'order',
  context: ({ input }) => ({
    ...input,
    status: 'submitted',
    cancelTold: false,
    amendmentTold: 0,
    failures: 0,
  }),
  initial: 'beginning',
  on: { RECORDED: { actions: { type: 'note', params: ({ event }) => event } } },
  // The machine ends as soon as the account says that the order is done, whatever it is doing.
  always: { guard: 'isDone', target: '.done' },
  states: {
    beginning: {
      always: [
        { guard: { type: 'begins', params: 'deliver' as const }, target: 'delivering' },
        { guard: { type: 'begins', params: 'ask' as const }, target: 'asking' },
        { target: 'working' },
      ],
    },
    delivering: {
      invoke: {
        src: 'submit',
        input: ({ context: { order_id } }) => ({ order_id }),
        onDone: { target: 'working', actions: 'forgetFailures' },
        onError: { target: 'waiting', actions: ['countFailure', 'tellUnknown'] },
      },
    },
    waiting: { after: { backoff: 'asking' } },
    asking: {
      invoke: {
        src: 'find',
        input: ({ context: { order_id } }) => ({ order_id }),
        onDone: [
          { guard: { type: 'isMissing', params: ({ event }) => event.output }, target: 'missing' },
          { target: 'working', actions: 'forgetFailures' },
        ],
        onError: { target: 'waiting', actions: 'countFailure' },
      },
    },
    missing: {
      always: [{ guard: 'isCancelled', target: 'cancelling' }, { target: 'delivering' }],
    },
    working: {
      always: [
        { guard: 'mustTell', target: 'cancelling' },
        { guard: 'mustAmend', target: 'amending' },
      ],
    },
    amending: {
      invoke: {
        src: 'amend',
        input: ({ context: { order_id } }) => ({ order_id }),
        onDone: {
          target: 'working',
          actions: ['forgetFailures', { type: 'noteAmended', params: ({ event }) => event.output }],
        },
        onError: { target: 'amendDelayed', actions: 'countFailure' },
      },
    },
    amendDelayed: { after: { backoff: 'working' } },
    cancelling: {
      invoke: {
        src: 'cancel',
        input: ({ context: { order_id } }) => ({ order_id }),
        onDone: { target: 'working', actions: ['forgetFailures', 'noteTold'] },
        onError: { target: 'cancelDelayed', actions: 'countFailure' },
      },
    },
    cancelDelayed: { after: { backoff: 'cancelling' } },
    done: { type: 'final' },
  },
});

export type OrderActor = ActorRefFrom<typeof orderMachine>;
