import { expect, test } from 'vitest';
import { ManualClock } from '../../../../testing/faults/manual-clock.suite.ts';
import { createThrottle } from './throttle.ts';

const take = (throttle: () => boolean, times: number) => Array.from({ length: times }, () => throttle());

test('so many at once, and what time has earned after that, up to as many again', () => {
  const clock = new ManualClock();
  const throttle = createThrottle({ burst: 3, perSecond: 2 }, clock);
  expect(take(throttle, 4)).toEqual([true, true, true, false]);
  clock.advance(499);
  expect(throttle()).toBe(false);
  clock.advance(1);
  expect(take(throttle, 2)).toEqual([true, false]);
  clock.advance(3_600_000);
  expect(take(throttle, 4)).toEqual([true, true, true, false]);
});

test('a clock that is put back takes nothing away, and gives nothing', () => {
  const clock = new ManualClock();
  const throttle = createThrottle({ burst: 3, perSecond: 2 }, clock);
  throttle();
  clock.advance(-3_600_000);
  expect(take(throttle, 3)).toEqual([true, true, false]);
  clock.advance(500);
  expect(throttle()).toBe(true);
});
