import { expect, it } from 'vitest';
import { amount, percent, ratio } from './format.ts';

it('what is rounded to 0 has no sign', () => {
  expect([ratio(-0.004), ratio(-0.006), percent(-0.00001), amount(-0.2, 0), amount(-1234.5)]).toEqual([
    '0.00',
    '-0.01',
    '0.00 %',
    '0',
    '-1,234.50',
  ]);
});
