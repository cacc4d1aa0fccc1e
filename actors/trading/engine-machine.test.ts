import { describe, expect, it } from 'vitest';
import type { SessionData } from '../../events/messages/market.ts';
import { BelegError } from '../../events/errors.ts';
import { ignoredIn, silent, statesOf, transitionsOf, unansweredIn, walk } from '../machine-paths.suite.ts';
import { engineMachine } from './engine-machine.ts';
import { ENGINE_LIFECYCLE, type EngineStatus } from './engine-lifecycle.ts';
import { strategyMachine } from './strategy-machine.ts';

const SESSION: SessionData = { date: '2024-01-02', bars: {}, splits: {}, dividends: {} };
const PAST = { date: null, closed: false, closes: new Map(), traded: new Set(), sessions: [] };
const quiet = (): void => undefined;

/** The machine with this recorded status; `mayRest` says whether time may stand still. */
const machineWhere = (status: EngineStatus, mayRest: boolean) =>
  engineMachine.provide({
    actors: {
      open: silent(),
      finishSession: silent(),
      reconcile: silent(),
      prepare: silent(),
      nextSession: silent(),
      openSession: silent(),
      matchSession: silent(),
      closeSession: silent(),
      strategy: strategyMachine.provide({
        actors: { warmUp: silent(), resume: silent(), decide: silent(), submit: silent() },
      }),
      handOver: silent(),
    },
    guards: { stands: (_, asked) => asked === status, mayRest: () => mayRest },
    actions: { tellWaiting: quiet, tellDelay: quiet, tellReports: quiet, tellFault: quiet },
  });

const AWAY = (['NO_RESPONDERS', 'BROKER_UNAVAILABLE', 'STORE_UNAVAILABLE'] as const).map(
  (code) => new BelegError(code),
);
/** Events between regions are not sent from outside. */
const INNER = ['AWAY', 'NO_BAR', 'GOES_ON', 'SESSION_BEGINS', 'SESSION_AGAIN', 'RESTED'];

const CLOCKS = [0, 2].map((speed) => ({ paused: false, speed }));

/** Each event with each content that makes a difference. */
const EVENTS = engineMachine.events
  .filter((type) => !INNER.includes(type))
  .flatMap((type): { type: string }[] => {
    if (type.endsWith('_DELAYED') || type.startsWith('xstate.error'))
      return [...AWAY, new TypeError('a mistake')].map((error) => ({ type, error }));
    if (type === 'CLOCK_SET') return CLOCKS.map((clock) => ({ type, clock }));
    const outputs = outputsOf(type);
    return outputs.length === 0 ? [{ type }] : outputs.map((output) => ({ type, output }));
  });

function outputsOf(type: string): unknown[] {
  if (type === 'xstate.done.actor.0.engine.opening') return CLOCKS;
  if (type.startsWith('xstate.done') && type.endsWith('preparing.asking'))
    return [null, { past: PAST, unfinished: null }, { past: PAST, unfinished: SESSION }];
  return type.startsWith('xstate.done') && type.endsWith('looking') ? [null, SESSION] : [];
}

const isOfRecord = ({ type }: { type: string }): boolean =>
  type.startsWith('Trading') || type.includes('REPORTS') || type.endsWith('reports.delayed');
const OPENING = ['LEASE_HELD', 'xstate.done.actor.0.engine.opening'];

/** Every way of the clock, and every way of the record. */
const walked = [
  ...[true, false].map((mayRest) =>
    walk(
      machineWhere('running', mayRest),
      EVENTS.filter((event) => !isOfRecord(event)),
    ),
  ),
  ...ENGINE_LIFECYCLE.statuses.map((status) =>
    walk(
      machineWhere(status, false),
      EVENTS.filter((event) => isOfRecord(event) || OPENING.includes(event.type)),
    ),
  ),
];
const ends = walked.flatMap((each) => each.ends);

