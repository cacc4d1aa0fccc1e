import { expect, test } from 'vitest';
import { closingOnFailure } from './closers.ts';
import { messageOf } from '../operator/report-failure.ts';

test('what is open is closed in the opposite order, all of it, and the reason why the next could not be opened is told', async () => {
  const closed: string[] = [];
  const opening = closingOnFailure(async (closers) => {
    closers.defer(() => void closed.push('store'));
    closers.defer(() => {
      closed.push('bus');
      throw new Error('the bus is gone');
    });
    closers.defer(() => void closed.push('gateway'));
    throw new Error('the port is taken');
  });
  await expect(opening).rejects.toThrow('the port is taken');
  expect(closed).toEqual(['gateway', 'bus', 'store']);
});

test('nothing is closed where all could be opened', async () => {
  const closed: string[] = [];
  const closers = await closingOnFailure(async (stack) => {
    stack.defer(() => void closed.push('store'));
    return stack;
  });
  expect(closed).toEqual([]);
  await closers.disposeAsync();
  expect(closed).toEqual(['store']);
});

test('a stop in which several things cannot be closed says so of each', async () => {
  const closers = new AsyncDisposableStack();
  for (const part of ['store', 'bus']) closers.defer(() => Promise.reject(new Error(`the ${part} is gone`)));
  const error: unknown = await closers.disposeAsync().catch((reason: unknown) => reason);
  expect(messageOf(error)).toBe('the bus is gone; the store is gone');
});
