import {
  assertEvent,
  assign,
  emit,
  fromCallback,
  fromPromise,
  or,
  raise,
  sendTo,
  setup,
  stateIn,
} from 'xstate';
import { backoff, RETRY_PAUSES } from '../../events/retry-pauses.ts';
import type { SessionData } from '../../events/messages/market.ts';
import { statesOf } from '../lifecycle.ts';
import { faultIn, notProvided, tell, type Fault } from '../machine-parts.ts';
import type { SessionClock } from './engine.ts';
import { ENGINE_LIFECYCLE, type EngineEventType, type EngineStatus } from './engine-lifecycle.ts';
import { strategyMachine, type StrategyPast, type TurnEvent } from './strategy-machine.ts';
import { whatIsAway, type Surrounding } from './what-is-away.ts';

type EngineEvent =
  /** An event of the engine was recorded in the account's stream. */
  | { readonly type: EngineEventType }
  /** Any event was recorded in the stream. Sent only while the engine rests. */
  | { readonly type: 'RECORDED' }
  /** The market has changed: there may be another session. */
  | { readonly type: 'MARKET_UPDATED' }
  | { readonly type: 'LEASE_HELD' }
  | { readonly type: 'LEASE_LOST' }
  /** Another process has written to the stream, or the record is corrupt: this process gives the lease back. */
  | { readonly type: 'FENCED' }
  /** The broker's reports could not be taken. */
  | { readonly type: 'REPORTS_DELAYED'; readonly error: unknown }
  /** An operator has set the clock, which is on record. */
  | { readonly type: 'CLOCK_SET'; readonly clock: SessionClock }
  /** `NEXT` lets one session begin; `CALLED_OFF` ends the wait because no further session exists. */
  | { readonly type: 'NEXT' | 'CALLED_OFF' }
  /** The service is being stopped: no further session begins. */
  | { readonly type: 'CLOSING' }
  /** Sent when the lease is given back. */
  | { readonly type: 'SHUTDOWN' }
  /** Events from the strategy's actor. */
  | TurnEvent
  | RegionEvent;

/** Facts about a state, such as: the account is held, compared with the broker, its prices are known. */
export type EngineTag =
  | 'held'
  | 'reconciled'
  | 'priced'
  | 'waiting'
  | 'atWork'
  | 'resting'
  | 'byHand'
  | 'stepping'
  | 'closing';

/** Events between the regions of the machine. */
type RegionEvent =
  | { readonly type: 'AWAY'; readonly error: unknown }
  | { readonly type: 'NO_BAR' | 'GOES_ON' | 'SESSION_BEGINS' | 'SESSION_AGAIN' | 'RESTED' };

/** Tells the service to give the lease back. */
interface EngineNotice {
  readonly type: 'given-up';
}

/** What the market has reported at the start. */
export interface Prepared {
  readonly past: StrategyPast;
  /** A session that was cut off by a crash. It is finished before anything else. */
  readonly unfinished: SessionData | null;
}

interface Context {
  /** The session that is under way. It is continued after a fault. */
  readonly session: SessionData | null;
  /** Consecutive reconciliations with the broker that failed. */
  readonly failures: number;
  /** Why the account could not be opened or handed over. */
  readonly fault: unknown;
  /** The clock from the account's record, from `opening` on. */
  readonly clock: SessionClock;
}

const outputIn = <Output>({ event }: { readonly event: { readonly output: Output } }): Output => event.output;
const sessionIn = ({ context }: { readonly context: Context }): SessionData => context.session!;
/** The longest delay that Node's timers accept. */
const LONGEST_MS = 2 ** 31 - 1;
const guardNotProvided = (): never => {
  throw new Error('this guard must be given with provide()');
};
const stands: (_: unknown, status: EngineStatus) => boolean = guardNotProvided;
/** Milliseconds until the market, or a service that did not answer, is asked again. */
const POLL_MS = 1_000;

/** Tries again after a pause. */
const delayed = { target: 'delayed', actions: { type: 'noteAway', params: faultIn } } as const;
/** Opens the session that has begun once more. It does not wait for the pace of the sessions. */
const again = { target: 'opening', actions: 'noteAgain' } as const;
/** Compares again while something is away. If no further try can help, the account is given up. */
const notReconciled = [
  {
    guard: { type: 'isTransient', params: faultIn },
    target: 'delayed',
    actions: ['countFailure', { type: 'tellDelay', params: faultIn }],
  },
  { target: '#handingOver', actions: [{ type: 'tellFault', params: faultIn }, 'giveUp'] },
] as const;

