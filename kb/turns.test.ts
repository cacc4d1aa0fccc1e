import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { ownTurn } from './turns.ts';

test('who waits for turns of their own come one in each, in the order in which they began to wait', async () => {
  const turns: string[][] = [[]];
  const work = async (name: string): Promise<void> => {
    for (let step = 1; step <= 3; step++) {
      await ownTurn();
      turns.at(-1)!.push(`${name}${step}`);
    }
  };
  const all = Promise.all(['a', 'b', 'c'].map(work));
  for (let turn = 0; turn < 20; turn++) {
    await nextTurn();
    turns.push([]);
  }
  await all;
  const worked = turns.filter((turn) => turn.length > 0);
  expect(worked).toEqual([['a1'], ['b1'], ['c1'], ['a2'], ['b2'], ['c2'], ['a3'], ['b3'], ['c3']]);
});
