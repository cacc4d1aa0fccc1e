import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { evolve as evolveAsk, initialState as noAsk } from '../../../actors/ask/evolve.ts';
import { ASK_LIFECYCLE, type AskStatus } from '../../../actors/ask/lifecycle.ts';
import { draw, type Drawing } from '../../../actors/lifecycle.ts';
import { evolve as evolveUpdate, initialState as noUpdate } from '../../../actors/market-update/update.ts';
import { evolve as evolveIndex, initialState as noIndex } from '../../../actors/reindex/reindex.ts';
import { INDEX } from '../../../actors/streams/knowledge.ts';
import { MARKET, TRAINING } from '../../../actors/streams/models.ts';
import { anyStep } from '../../../actors/trading/steps.suite.ts';
import { Walk as AccountWalk } from '../../../actors/trading/walk.suite.ts';
import { evolve as evolveRun, initialState as noRun } from '../../../actors/training/training-run.ts';
import { INDEX_STREAM } from '../../../events/catalog/knowledge.ts';
import { marketStream } from '../../../events/catalog/market.ts';
import { trainingStream } from '../../../events/catalog/models.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { tellStory } from './story.ts';
import type { Story } from './plot.ts';
import {
  answered,
  asked,
  drafted,
  retrieved,
  ToldRecord,
  verified,
  type Draft,
} from './told-record.suite.ts';
import { draftOf } from './told-stories.suite.ts';

const RUNS = { numRuns: 40 };

/** Which of the possible transitions is taken at each step. */
const choices = fc.array(fc.nat(100), { minLength: 1, maxLength: 14 });

/** A legal walk from the initial state: the transitions that were taken. */
function walk({ initial, transitions }: Drawing, picks: readonly number[]): Drawing['transitions'] {
  const taken: Drawing['transitions'][number][] = [];
  for (const pick of picks) {
    const state = taken.at(-1)?.to ?? initial;
    const ways = transitions.filter(({ from }) => from === state);
    if (ways.length === 0) break;
    taken.push(ways[pick % ways.length]!);
  }
  return taken;
}

/** The states in the order in which they were reached; an event that stays in a state does not reach it. */
function pathOf(initial: string, states: readonly string[]): string[] {
  return [initial, ...states].filter((state, i, all) => i === 0 || state !== all[i - 1]);
}

function expectWalk({ machine, entries }: Story, taken: Drawing['transitions']): void {
  expect(machine.path).toEqual(
    pathOf(
      machine.initial,
      taken.map(({ to }) => to),
    ),
  );
  expect(entries.map(({ state }) => state)).toEqual(taken.map(({ to }) => to));
  for (const { taken: times, ...way } of machine.transitions) {
    expect(times).toBe(taken.filter((one) => JSON.stringify(one) === JSON.stringify(way)).length);
  }
}

/** The fold of a stream from the events that are read back. */
async function fold<State>(
  record: ToldRecord,
  stream: string,
  initial: State,
  evolve: (state: State, event: never) => State,
): Promise<State> {
  let state = initial;
  for await (const recorded of record.store.readStream(stream)) {
    state = evolve(state, (await record.codec.decode(recorded)) as never);
  }
  return state;
}

/** Records each event with a call of its own. */
async function record(stream: string, request: string, drafts: readonly Draft[]): Promise<ToldRecord> {
  const told = new ToldRecord();
  for (const [i, draft] of drafts.entries()) {
    await told.wait(i).add(stream, [draft], { request, call: `call-${i}` });
  }
  return told;
}

