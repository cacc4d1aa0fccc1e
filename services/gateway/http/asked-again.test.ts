import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, expect, test, vi } from 'vitest';
import type { Headers, MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { BelegError } from '../../../events/errors.ts';
import { startFakeServices } from '../knowledge/fake-services.suite.ts';
import { openKnowledgeGateway } from '../knowledge/knowledge.ts';
import type { Problem } from './problem.ts';

let app: FastifyInstance;
afterEach(() => app.close());

/** A gateway whose first `failures` requests fail on the bus; `sent` has the context of each. */
async function start(failures: number, code: ErrorCode = 'RESPONDER_LOST', afterMs = 0) {
  const { bus } = startFakeServices();
  const sent: Headers[] = [];
  const failing: MessageBus = {
    publish: (...args) => bus.publish(...args),
    subscribe: (...args) => bus.subscribe(...args),
    status: () => bus.status(),
    drain: () => bus.drain(),
    requestMany: (...args) => bus.requestMany(...args),
    request: async (subject, data, options) => {
      sent.push(options.headers ?? {});
      if (sent.length > failures) return bus.request(subject, data, options);
      vi.spyOn(performance, 'now').mockReturnValue(performance.now() + afterMs);
      throw new BelegError(code);
    },
  };
  app = await openKnowledgeGateway(
    failing,
    { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null },
    pino({ level: 'silent' }),
  );
  return sent;
}
afterEach(() => vi.restoreAllMocks());

const ask = () => app.inject({ method: 'POST', url: '/v1/ask', payload: { question: 'a?' } });
const rate = () =>
  app.inject({ method: 'POST', url: '/v1/ratings', payload: { request_id: 'a', rating: 'up' } });
const comment = () =>
  app.inject({ method: 'POST', url: '/v1/comments', payload: { request_id: 'a', comment: 'b' } });
const reindex = () => app.inject({ method: 'POST', url: '/v1/reindex' });

test.each([
  ['a question', ask, 200],
  ['a rating', rate, 200],
  ['a comment', comment, 201],
])('%s is sent once more as the same call, so that it is recorded once', async (_, send, status) => {
  const sent = await start(1);
  expect((await send()).statusCode).toBe(status);
  expect(sent).toHaveLength(2);
  expect(sent[1]!['call-id']).toBe(sent[0]!['call-id']);
});

test.each([
  ['lost twice', ask, 2, 'RESPONDER_LOST', 2],
  ['another fault', ask, 1, 'DEADLINE_EXCEEDED', 1],
  ['nobody there', comment, 1, 'NO_RESPONDERS', 1],
  ['a reindex', reindex, 1, 'RESPONDER_LOST', 1],
] as const)('no more than that: %s', async (_, send, failures, code, times) => {
  const sent = await start(failures, code);
  const response = await send();
  expect(response.statusCode).toBe(503);
  expect(response.json<Problem>().code).toBe(code);
  expect(response.headers['retry-after']).toBeDefined();
  expect(sent).toHaveLength(times);
});

test('the second try has what is left of the time, and there is none where nothing is left', async () => {
  const sent = await start(1, 'RESPONDER_LOST', 4_000);
  await rate();
  const [first, second] = sent.map((headers) => Date.parse(headers['deadline']!));
  expect(first! - second!).toBeGreaterThan(3_500);
  await app.close();
  vi.restoreAllMocks();
  const late = await start(1, 'RESPONDER_LOST', 10_000);
  expect((await rate()).statusCode).toBe(503);
  expect(late).toHaveLength(1);
});
