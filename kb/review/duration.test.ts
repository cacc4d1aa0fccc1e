import { describe, expect, test } from 'vitest';
import { compareDurations } from './duration.ts';
import { rational } from './rational.ts';
import type { Duration } from './value.ts';

const days = (count: number): Duration => ({ count: rational(BigInt(count)), unit: 'day' });
const months = (n: number, d = 1): Duration => ({ count: rational(BigInt(n), BigInt(d)), unit: 'month' });

describe('days against months depend on the calendar from the shortest to the longest run of months', () => {
  test.each([
    [1, 28, 31],
    [2, 59, 62],
    [3, 89, 92],
    [4, 120, 123],
    [5, 150, 153],
    [6, 181, 184],
    [7, 212, 215],
    [8, 242, 245],
    [9, 273, 276],
    [10, 303, 306],
    [11, 334, 337],
    [12, 365, 366],
    [13, 393, 397],
    [14, 424, 428],
    [15, 454, 458],
    [16, 485, 489],
    [17, 515, 519],
    [18, 546, 550],
    [19, 577, 581],
    [20, 607, 611],
    [21, 638, 642],
    [22, 668, 672],
    [23, 699, 703],
    [24, 730, 731],
    [48, 1460, 1461],
    [4800, 146_097, 146_097],
  ])('%i months are %i to %i days', (count, least, most) => {
    expect(compareDurations(days(least - 1), months(count))).toBe(-1);
    expect(compareDurations(days(most + 1), months(count))).toBe(1);
    expect(compareDurations(months(count), days(least - 1))).toBe(1);
    const within = least === most ? 0 : null;
    for (let each = least; each <= most; each++)
      expect(compareDurations(days(each), months(count))).toBe(within);
  });

  test('years are twelve months each, and a part of a month is one of its shortest and longest', () => {
    const year: Duration = { count: rational(1n), unit: 'year' };
    expect(compareDurations(days(366), year)).toBeNull();
    expect(compareDurations(days(367), year)).toBe(1);
    expect(compareDurations(days(41), months(3, 2))).toBe(-1);
    expect(compareDurations(days(43), months(3, 2))).toBeNull();
    expect(compareDurations(days(47), months(3, 2))).toBe(1);
    expect(compareDurations(days(-32), months(-1))).toBe(-1);
    expect(compareDurations(days(-27), months(-1))).toBe(1);
  });
});
