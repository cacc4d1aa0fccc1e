import { expect, test } from 'vitest';
import type { ErrorCode } from '../../events/error-codes.ts';
import { BelegError } from '../../events/errors.ts';
import { whatIsAway, type Surrounding } from './what-is-away.ts';

test.each<[ErrorCode, Surrounding | null]>([
  ['BROKER_UNAVAILABLE', 'broker'],
  ['STORE_UNAVAILABLE', 'store'],
  ['NO_RESPONDERS', 'market'],
  // A market process that is there and does not answer.
  ['DEADLINE_EXCEEDED', 'market'],
  ['STREAM_CORRUPT', null],
])('after %s, %s is away', (code, away) => {
  expect(whatIsAway(new BelegError(code))).toBe(away);
});