describe('paths through the engine', () => {
  it('reach every state', () => {
    const states = new Set(walked.flatMap((each) => [...each.states]));
    expect(statesOf(engineMachine).filter((id) => !states.has(id))).toEqual([]);
  });

  it('take every transition', () => {
    const taken = new Set(walked.flatMap(({ transitions }) => [...transitions]));
    expect(transitionsOf(engineMachine).filter((name) => !taken.has(name))).toEqual([]);
  });

  it('have a way for whatever its actors answer or fail with', () => {
    // These live as long as the state: they tell what happens to them by events of their own.
    const lasting = ['holding strategy', 'holding delivery', 'holding.reports.listening reports'];
    expect(unansweredIn(engineMachine)).toEqual(
      lasting.flatMap((actor) => [`engine.${actor} done`, `engine.${actor} error`]),
    );
  });
});

describe('what comes from outside', () => {
  const FROM_OUTSIDE = [
    'LEASE_HELD',
    'LEASE_LOST',
    'SHUTDOWN',
    'FENCED',
    'MARKET_UPDATED',
    'RECORDED',
    'TURN_OVER',
    'TURN_DELAYED',
  ];
  const HOLDING = ['LEASE_HELD', 'SHUTDOWN'];
  const NO_TURN = ['TURN_OVER', 'TURN_DELAYED'];

  /** Events without an effect: they cannot come in this state, or their facts are read anyway. */
  const IGNORED: Record<string, string[]> = {
    standingBy: ['LEASE_LOST', 'FENCED', 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    opening: ['LEASE_HELD', 'LEASE_LOST', 'SHUTDOWN', 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'reconciling.finishing': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'reconciling.comparing': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'reconciling.delayed': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'preparing.asking': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'preparing.warmingUp': [...HOLDING, 'MARKET_UPDATED', 'RECORDED'],
    'preparing.delayed': [...HOLDING, 'RECORDED', ...NO_TURN],
    'betweenSessions.resting': [...HOLDING, 'MARKET_UPDATED', ...NO_TURN],
    'betweenSessions.looking': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'betweenSessions.delayed': [...HOLDING, 'RECORDED', ...NO_TURN],
    'session.due': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'session.opening': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'session.opened': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'session.matched': [...HOLDING, 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    'session.closed': [...HOLDING, 'MARKET_UPDATED', 'RECORDED'],
    'session.delayed': [...HOLDING, 'RECORDED', ...NO_TURN],
    handingOver: [...HOLDING, 'LEASE_LOST', 'FENCED', 'MARKET_UPDATED', 'RECORDED', ...NO_TURN],
    closed: FROM_OUTSIDE,
  };

  it('has a transition in every state, or is listed as ignored', () => {
    const ignored = new Map<string, Set<string>>();
    for (const { value, _nodes } of ends) {
      const [state] = Object.entries(value.holding?.clock ?? {}).map((path) => path.join('.'));
      const met = new Set(_nodes.flatMap(({ transitions }) => [...transitions.keys()]));
      ignored.set(state ?? (value as string), new Set(FROM_OUTSIDE).difference(met));
    }
    const listed = new Map(Object.entries(IGNORED).map(([state, types]) => [state, new Set(types)]));
    expect(ignored).toEqual(listed);
  });

  it('of one region to another, it is heard, but for what is so already', () => {
    const ignored = Object.entries(ignoredIn(ends, INNER));
    const held = ignored.filter(([state]) => state.startsWith('holding.pace.'));
    expect(Object.fromEntries(held)).toEqual({
      'holding.pace.open': ['RESTED'],
      'holding.pace.counting': ['SESSION_BEGINS'],
      // No session begins while it waits.
      'holding.pace.byHand.waiting': ['RESTED', 'SESSION_AGAIN', 'SESSION_BEGINS'],
      'holding.pace.byHand.once': ['RESTED', 'SESSION_AGAIN'],
      'holding.pace.closing': ['RESTED', 'SESSION_AGAIN', 'SESSION_BEGINS'],
    });
  });

  it('of the record, it is what the lifecycle says may follow', () => {
    for (const { value, _nodes } of ends) {
      const status = value.holding?.record as EngineStatus | undefined;
      if (status === undefined) continue;
      const met = _nodes.flatMap(({ transitions }) => [...transitions.keys()]);
      const may = ENGINE_LIFECYCLE.events.filter((type) => ENGINE_LIFECYCLE.mayFollow(status, type));
      expect(new Set(met.filter((type) => type.startsWith('Trading')))).toEqual(new Set(may));
    }
  });
});
