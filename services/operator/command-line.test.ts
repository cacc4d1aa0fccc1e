import { afterEach, expect, test, vi } from 'vitest';
import { parseDay, parseMoment, parsePoint } from './command-line.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test('a time without a zone is of UTC, wherever the command runs', () => {
  vi.stubEnv('TZ', 'America/New_York');
  expect(parseMoment('2026-01-31')).toBe('2026-01-31T00:00:00.000Z');
  expect(parseMoment('2026-01-31T08:00')).toBe('2026-01-31T08:00:00.000Z');
  expect(parseMoment('2026-01-31T08:00:00.5+02:00')).toBe('2026-01-31T06:00:00.500Z');
  expect(parsePoint('2026-01-31T08:00:01')).toEqual({ time: '2026-01-31T08:00:01.000Z' });
  expect(parsePoint('0')).toEqual({ revision: 0n });
  expect(parsePoint('17')).toEqual({ revision: 17n });
});

test('how long ago is counted from now', () => {
  vi.useFakeTimers({ now: Date.parse('2026-03-01T12:00:00Z') });
  expect(parseMoment('1h')).toBe('2026-03-01T11:00:00.000Z');
  expect(parseMoment('90s')).toBe('2026-03-01T11:58:30.000Z');
  expect(parseMoment('15m')).toBe('2026-03-01T11:45:00.000Z');
  expect(parseMoment('1d')).toBe('2026-02-28T12:00:00.000Z');
  expect(parsePoint('2w')).toEqual({ time: '2026-02-15T12:00:00.000Z' });
  for (const text of ['1y', 'h', '-1h', '1.5h', '1 h', '1h30m', '999999w'])
    expect(() => parseMoment(text)).toThrow('must be a date or a time');
  expect(() => parseDay('1h')).toThrow('must be a date like');
});

test('what is no day of the calendar and no time of a day is refused', () => {
  for (const text of [
    '2026-02-30',
    '2026-13-01',
    '2026-01-31T25:00Z',
    '2026-01-31T08',
    '-1',
    '1.5',
    'yesterday',
    '',
  ]) {
    expect(() => parseMoment(text)).toThrow('must be a date or a time');
    expect(() => parsePoint(text)).toThrow('must be a revision');
    expect(() => parseDay(text)).toThrow('must be a date like');
  }
  expect(() => parseDay('2026-01-31T08:00Z')).toThrow('must be a date like');
  expect(parseDay('2024-02-29')).toBe('2024-02-29');
});
