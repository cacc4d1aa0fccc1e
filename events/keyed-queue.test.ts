import { expect, test } from 'vitest';
import { KeyedQueue } from './keyed-queue.ts';

test('work under one key runs one at a time, in order, also after a failure', async () => {
  const turns = new KeyedQueue();
  const log: string[] = [];
  const work = (name: string) => async () => {
    log.push(`${name} begins`);
    await Promise.resolve();
    log.push(`${name} ends`);
    if (name === 'b') throw new Error(name);
    return name;
  };
  const replies = await Promise.allSettled(['a', 'b', 'c'].map((name) => turns.run('key', work(name))));
  expect(replies.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(log).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
});

test('keys do not wait for each other', async () => {
  const turns = new KeyedQueue();
  const first = Promise.withResolvers<void>();
  const blocked = turns.run('a', () => first.promise);
  expect(await turns.run('b', async () => 'done')).toBe('done');
  first.resolve();
  await blocked;
});
