import type { FastifyInstance } from 'fastify';
import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { BelegError } from '../../../events/errors.ts';
import { progressSubject, type AskProgress } from '../../../events/messages/knowledge.ts';
import { answerTo, startFakeServices, type Script } from './fake-services.suite.ts';
import { openKnowledgeGateway } from './knowledge.ts';

const QUESTION = { question: 'Wie lange wird das Entgelt bei Krankheit fortgezahlt?' };
const STEPS: AskProgress[] = [
  { stage: 'planned', queries: [QUESTION.question] },
  { stage: 'retrieved', passages: 8, covered: true },
  { stage: 'drafted', attempt: 0 },
  { stage: 'verified', attempt: 0, verified: true, failures: 0 },
];

let app: FastifyInstance;
afterEach(() => app.close());

/** Services whose ask reports these steps before it ends. */
async function start(steps: readonly AskProgress[], end: Script['ask']) {
  const services = startFakeServices({
    ask: async (request, correlationId) => {
      for (const step of steps) {
        services.bus.publish(progressSubject(request.progress!), Buffer.from(JSON.stringify(step)));
      }
      return end(request, correlationId);
    },
  });
  app = await openKnowledgeGateway(
    services.bus,
    { apiKeys: [], adminApiKeys: [], allowedHosts: [], rateLimit: null },
    pino({ level: 'silent' }),
  );
  return services;
}

const ask = (payload: unknown = QUESTION) =>
  app.inject({
    method: 'POST',
    url: '/v1/ask',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-request-id': 'r-1' },
    payload: JSON.stringify(payload),
  });

function eventsOf(body: string): [event: string, data: unknown][] {
  return body
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => {
      const [event = '', data = ''] = block.split('\n');
      return [event.replace('event: ', ''), JSON.parse(data.replace('data: ', ''))];
    });
}

test.each([undefined, 'application/json', '*/*'])(
  'its own path sends events where %s is accepted',
  async (accept) => {
    await start(STEPS, ({ question, request_id }) => answerTo(question, request_id));
    const response = await app.inject({
      method: 'POST',
      url: '/v1/ask/stream',
      headers: { 'x-request-id': 'r-1', ...(accept === undefined ? {} : { accept }) },
      payload: QUESTION,
    });
    expect(response.headers['content-type']).toBe('text/event-stream');
    expect(eventsOf(response.body).map(([event]) => event)).toEqual([
      ...STEPS.map(({ stage }) => stage),
      'answer',
    ]);
  },
);

test.each([
  ['Text/Event-Stream', 'text/event-stream'],
  ['text/event-stream;q=0, application/json', 'application/json; charset=utf-8'],
  ['application/json, text/event-stream; q=0.5', 'application/json; charset=utf-8'],
  ['text/event-stream;q=0.1, application/json', 'application/json; charset=utf-8'],
  ['text/event-stream;q=0.2, */*', 'application/json; charset=utf-8'],
  ['application/json, text/event-stream', 'text/event-stream'],
  ['text/event-stream, application/json;q=0.9, */*;q=0.1', 'text/event-stream'],
  ['application/json;q=0.1, text/event-stream;q=0.3, */*', 'text/event-stream'],
])('what %s accepts is %s', async (accept, type) => {
  await start([], ({ question, request_id }) => answerTo(question, request_id));
  const response = await app.inject({
    method: 'POST',
    url: '/v1/ask',
    headers: { 'content-type': 'application/json', accept },
    payload: JSON.stringify(QUESTION),
  });
  expect(response.headers['content-type']).toBe(type);
});

describe('an ask for events', () => {
  test('is told each step, then the answer', async () => {
    await start(STEPS, ({ question, request_id }) => answerTo(question, request_id));
    const response = await ask();
    expect(response.statusCode).toBe(200);
    expect(response.headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-request-id': 'r-1' });
    expect(eventsOf(response.body)).toEqual([
      ...STEPS.map(({ stage, ...data }) => [stage, data]),
      ['answer', answerTo(QUESTION.question, 'r-1')],
    ]);
  });

  test('is told before the answer what the headers of an ordinary one say', async () => {
    await start(STEPS, ({ question, request_id }) => ({
      ...answerTo(question, request_id),
      request_id_reused: true,
      not_recorded: true,
    }));
    expect(eventsOf((await ask()).body).slice(STEPS.length)).toEqual([
      ['reused', { request_id: 'r-1' }],
      ['not_recorded', { request_id: 'r-1' }],
      ['answer', answerTo(QUESTION.question, 'r-1')],
    ]);
  });

  test('that fails on the way ends in the error', async () => {
    await start(STEPS.slice(0, 2), () => {
      throw new BelegError('MODEL_UNAVAILABLE');
    });
    const events = eventsOf((await ask()).body);
    expect(events.map(([event]) => event)).toEqual(['planned', 'retrieved', 'problem']);
    expect(events.at(-1)![1]).toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 503, request_id: 'r-1' });
  });

  test('that fails before its first step is an ordinary error', async () => {
    await start([], () => {
      throw new BelegError('OVERLOADED');
    });
    const response = await ask();
    expect(response.statusCode).toBe(503);
    expect(response.headers['content-type']).toContain('application/problem+json');
    expect(response.headers['retry-after']).toBe('1');
    const invalid = await ask({ question: '' });
    expect([invalid.statusCode, invalid.json()]).toMatchObject([422, { code: 'INVALID_REQUEST' }]);
  });

  test('leaves nobody listening', async () => {
    const { bus } = await start(STEPS, ({ question, request_id }) => answerTo(question, request_id));
    const subscribe = bus.subscribe.bind(bus);
    const open = new Set<string>();
    const subscribed = vi.spyOn(bus, 'subscribe').mockImplementation((subject, ...rest) => {
      open.add(subject);
      const subscription = subscribe(subject, ...rest);
      return {
        unsubscribe: () => {
          open.delete(subject);
          return subscription.unsubscribe();
        },
      };
    });
    await ask();
    expect(subscribed).toHaveBeenCalledOnce();
    expect(open.size).toBe(0);
  });
});
