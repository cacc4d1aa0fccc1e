import { expect, test } from 'vitest';
import { systemClock, timestampOf } from './clock.ts';

const at = (now: number) => timestampOf({ ...systemClock, now: () => now });

test('timestamps have true microseconds, and follow the clock of the system', () => {
  expect(at(Date.UTC(2026, 0, 15, 8) + 123.456)).toBe('2026-01-15T08:00:00.123456Z');
  expect(at(Date.UTC(2026, 0, 15, 8))).toBe('2026-01-15T08:00:00.000000Z');
  const [before, now, after] = [Date.now(), systemClock.now(), Date.now()];
  expect(now).toBeGreaterThan(before - 5);
  expect(now).toBeLessThan(after + 5);
  const fractions = Array.from({ length: 50 }, () => timestampOf(systemClock).slice(-4));
  expect(new Set(fractions).size).toBeGreaterThan(1);
});
