import { expect, test } from 'vitest';
import { lastBankingDay } from './calendar.ts';

/** Days in the twelve months of a year, as the health insurers publish them. */
test.each([
  [2020, 'contributions due', 3, [29, 26, 27, 28, 27, 26, 29, 27, 28, 28, 26, 28]],
  [2020, 'statements due', 5, [27, 24, 25, 24, 25, 24, 27, 25, 24, 26, 24, 22]],
  [2022, 'contributions due', 3, [27, 24, 29, 27, 27, 28, 27, 29, 28, 27, 28, 28]],
  [2022, 'statements due', 5, [25, 22, 25, 25, 24, 24, 25, 25, 26, 25, 24, 23]],
])('%i: %s', (year, _, fromEnd, days) => {
  expect(days.map((_day, i) => lastBankingDay(year, i + 1, fromEnd, true)?.day)).toEqual(days);
});

test('where a holiday of some states falls on the last days, they are due earlier there', () => {
  expect(lastBankingDay(2022, 10, 3, false)).toEqual({ year: 2022, month: 10, day: 26 });
});