/**
 * The trading engine of one account in one process: it stands by until it has the lease, opens the account, holds it,
 * and hands it over. While it holds the account, five regions run side by side: whether trading is active by the record
 * (`record`), what is being done (`clock`), which service it waits for (`waitingFor`), whether the broker's reports are
 * taken (`reports`), and whether the next session may begin yet (`pace`).
 *
 * The clock first compares the account with the broker. Then the strategy gets its past. Then the market's sessions
 * come one after the other, each completely, whether trading is active or not: a session is opened on record, met by
 * the orders that were open then, closed on record, and then it is the strategy's turn. Each of these steps can be
 * repeated: a step that a crash or a fault has cut off is done again before anything else.
 *
 * All actors, `stands`, `mayRest`, and the actions that write to the log and give back the lease come by `provide`.
 */
export const engineMachine = setup({
  types: {
    context: {} as Context,
    events: {} as EngineEvent,
    emitted: {} as EngineNotice,
    children: {} as { readonly strategy: 'strategy' },
    tags: {} as EngineTag,
  },
  actors: {
    open: fromPromise<SessionClock>(notProvided),
    /** Delivers all orders to the broker. Each order is an actor of its own. */
    delivery: fromCallback(() => undefined),
    /** Takes the broker's reports as they come. */
    reports: fromCallback(() => undefined),
    /** Rejects if the store, the broker or the market is away, or with a fault that a further try does not mend. */
    finishSession: fromPromise<void>(notProvided),
    reconcile: fromPromise<void>(notProvided),
    /** Resolves with `null` while the market has no sessions and no past. */
    prepare: fromPromise<Prepared | null>(notProvided),
    /** Resolves with `null` while there is no further session. */
    nextSession: fromPromise<SessionData | null>(notProvided),
    openSession: fromPromise<void, SessionData>(notProvided),
    matchSession: fromPromise<void, SessionData>(notProvided),
    closeSession: fromPromise<void, SessionData>(notProvided),
    strategy: strategyMachine,
    handOver: fromPromise<void>(notProvided),
  },
  actions: {
    keepSession: assign((_, session: SessionData | null) => ({ session })),
    beginStrategy: sendTo('strategy', (_, past: StrategyPast) => ({ type: 'BEGIN' as const, past })),
    showSession: sendTo('strategy', ({ context }) => {
      const session = sessionIn({ context });
      return { type: 'SESSION' as const, day: { ...session, session } };
    }),
    countFailure: assign({ failures: ({ context }) => context.failures + 1 }),
    begin: assign({ session: null, failures: 0, fault: null }),
    keepClock: assign((_, clock: SessionClock) => ({ clock })),
    keepFault: assign((_, { error }: Fault) => ({ fault: error })),
    noteAway: raise((_, { error }: Fault) => ({ type: 'AWAY' as const, error })),
    noteNoBar: raise({ type: 'NO_BAR' }),
    noteGoingOn: raise({ type: 'GOES_ON' }),
    noteBeginning: raise({ type: 'SESSION_BEGINS' }),
    noteAgain: raise({ type: 'SESSION_AGAIN' }),
    noteRest: raise({ type: 'RESTED' }),
    giveUp: emit({ type: 'given-up' }),
    tellWaiting: tell,
    tellDelay: tell,
    tellReports: tell,
    tellFault: tell,
  },
  guards: {
    /** Whether the record has the engine in this state. The event is recorded before it arrives here. */
    stands,
    /** Whether the clock may stop: trading is not active, and the passing of time would not change that. */
    mayRest: (): boolean => guardNotProvided(),
    /** Whether a session only begins when somebody requests it. */
    isByHand: ({ context: { clock } }) => clock.paused || clock.speed === 0,
    isThere: (_, found: object | null) => found !== null,
    isUnderWay: ({ context }) => context.session !== null,
    isAway: ({ event }, what: Surrounding) => event.type === 'AWAY' && whatIsAway(event.error) === what,
    isTransient: (_, { error }: Fault) => whatIsAway(error) !== null,
  },
  delays: {
    backoff: ({ context }) => backoff(context.failures, RETRY_PAUSES.broker),
    poll: POLL_MS,
    pace: ({ context }) => Math.min(1_000 / context.clock.speed, LONGEST_MS),
  },
}).createMachine({
  id: 'engine',
  context: { session: null, failures: 0, fault: null, clock: { paused: false, speed: 1 } },
  initial: 'standingBy',
  states: {
    /** Another process holds the account, or none does yet. */
    standingBy: { on: { LEASE_HELD: 'opening', SHUTDOWN: 'closed' } },
    /** Reads the account, or opens it. */
    opening: {
      entry: 'begin',
      on: { FENCED: { actions: 'giveUp' } },
      invoke: {
        src: 'open',
        onDone: { target: 'holding', actions: { type: 'keepClock', params: outputIn } },
        onError: { target: 'standingBy', actions: { type: 'keepFault', params: faultIn } },
      },
    },
    holding: {
      tags: 'held',
      type: 'parallel',
      invoke: [{ id: 'strategy', src: 'strategy' }, { src: 'delivery' }],
      on: { LEASE_LOST: 'handingOver', FENCED: { target: 'handingOver', actions: 'giveUp' } },
      states: {
        record: {
          initial: 'folded',
          states: {
            folded: {
              always: ENGINE_LIFECYCLE.statuses.map((status) => ({
                guard: { type: 'stands' as const, params: status },
                target: status,
              })),
            },
            ...statesOf(ENGINE_LIFECYCLE),
          },
        },
        clock: {
          initial: 'reconciling',
          states: {
            /** The account is being compared with the broker. */
            reconciling: {
              initial: 'finishing',
              states: {
                /** Finishes a session that was cut off before the broker met it. */
                finishing: {
                  invoke: { src: 'finishSession', onDone: 'comparing', onError: notReconciled },
                },
                comparing: { invoke: { src: 'reconcile', onDone: '#preparing', onError: notReconciled } },
                delayed: { after: { backoff: 'finishing' } },
              },
            },
            /** Loads prices and the strategy's past. */
            preparing: {
              id: 'preparing',
              tags: 'reconciled',
              initial: 'asking',
              states: {
                asking: {
                  invoke: {
                    src: 'prepare',
                    onDone: [
                      {
                        guard: { type: 'isThere', params: outputIn },
                        target: 'warmingUp',
                        actions: [
                          { type: 'keepSession', params: ({ event }) => event.output!.unfinished },
                          { type: 'beginStrategy', params: ({ event }) => event.output!.past },
                        ],
                      },
                      { target: 'delayed', actions: 'noteNoBar' },
                    ],
                    onError: delayed,
                  },
                },
                warmingUp: {
                  on: {
                    TURN_OVER: [
                      { guard: 'isUnderWay', target: '#session', actions: 'noteGoingOn' },
                      { target: '#betweenSessions', actions: 'noteGoingOn' },
                    ],
                    TURN_DELAYED: delayed,
                  },
                },
                delayed: { after: { poll: 'asking' }, on: { MARKET_UPDATED: 'asking' } },
              },
            },
            betweenSessions: {
              id: 'betweenSessions',
              tags: ['reconciled', 'priced'],
              initial: 'choosing',
              states: {
                choosing: {
                  always: [{ guard: 'mayRest', target: 'resting', actions: 'noteGoingOn' }, 'looking'],
                },
                /** Time stands still, because nothing trades and no order is open. */
                resting: { tags: 'resting', on: { RECORDED: { target: 'choosing', actions: 'noteRest' } } },
                /** Waiting for the next session. */
                looking: {
                  invoke: {
                    src: 'nextSession',
                    onDone: [
                      {
                        guard: { type: 'isThere', params: outputIn },
                        target: '#session',
                        actions: [{ type: 'keepSession', params: outputIn }, 'noteGoingOn'],
                      },
                      { target: 'delayed', actions: 'noteNoBar' },
                    ],
                    onError: delayed,
                  },
                },
                delayed: { after: { poll: 'choosing' }, on: { MARKET_UPDATED: 'choosing' } },
              },
            },
            session: {
              id: 'session',
              tags: ['reconciled', 'priced'],
              initial: 'due',
              states: {
                /** Waits until enough time has passed since the previous session began. */
                due: {
                  always: {
                    guard: or([stateIn('#open'), stateIn('#once')]),
                    target: 'opening',
                    actions: 'noteBeginning',
                  },
                },
                opening: {
                  tags: 'atWork',
                  invoke: { src: 'openSession', input: sessionIn, onDone: 'opened', onError: delayed },
                },
                /** The session is recorded as open. Now the broker matches its orders with the bars. */
                opened: {
                  tags: 'atWork',
                  invoke: { src: 'matchSession', input: sessionIn, onDone: 'matched', onError: delayed },
                },
                /** Everything that the broker did is on record. The session is being closed. */
                matched: {
                  tags: 'atWork',
                  invoke: { src: 'closeSession', input: sessionIn, onDone: 'closed', onError: delayed },
                },
                /** The session is recorded as closed. Now the strategy has its turn. */
                closed: {
                  tags: 'atWork',
                  entry: 'showSession',
                  on: {
                    TURN_OVER: {
                      target: '#betweenSessions',
                      actions: [{ type: 'keepSession', params: null }, 'noteGoingOn'],
                    },
                    TURN_DELAYED: delayed,
                  },
                },
                /** A session that has begun is opened again soon; it does not wait for the pace of the sessions. */
                delayed: { after: { poll: again }, on: { MARKET_UPDATED: again } },
              },
            },
          },
        },
        /** Which service did not answer. The engine tries again until it does, and logs this only once. */
        waitingFor: {
          initial: 'nothing',
          on: { GOES_ON: '.nothing', NO_BAR: '.bar', AWAY: '.away' },
          states: {
            nothing: {},
            bar: { tags: 'waiting' },
            away: {
              tags: 'waiting',
              entry: {
                type: 'tellWaiting',
                params: ({ event }) => {
                  assertEvent(event, 'AWAY');
                  return event;
                },
              },
              initial: 'sorting',
              on: { AWAY: '.sorting' },
              states: {
                sorting: {
                  always: [
                    { guard: { type: 'isAway', params: 'market' }, target: 'market' },
                    { guard: { type: 'isAway', params: 'broker' }, target: 'broker' },
                    { guard: { type: 'isAway', params: 'store' }, target: 'store' },
                    { target: 'repair' },
                  ],
                },
                market: {},
                broker: {},
                store: {},
                /** A fault that waiting may not repair. */
                repair: {},
              },
            },
          },
        },
        reports: {
          initial: 'listening',
          states: {
            listening: {
              invoke: { src: 'reports' },
              on: {
                REPORTS_DELAYED: { target: 'delayed', actions: { type: 'tellReports', params: faultIn } },
              },
            },
            delayed: { after: { poll: 'listening' } },
          },
        },
        /** How fast one session follows another. */
        pace: {
          initial: 'choosing',
          on: {
            CLOCK_SET: {
              target: '.choosing',
              actions: { type: 'keepClock', params: ({ event }) => event.clock },
            },
            CLOSING: '.closing',
          },
          states: {
            choosing: { always: [{ guard: 'isByHand', target: 'byHand' }, 'open'] },
            open: { id: 'open', on: { SESSION_BEGINS: 'counting', SESSION_AGAIN: 'counting' } },
            counting: {
              after: { pace: 'open' },
              on: { RESTED: 'open', SESSION_AGAIN: { target: 'counting', reenter: true } },
            },
            /** A session only begins when somebody requests it. */
            byHand: {
              tags: 'byHand',
              initial: 'waiting',
              states: {
                waiting: { on: { NEXT: 'once' } },
                once: {
                  id: 'once',
                  tags: 'stepping',
                  on: { SESSION_BEGINS: 'waiting', CALLED_OFF: 'waiting' },
                },
              },
            },
            /** The service is being stopped: a session that has begun is finished, and no other one begins. */
            closing: { tags: 'closing', on: { CLOCK_SET: {}, CLOSING: {} } },
          },
        },
      },
    },
    handingOver: {
      id: 'handingOver',
      tags: 'held',
      invoke: {
        src: 'handOver',
        onDone: 'standingBy',
        onError: { target: 'standingBy', actions: { type: 'keepFault', params: faultIn } },
      },
    },
    closed: { type: 'final' },
  },
});
