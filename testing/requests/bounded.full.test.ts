import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sharedFolder } from '../../events/temporary-folder.suite.ts';
import { BelegProcess } from '../processes/process.suite.ts';
import { writeHistory } from './history.ts';
import { FILLERS } from './largest.ts';
import { blockedAt, probedAt } from './probe.ts';
import { isFree, send, targetsOf, type Target } from './request.ts';

// `npm run bench -- requests` prints how long each one takes.

/**
 * The processor time for which a request may block the event loop: several times that of the longest one, and little
 * compared with work that grows faster than the request.
 */
const MOST_MS = 250;
/** Other work of the process may disturb one try, but not all. */
const TRIES = 3;
/** The number of requests for an operation with free text. */
const RUNS = 6;

const folder = sharedFolder();
const socket = join(folder, 'probe.sock');
let server: BelegProcess;
let targets: Target[];

beforeAll(async () => {
  server = new BelegProcess(['serve'], {
    DATA_DIR: folder,
    PV_PORT: '0',
    TD_PORT: '0',
    PV_AUDIT_ENABLED: 'true',
    PV_REVIEW_MODE: 'true',
    LOG_LEVEL: 'error',
    ...probedAt(socket),
  });
  const urls = [await server.listening, await server.dashboard] as const;
  const history = await writeHistory(...urls, 12, 100);
  targets = (await Promise.all(urls.map((url) => targetsOf(url, history)))).flat();
});
afterAll(() => server.stop());

/** Fillings that others have invented, and repeated characters of any kind. */
const fills: fc.Arbitrary<(length: number) => string> = fc.oneof(
  fc.constantFrom(...Object.values(FILLERS)),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .map((unit) => Object.assign((length: number) => unit.repeat(length), { toString: () => unit })),
);

/** The lowest of several tries, if the first is above the limit. */
async function workOf(target: Target, fill: (length: number) => string, nth: number) {
  let least = Infinity;
  let status = 0;
  for (let tries = 0; tries < TRIES && least > MOST_MS; tries++) {
    await blockedAt(socket);
    status = (await send(target, fill, nth)).status;
    least = Math.min(least, (await blockedAt(socket)).cpu);
  }
  return { status, ms: least };
}

test('the largest requests that the documents allow are answered, of every operation, and hold the event loop for a bounded time', async () => {
  const operations = new Set<string>();
  for (const target of targets) {
    const operation = `${target.method} ${target.path}`;
    operations.add(operation);
    await fc.assert(
      fc.asyncProperty(fills, fc.nat(3), async (fill, nth) => {
        const found = { operation, ...(await workOf(target, fill, nth)) };
        expect(found).toSatisfy(({ status, ms }: typeof found) => status !== 500 && ms <= MOST_MS);
      }),
      { numRuns: isFree(target) ? RUNS : 1, endOnFailure: true },
    );
  }
  // These operations of both services are included.
  for (const each of [
    'post /v1/ask',
    'post /v1/comments',
    'post /api/trading/order',
    'get /api/data/prices/{ticker}',
  ])
    expect(operations).toContain(each);
});
