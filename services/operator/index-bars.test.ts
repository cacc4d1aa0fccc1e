import { expect, test } from 'vitest';
import { startIndexBars } from './index-bars.ts';

test('each step of an index has a bar of its own, which ends with the next', () => {
  const told: string[] = [];
  const bars = startIndexBars((action, { of = '' } = {}) => {
    const stop = (): void => void told.push(`${action} ends`);
    return {
      update: (done, total) => void told.push(`${action} ${done} of ${total} ${of}`),
      stop,
      [Symbol.dispose]: stop,
    };
  });
  bars.update({ phase: 'read', done: 1, total: 2 });
  bars.update({ phase: 'read', done: 2, total: 2 });
  bars.update({ phase: 'index', done: 9, total: 9 });
  bars.stop();
  expect(told).toEqual([
    'reading 1 of 2 documents',
    'reading 2 of 2 documents',
    'reading ends',
    'indexing 9 of 9 sources',
    'indexing ends',
  ]);
});
