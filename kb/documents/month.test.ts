import { expect, test } from 'vitest';

import { monthOf } from './month.ts';

test.each([
  ['2024-03-01T10:00:00Z', '2024-03'],
  ['1.3.2024', '2024-03'],
  ['03.2024', '2024-03'],
  ['1970-05-01', '1970-05'],
  ['1970-01-01T00:00:00Z', undefined],
  ['1969-12-31T23:00:00.000Z', undefined],
  ['1980-01-01T00:00:00Z', undefined],
  ['1601-01-01T00:00:00Z', undefined],
  ['0001-01-01T00:00:00', undefined],
  ['1899-12-30', undefined],
])('the month of %s is %s', (date, month) => {
  expect(monthOf(date)).toBe(month);
});
