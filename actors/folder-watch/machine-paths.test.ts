import { createActor, fromPromise, SimulatedClock } from 'xstate';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import type { FolderChanges } from '../../kb/base/folder-changes.ts';
import { ignoredIn, silent, statesOf, transitionsOf, unansweredIn, walk } from '../machine-paths.suite.ts';
import { folderWatchMachine } from './machine.ts';

const machine = folderWatchMachine.provide({ actors: { look: silent(), take: silent(), end: silent() } });
const NONE: FolderChanges = { added: [], changed: [], removed: [], state: 'as it was' };
const SOME = { ...NONE, changed: ['a.md'], state: 'as it is' };
const at = new Date('2026-01-01T00:00:00Z');
/** Events between regions are not sent from outside. */
const INNER = ['LOOK_BEGINS', 'FOLDER_FOUND', 'FOLDER_AWAY'];

const EVENTS = machine.events
  .filter((type) => !INNER.includes(type))
  .flatMap((type): { type: string }[] => {
    if (type.startsWith('xstate.error'))
      return [new BelegError('REINDEX_RUNNING'), new BelegError('KB_INVALID')].map((error) => ({
        type,
        error,
      }));
    if (type.endsWith('looking'))
      return [NONE, SOME].map((changes) => ({ type, output: { changes, at } }) as { type: string });
    return [{ type }];
  });
const walked = walk(machine, EVENTS, { input: { takes: true } });

describe('paths through the watch of a folder', () => {
  it('reach every state', () => {
    expect(statesOf(machine).filter((id) => !walked.states.has(id))).toEqual([]);
  });

  it('take every transition', () => {
    expect(transitionsOf(machine).filter((name) => !walked.transitions.has(name))).toEqual([]);
  });

  it('have a way for whatever its actors answer or fail with', () => {
    // The machine goes on in the same way however these actors end.
    expect(unansweredIn(machine)).toEqual(['closing end error']);
  });

  it('meet each event from outside in every state, or it is listed as ignored', () => {
    // By the region `told`; all other events have an effect only there.
    const told = walked.ends.map((end) => ({
      ...end,
      _nodes: end._nodes.filter(({ path }) => path[1] !== 'folder' && path[1] !== 'index'),
    }));
    expect(ignoredIn(told as typeof walked.ends, ['FILES_CHANGED', 'CLOSE'])).toEqual({
      'watching.told.nothing': [],
      'watching.told.changing.waiting': [],
      // The next look sees the changes.
      'watching.told.due': ['FILES_CHANGED'],
      closing: ['CLOSE', 'FILES_CHANGED'],
      closed: ['CLOSE', 'FILES_CHANGED'],
    });
  });
});

/** Counts the looks, by a clock of its own. */
function watching() {
  const clock = new SimulatedClock();
  let looks = 0;
  const looked = async () => {
    looks += 1;
    return { changes: NONE, at };
  };
  const actor = createActor(machine.provide({ actors: { look: fromPromise(looked) } }), {
    clock,
    input: { takes: true },
  });
  actor.start();
  const pass = async (ms: number): Promise<number> => {
    await Promise.resolve();
    clock.increment(ms);
    await Promise.resolve();
    return looks;
  };
  return { actor, pass };
}

describe('a watch', () => {
  it('looks when nothing has happened for a quarter of a second, and every minute', async () => {
    const { actor, pass } = watching();
    expect(await pass(59_999)).toBe(1);
    expect(await pass(1)).toBe(2);
    actor.send({ type: 'FILES_CHANGED' });
    expect(await pass(200)).toBe(2);
    actor.send({ type: 'FILES_CHANGED' });
    expect(await pass(249)).toBe(2);
    expect(await pass(1)).toBe(3);
  });

  it('looks after five seconds at a folder that never comes to rest', async () => {
    const { actor, pass } = watching();
    for (let ms = 0; ms < 5_000; ms += 200) {
      expect(await pass(0)).toBe(1);
      actor.send({ type: 'FILES_CHANGED' });
      await pass(200);
    }
    expect(await pass(0)).toBe(2);
  });
});
