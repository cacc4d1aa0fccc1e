import { expect, test } from 'vitest';
import { addDays } from '../../events/dates.ts';
import { rhythmOf } from './rhythm.ts';

const every = (days: number, count: number, from = '2020-01-01'): string[] =>
  Array.from({ length: count }, (_, at) => addDays(from, at * days));
const weekday = (date: string): number => new Date(date).getUTCDay();

test('the rhythm of a table is that of its days', () => {
  const daily = every(1, 400).filter((date) => weekday(date) % 6 !== 0);
  expect(rhythmOf(daily).perYear).toBe(252);
  expect(rhythmOf(every(1, 400)).perYear).toBe(365);
  expect(rhythmOf(every(7, 60)).perYear).toBe(52);
  expect(
    rhythmOf(
      Array.from(
        { length: 24 },
        (_, at) => `20${20 + Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`,
      ),
    ).perYear,
  ).toBe(12);
  expect(rhythmOf(every(91, 12)).perYear).toBe(4);
});

test('neither a hole, nor a week from Sunday to Thursday, nor a single Saturday changes it', () => {
  const sundays = every(1, 400).filter((date) => weekday(date) < 5);
  expect(rhythmOf(sundays).perYear).toBe(252);
  const daily = every(1, 400).filter((date) => weekday(date) % 6 !== 0);
  expect(
    rhythmOf([
      ...daily.slice(0, 100),
      ...every(1, 300, '2027-01-01').filter((date) => weekday(date) % 6 !== 0),
      '2028-01-01',
    ]).perYear,
  ).toBe(252);
});

test('of too few days it is daily', () => {
  expect(
    [[], ['2020-01-02'], ['2020-01-02', '2020-01-03', '2020-01-04']].map((dates) => rhythmOf(dates).perYear),
  ).toEqual([252, 252, 252]);
});
