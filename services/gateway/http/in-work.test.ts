import { once } from 'node:events';
import { connect, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import pino from 'pino';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { ManualClock } from '../../../testing/faults/manual-clock.suite.ts';
import { goneSignal } from './client-gone.ts';
import { addRoute, type Route } from './route.ts';
import { openHttpServer } from './server.ts';

const GET = 'GET /v1/slow HTTP/1.1\r\nHost: localhost\r\n\r\n';

const SLOW = { tag: 'x', summary: 'x', reply: z.unknown(), means: 'x', codes: [] } as const;

test('a stop answers what it cannot wait for, ends its work, and closes half-sent requests', async () => {
  const clock = new ManualClock();
  const app = openHttpServer({ allowedHosts: [], logger: pino({ level: 'silent' }), clock });
  const begun = Promise.withResolvers<AbortSignal>();
  const slow: Route = {
    ...SLOW,
    at: 'GET /v1/slow',
    handler: async (_request, reply) => {
      begun.resolve(goneSignal(reply));
      return new Promise(() => {});
    },
  };
  addRoute(app, slow, { keys: [] });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const waiting = connect(port, '127.0.0.1');
  waiting.write(GET);
  const half = connect(port, '127.0.0.1');
  half.write(GET.slice(0, 20));
  const [answer, cut] = [text(waiting), text(half)];
  const [left] = await Promise.all([begun.promise, once(half, 'connect')]);
  let isClosed = false;
  const closed = app.close().then(() => (isClosed = true));
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 10) {
      clock.advance(10);
      await new Promise((resolve) => void setImmediate(resolve));
    }
  };
  await pass(4_900);
  expect({ isClosed, left: left.aborted }).toEqual({ isClosed: false, left: false });
  await pass(200);
  const [head, body] = (await answer).split('\r\n\r\n');
  expect(head).toMatch(/^HTTP\/1.1 503 /u);
  expect(head).toMatch(/^connection: close$/mu);
  expect(head).toMatch(/^retry-after: 1$/mu);
  expect(JSON.parse(body!)).toMatchObject({ code: 'RESPONDER_LOST' });
  expect(left.reason).toMatchObject({ code: 'RESPONDER_LOST' });
  await pass(1_000);
  expect(await cut).toBe('');
  await closed;
});
