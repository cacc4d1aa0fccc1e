import { assign, type EventObject } from 'xstate';
import { describe, expect, it } from 'vitest';
import type { AskPorts } from '../../kb/answer/ports.ts';
import { silent, statesOf, transitionsOf, unansweredIn, walk } from '../machine-paths.suite.ts';
import type { AskInput, AskContext } from './ask-context.ts';
import { ASK_LIFECYCLE, type AskEventDraft } from './lifecycle.ts';
import { askMachine } from './machine.ts';

/** Guards that only depend on the event. */
const OF_EVENTS = ['isPlanned', 'isWritten'];
const GUARDS = Object.keys(askMachine.implementations.guards).filter((name) => !OF_EVENTS.includes(name));
const PORTS = { retriever: { languages: ['de'] } } as unknown as AskPorts;
const ASKED = { question: '?', modelUntil: null, now: () => 0 } as unknown as AskInput;

/** Records this event, whatever its data is. */
const decides = (type: AskEventDraft['type']) =>
  assign(({ context }: { readonly context: AskContext }) => ({
    events: [...context.events, { type } as AskContext['events'][number]],
  })) as never;

/** The machine where these guards hold and no other, and whose steps only say what they decide on. */
const machineWhere = (holds: ReadonlySet<string>) =>
  askMachine.provide({
    actors: {
      understand: silent(),
      retrieve: silent(),
      plan: silent(),
      generate: silent(),
      verify: silent(),
    },
    actions: {
      keepUnderstood: () => undefined,
      recordSearch: decides('PassagesRetrieved'),
      keepPlan: decides('PassagesRetrieved'),
      recordDraft: decides('AnswerDrafted'),
      recordVerdict: decides('DraftVerified'),
      repeat: () => undefined,
      handOver: () => undefined,
      repeatKept: decides('AnswerDrafted'),
      giveAnswer: decides('AnswerGiven'),
      giveUncertain: decides('AnswerGiven'),
      giveRefusal: decides('AnswerGiven'),
    },
    guards: Object.fromEntries(GUARDS.map((name) => [name, () => holds.has(name)])),
  });

/** A fault that no state has a way for ends the actor: the ask fails. */
const isMet = ({ type }: EventObject, holds: ReadonlySet<string>): boolean =>
  !type.startsWith('xstate.error') || holds.has(type.endsWith('planning') ? 'isAway' : 'isReplaceable');

const EVENTS = askMachine.events
  .flatMap((type) => [{}, null].map((output) => ({ type, output, error: null })))
  // Recorded by the machine itself; a failure is recorded by its runner.
  .filter(({ type }) => type.startsWith('xstate.') || type === 'AskFailed');

/** Nothing is covered, or parts; or all, with each three others that hold. */
const CASES = [
  new Set<string>(),
  new Set(['isPartlyCovered']),
  ...GUARDS.flatMap((a, i) =>
    GUARDS.slice(i).flatMap((b, k) => GUARDS.slice(i + k).map((c) => new Set(['isCovered', a, b, c]))),
  ),
];
const walked = CASES.map((holds) =>
  walk(
    machineWhere(holds),
    EVENTS.filter((event) => isMet(event, holds)),
    { input: { asked: ASKED, ports: PORTS } },
  ),
);

describe('paths through an ask', () => {
  it('reach every state', () => {
    const states = new Set(walked.flatMap((each) => [...each.states]));
    expect(statesOf(askMachine).filter((id) => !states.has(id))).toEqual([]);
  });

  it('take every transition', () => {
    const taken = new Set(walked.flatMap(({ transitions }) => [...transitions]));
    expect(transitionsOf(askMachine).filter((name) => !taken.has(name))).toEqual([]);
  });

  it('have a way for whatever its actors answer or fail with', () => {
    // Faults of our own: the ask fails with them.
    expect(unansweredIn(askMachine)).toEqual([
      'ask.asked.understanding understand error',
      'ask.asked.retrieving retrieve error',
    ]);
  });

  it('meet in every status what its lifecycle says may follow, and ignore what it does not', () => {
    for (const { value, _nodes } of walked.flatMap(({ ends }) => ends)) {
      const status = (
        typeof value === 'string' ? value : Object.keys(value)[0]
      ) as keyof typeof ASK_LIFECYCLE.table;
      const met = _nodes.flatMap((node) => node.ownEvents).filter((type) => !type.startsWith('xstate.'));
      expect(new Set<string>(met)).toEqual(new Set(Object.keys(ASK_LIFECYCLE.table[status])));
    }
  });
});
