import { expect, test } from 'vitest';
import { CashRequest, SpeedRequest } from './trading.ts';

test.each([
  [SpeedRequest, { speed: -1 }, 'speed must be at least 0'],
  [SpeedRequest, { speed: 10_001 }, 'speed must be at most 10000'],
  [SpeedRequest, { speed: 'fast' }, 'speed must be a number'],
  [CashRequest, { amount: 1e18, reason: 'salary' }, 'amount must be at most 1000000000000'],
  [CashRequest, { amount: -1e18, reason: 'rent' }, 'amount must be at least -1000000000000'],
])('what is wrong with a number is said: %#', (schema, body, message) => {
  expect(schema.safeParse(body).error?.issues[0]).toMatchObject({ message });
});
