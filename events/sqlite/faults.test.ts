import { expect, test } from 'vitest';
import { unavailable } from './faults.ts';

test('the cause of an unavailable database is its error, or names the file that is meant', () => {
  const error = Object.assign(new Error('database disk image is malformed'), { errcode: 11 });
  expect(unavailable(error)).toMatchObject({ code: 'STORE_UNAVAILABLE', retryAfter: 1 });
  expect(unavailable(error).cause).toBe(error);
  expect(unavailable(error, 'audit.db').cause).toMatchObject({
    message: 'audit.db: database disk image is malformed',
  });
});
