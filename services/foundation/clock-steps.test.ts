import { expect, test } from 'vitest';
import { ClockSteps } from './clock-steps.ts';

function start() {
  let [now, counted] = [Date.parse('2026-03-01T12:00:00Z'), 5_000];
  const steps = new ClockSteps({ now: () => now, counted: () => counted });
  const pass = (ms: number, set = 0) => {
    counted += ms;
    now += ms + set;
    return steps.look();
  };
  return { steps, pass, now: () => now };
}

test('a clock that is set back is told once, and is behind until it has caught up', () => {
  const { steps, pass } = start();
  expect(pass(2_000)).toBe(0);
  expect(pass(2_000, -60_000)).toBe(60_000);
  expect(steps.isBehind).toBe(true);
  expect(pass(2_000)).toBe(0);
  expect(steps.isBehind).toBe(true);
  pass(58_000);
  expect(steps.isBehind).toBe(false);
});

test('a step smaller than the time that passed is seen as well', () => {
  const { steps, pass } = start();
  expect(pass(2_000, -1_500)).toBe(1_500);
  expect(steps.isBehind).toBe(false);
});

test('neither a clock that is kept right nor one that is set forwards is told', () => {
  const { steps, pass } = start();
  expect([pass(2_000, -200), pass(2_000, 3_600_000), pass(2_000)]).toEqual([0, 0, 0]);
  expect(steps.isBehind).toBe(false);
});

test('a clock that was set back while no process ran is seen by an event on record, and is behind until it has caught up', () => {
  const { steps, pass, now } = start();
  expect(steps.compare(now() + 86_400_000)).toBe(86_400_000);
  expect(steps.isBehind).toBe(true);
  expect(pass(2_000)).toBe(0);
  expect(steps.isBehind).toBe(true);
  pass(2_000, 86_400_000);
  expect(steps.isBehind).toBe(false);
});

test.each([
  ['earlier', -86_400_000],
  ['of now', 0],
  ['of another machine, some seconds ahead', 5_000],
  ['without a time', NaN],
])('an event that is %s says nothing of the clock', (_, ahead) => {
  const { steps, now } = start();
  expect(steps.compare(now() + ahead)).toBe(0);
  expect(steps.isBehind).toBe(false);
});