describe('the way of a story is the walk that its stream recorded, and ends where the fold of the stream does', () => {
  test('a run of training', async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (picks) => {
        const taken = walk(draw(TRAINING.lifecycle), picks);
        const told = await record(
          trainingStream('r'),
          'q',
          taken.map(({ event }) => draftOf(event, 'r')),
        );
        const story = await tellStory(told, 'r');
        expectWalk(story, taken);
        const { status } = await fold<ReturnType<typeof noRun>>(
          told,
          trainingStream('r'),
          noRun(),
          evolveRun,
        );
        expect(story.machine.path.at(-1)).toBe(status);
      }),
      RUNS,
    );
  });

  test('an update of the market data', async () => {
    await fc.assert(
      fc.asyncProperty(choices, async (picks) => {
        const taken = walk(draw(MARKET.lifecycle), picks);
        const told = await record(
          marketStream('u'),
          'q',
          taken.map(({ event }) => draftOf(event, 'u')),
        );
        const story = await tellStory(told, 'u');
        expectWalk(story, taken);
        const { status } = await fold<ReturnType<typeof noUpdate>>(
          told,
          marketStream('u'),
          noUpdate(),
          evolveUpdate,
        );
        expect(story.machine.path.at(-1)).toBe(status);
      }),
      RUNS,
    );
  });

  test('a reindex', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(100), { minLength: 1, maxLength: 2 }), async (picks) => {
        const taken = walk(draw(INDEX.lifecycle), picks);
        const told = await record(
          INDEX_STREAM,
          'x',
          taken.map(({ event }) => draftOf(event, 'x')),
        );
        const story = await tellStory(told, 'x');
        expectWalk(story, taken);
        const { status } = await fold<ReturnType<typeof noIndex>>(told, INDEX_STREAM, noIndex(), evolveIndex);
        expect(story.machine.path.at(-1)).toBe(status);
      }),
      RUNS,
    );
  });

  test('asks under one request id, in any order between each other', async () => {
    const step = fc.tuple(fc.nat(2), fc.nat(100));
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 24 }), async (steps) => {
        const told = new ToldRecord();
        const at = new Map<string, AskStatus>();
        const states: string[] = [];
        const ways = new Map<string, string[]>();
        let newest = '';
        for (const [of, pick] of steps) {
          const call = `call-${of}`;
          const status = at.get(call) ?? 'new';
          if (ASK_LIFECYCLE.hasEnded(status)) continue;
          const on = Object.entries(ASK_LIFECYCLE.table[status]);
          const [event, to] = on[pick % on.length]!;
          if (status === 'new') newest = call;
          await told.ask('q', 1, askDraft(event, at.size, pick), call);
          at.set(call, to);
          states.push(to);
          ways.set(call, [...(ways.get(call) ?? []), to]);
        }
        const story = await tellStory(told, 'q');
        expect(story.entries.map(({ state }) => state)).toEqual(states);
        expect(story.machine.path).toEqual(pathOf('new', ways.get(newest)!));
        const { running } = await fold<ReturnType<typeof noAsk>>(told, 'ask-q', noAsk(), evolveAsk);
        const last = story.machine.path.at(-1) as AskStatus;
        expect(running[newest]).toBe(ASK_LIFECYCLE.hasEnded(last) ? undefined : last);
      }),
      RUNS,
    );
  });

  test('each order of an account, whatever happens to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(anyStep, { minLength: 8, maxLength: 60 }), async (steps) => {
        const account = new AccountWalk();
        account.take({ do: 'start' });
        for (const step of steps) account.take(step);
        const drafts = account.account.drafts.map(renamed);
        const told = await record(accountStream('main'), 'q', drafts);
        for (const { order_id, status } of account.account.state.orders.values()) {
          const story = await tellStory(told, idOf(order_id));
          expect(story.machine.path.at(-1)).toBe(status);
          const of = drafts.filter(({ data }) => data['order_id'] === idOf(order_id));
          expect(story.entries.map(({ event }) => event)).toEqual(of.map(({ type }) => type));
          const states = story.entries.flatMap(({ state }) => (state === null ? [] : [state]));
          expect(pathOf('submitted', states)).toEqual(story.machine.path);
        }
      }),
      RUNS,
    );
  });
});

/** As the service would call the order of this test. */
const idOf = (id: string): string => (id.startsWith('o-') ? id : `o-${id.slice(1).padStart(16, '0')}`);

function renamed({ type, data }: { type: string; data: object }): Draft {
  const text = JSON.stringify(data).replaceAll(
    /"order_id":"(o\d+)"/g,
    (_, id: string) => `"order_id":"${idOf(id)}"`,
  );
  return { type, data: JSON.parse(text) as Draft['data'] };
}

/** `nth` makes them differ: the same event of the same call would be the same event. */
function askDraft(event: string, nth: number, pick: number): Draft {
  switch (event) {
    case 'QuestionAsked':
      return asked('q', `question ${nth}`);
    case 'PassagesRetrieved':
      return retrieved(true, pick % 2 === 0);
    case 'AnswerDrafted':
      return drafted(nth);
    case 'DraftVerified':
      return verified(nth, true);
    case 'AnswerGiven':
      return answered('q', 'answered', nth);
    default:
      return { type: event, data: { request_id: 'q', code: 'MODEL_UNAVAILABLE' } };
  }
}
