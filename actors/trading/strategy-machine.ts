import { assign, fromPromise, sendParent, setup } from 'xstate';
import type { SessionData } from '../../events/messages/market.ts';
import type { StrategyBars, StrategyPause } from '../strategy/strategy.ts';
import { faultIn, notProvided, tell, type Fault } from '../machine-parts.ts';
import type { SubmitOrder } from './commands.ts';

/** The market up to a session, for a strategy that begins in a new process. */
export interface StrategyPast {
  /** The date of the session; `null` before the first one. */
  readonly date: string | null;
  /** Whether the session is closed in the account, so that the strategy is asked for its targets. */
  readonly closed: boolean;
  /** Closes of each ticker, oldest first. */
  readonly closes: ReadonlyMap<string, readonly number[]>;
  /** The tickers that traded in that session. The newest close of any other ticker is older. */
  readonly traded: ReadonlySet<string>;
  /** Whole sessions, oldest first, as many as the strategy asks for. */
  readonly sessions: readonly SessionData[];
}

/** The part of a closed session that is shown to a strategy. */
export interface StrategyDay extends Pick<SessionData, 'date' | 'splits'> {
  readonly bars: StrategyBars;
  /** The market's session; missing if only the closes are known. */
  readonly session?: SessionData;
}

/**
 * What a strategy that acted in an earlier process has not seen yet: sessions with their predictions, oldest first, and
 * then the record of the pause.
 */
export interface StrategyMissed {
  readonly sessions: readonly SessionData[];
  readonly pause: StrategyPause;
}

/** What a strategy does after it has seen its past. */
export interface StrategyBegun {
  /** The day for which the decision is repeated; `null` if there is none. */
  readonly day: StrategyDay | null;
  readonly missed: StrategyMissed | null;
}

/** The input of a decision after a session. */
export interface StrategyTurn {
  readonly day: StrategyDay;
  /** Whether sessions are still missing. Until the strategy has seen them, it is shown no predictions. */
  readonly isBehind: boolean;
}

/** The decision of a strategy after a session. */
export interface StrategyWishes {
  readonly date: string;
  readonly orders: readonly SubmitOrder[];
  /** The session whose decision and orders are on record already. */
  readonly session?: SessionData;
}

/** A fault of the strategy itself, not of the connection to it. */
export class StrategyFailed extends Error {
  constructor(cause: unknown) {
    super('the strategy failed', { cause });
  }
}

type StrategyEvent =
  | { readonly type: 'BEGIN'; readonly past: StrategyPast }
  | { readonly type: 'SESSION'; readonly day: StrategyDay };

/** The strategy's answers to the engine, one for each event. */
export type TurnEvent =
  /** All orders of the strategy are submitted, or it had none. */
  | { readonly type: 'TURN_OVER' }
  /** The record did not answer: the engine sends the same event again. */
  | { readonly type: 'TURN_DELAYED'; readonly error: unknown };

interface Context {
  readonly past: StrategyPast | null;
  readonly day: StrategyDay | null;
  readonly missed: StrategyMissed | null;
  /** The decision after the last session that the strategy was shown. No session is shown twice. */
  readonly wishes: StrategyWishes | null;
}

/** A fault of the strategy itself halts it. */
const halted = {
  guard: { type: 'isItsOwn', params: faultIn },
  target: 'failed',
  actions: { type: 'tellFailure', params: faultIn },
} as const;
const anew = {
  target: 'warmingUp',
  actions: {
    type: 'keep',
    params: ({ event: { past } }: { readonly event: { readonly past: StrategyPast } }) => ({
      past,
      wishes: null,
    }),
  },
} as const;

/**
 * The strategy of an account: it is shown each session once, in order, and its orders are submitted. If it fails, only
 * the strategy halts: sessions go on without it until the next holder of the account begins it anew.
 *
 * `warmUp` (shows the past), `resume` (shows missed sessions; resolves with those that are left because no model
 * answers), `decide` and `submit` come by `provide`. They reject with `StrategyFailed` for the strategy's own fault.
 */
export const strategyMachine = setup({
  types: { context: {} as Context, events: {} as StrategyEvent },
  actors: {
    warmUp: fromPromise<StrategyBegun, StrategyPast>(notProvided),
    resume: fromPromise<StrategyMissed | null, StrategyMissed>(notProvided),
    decide: fromPromise<StrategyWishes, StrategyTurn>(notProvided),
    submit: fromPromise<void, StrategyWishes>(notProvided),
  },
  actions: {
    keep: assign((_, known: Partial<Context>) => known),
    tellOver: sendParent({ type: 'TURN_OVER' } satisfies TurnEvent),
    tellDelay: sendParent((_, { error }: Fault): TurnEvent => ({ type: 'TURN_DELAYED', error })),
    tellFailure: tell,
  },
  guards: {
    isOpenDay: (_, { day }: StrategyBegun) => day !== null,
    isBehind: ({ context }) => context.missed !== null,
    wasShown: ({ context }, { day }: { readonly day: StrategyDay }) => context.wishes?.date === day.date,
    isItsOwn: (_, { error }: Fault) => error instanceof StrategyFailed,
  },
}).createMachine({
  id: 'strategy',
  context: { past: null, day: null, missed: null, wishes: null },
  initial: 'new',
  states: {
    /** The strategy has not been shown any session yet. */
    new: { on: { BEGIN: anew } },
    warmingUp: {
      invoke: {
        src: 'warmUp',
        input: ({ context }) => context.past!,
        onDone: [
          {
            guard: { type: 'isOpenDay', params: ({ event }) => event.output },
            target: 'choosing',
            actions: { type: 'keep', params: ({ event }) => event.output },
          },
          {
            target: 'waiting',
            actions: [{ type: 'keep', params: ({ event }) => event.output }, 'tellOver'],
          },
        ],
        onError: [halted, { target: 'new', actions: { type: 'tellDelay', params: faultIn } }],
      },
    },
    /** Waiting for the next session. */
    waiting: {
      on: {
        BEGIN: anew,
        SESSION: [
          { guard: { type: 'wasShown', params: ({ event }) => event }, target: 'submitting' },
          { target: 'choosing', actions: { type: 'keep', params: ({ event: { day } }) => ({ day }) } },
        ],
      },
    },
    /** Sessions that the strategy missed are shown before the next one. */
    choosing: { always: [{ guard: 'isBehind', target: 'resuming' }, 'deciding'] },
    resuming: {
      invoke: {
        src: 'resume',
        input: ({ context }) => context.missed!,
        onDone: {
          target: 'deciding',
          actions: { type: 'keep', params: ({ event }) => ({ missed: event.output }) },
        },
        onError: [halted, { target: 'waiting', actions: { type: 'tellDelay', params: faultIn } }],
      },
    },
    deciding: {
      invoke: {
        src: 'decide',
        input: ({ context: { day, missed } }) => ({ day: day!, isBehind: missed !== null }),
        onDone: {
          target: 'submitting',
          actions: { type: 'keep', params: ({ event }) => ({ wishes: event.output }) },
        },
        onError: [halted, { target: 'waiting', actions: { type: 'tellDelay', params: faultIn } }],
      },
    },
    submitting: {
      invoke: {
        src: 'submit',
        input: ({ context }) => context.wishes!,
        onDone: { target: 'waiting', actions: 'tellOver' },
        onError: { target: 'waiting', actions: { type: 'tellDelay', params: faultIn } },
      },
    },
    failed: {
      entry: 'tellOver',
      on: { BEGIN: { actions: 'tellOver' }, SESSION: { actions: 'tellOver' } },
    },
  },
});
