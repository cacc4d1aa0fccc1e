import { expect, test } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import type { OperatorLink } from '../link/operator-link.ts';
import { eraseAll, readRequests } from './erase.ts';

const AT = '2026-03-01T08:00:00.000Z';

/** A link to services that have the requests `known`, and have erased the requests `before`. */
const link = {
  call: async (_definition: unknown, { request_id }: { request_id: string }) => {
    if (request_id === 'away') throw new BelegError('AUDIT_UNAVAILABLE', { detail: 'later' });
    if (request_id === 'locked') throw new BelegError('UNAUTHORIZED');
    if (request_id === 'unknown') throw new BelegError('UNKNOWN_REQUEST_ID');
    return { request_id, erased_at: AT, repeated: request_id === 'before' };
  },
} as unknown as Pick<OperatorLink, 'call'>;

async function run(ids: string[], json = false) {
  const printed = { out: '', err: '' };
  const exit = await eraseAll(link, readRequests(ids, 'consent withdrawn'), {
    json,
    out: async (text) => void (printed.out += text),
    err: async (text) => void (printed.err += text),
  });
  return { exit, ...printed };
}

test('says of each request that it is erased, or was before', async () => {
  expect(await run(['known', 'before', 'known'])).toEqual({
    exit: 0,
    out: `known  erased at ${AT}\nbefore  was already erased at ${AT}\n`,
    err: '',
  });
});

test('erases the others where one is not known, or cannot be erased now', async () => {
  expect(await run(['unknown', 'known'])).toEqual({
    exit: 5,
    out: `known  erased at ${AT}\n`,
    err: 'beleg: unknown: No recorded answer has this request id\n',
  });
  expect(await run(['away', 'unknown', 'known'], true)).toEqual({
    exit: 1,
    out: [
      { request_id: 'away', code: 'AUDIT_UNAVAILABLE' },
      { request_id: 'unknown', code: 'UNKNOWN_REQUEST_ID' },
      { request_id: 'known', erased_at: AT, repeated: false },
    ]
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
    err: expect.stringContaining(
      'beleg: away: The audit record cannot be written right now: later\n',
    ) as string,
  });
});

test('ends at once where it may not erase at all', async () => {
  await expect(run(['locked', 'known'])).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
});

test('refuses a reason that is none and ids that can be none, before anything is erased', () => {
  expect(() => readRequests(['known'], '  ')).toThrow('--reason: Must not be empty');
  expect(() => readRequests(['known', 'no id'], 'because')).toThrow('no id: Not a request id');
});
