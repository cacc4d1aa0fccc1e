import { ErrorCode, NatsError } from 'nats';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { BelegError } from '../errors.ts';
import { untilAnswered } from './until-answered.ts';

const failing = (code: ErrorCode): BelegError =>
  new BelegError('SERVICE_UNAVAILABLE', { cause: new NatsError('TIMEOUT', code) });

/** Fails for these reasons, one after the other, and then opens. */
function opening(...reasons: readonly Error[]) {
  const told: string[] = [];
  const left = [...reasons];
  const open = async (): Promise<string> => {
    const reason = left.shift();
    if (reason !== undefined) throw reason;
    return 'open';
  };
  const log = pino({}, { write: (line: string) => told.push((JSON.parse(line) as { msg: string }).msg) });
  return { open, told, log };
}

test('a start waits for a server that is slow to answer, and says so once', async () => {
  const { open, log, told } = opening(failing(ErrorCode.Timeout), failing(ErrorCode.Timeout));
  expect(await untilAnswered(open, log)).toBe('open');
  expect(told).toEqual(['NATS is slow to answer: the start waits for it']);
});

test('what is waited for is told after a second, before the first answer is due', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { log, told } = opening();
  const opened = Promise.withResolvers<string>();
  const opens = untilAnswered(() => opened.promise, log);
  await vi.advanceTimersByTimeAsync(999);
  expect(told).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(told).toEqual(['NATS is slow to answer: the start waits for it']);
  opened.resolve('open');
  expect(await opens).toBe('open');
});

test.each([
  ['that is not allowed', failing(ErrorCode.PermissionsViolation), 30_000],
  ['for which the time is over', failing(ErrorCode.Timeout), 0],
])('a start ends with a failure %s', async (_, reason, withinMs) => {
  const { open, log, told } = opening(reason);
  await expect(untilAnswered(open, log, withinMs)).rejects.toBe(reason);
  expect(told).toEqual([]);
});
