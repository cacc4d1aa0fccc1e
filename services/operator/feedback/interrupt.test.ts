import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { untilInterrupted } from './interrupt.ts';

const { exitCode } = process;
afterEach(() => (process.exitCode = exitCode));

test('Ctrl-C ends the work in order, with the exit code that shells expect', async () => {
  let ended = false;
  const listeners = process.listenerCount('SIGINT');
  const working = untilInterrupted(async (signal) => {
    await once(signal, 'abort');
    ended = true;
    throw new Error('cut off');
  });
  process.emit('SIGINT', 'SIGINT');
  // The launcher forwards the same signal, which must not count as a second one.
  expect(process.emit('SIGINT', 'SIGINT')).toBe(true);
  await working;
  expect(ended).toBe(true);
  expect(process.exitCode).toBe(130);
  expect(process.listenerCount('SIGINT')).toBe(listeners);
});

test('what fails by itself fails', async () => {
  const failing = untilInterrupted(() => Promise.reject(new Error('no')));
  await expect(failing).rejects.toThrow('no');
  expect(process.exitCode).toBe(exitCode);
});
