import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { letComeIn, ownTurn } from './turns.ts';

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

test('turns pass without work while something comes in, but not for ever', async () => {
  let coming = 5;
  const end = letComeIn(() => coming-- > 0);
  const worked: string[] = [];
  const work = async (): Promise<void> => {
    await ownTurn();
    worked.push('worked');
  };
  const all = work();
  for (let turn = 0; turn < 5; turn++) {
    await nextTurn();
    worked.push('passed');
  }
  await all;
  end();
  expect(worked).toEqual([...Array.from({ length: 5 }, () => 'passed'), 'worked']);

  const endless = letComeIn(() => true);
  for (let step = 0; step < 2; step++) await ownTurn();
  endless();
});
