import { beforeEach, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import type { MessageBus } from '../bus/bus.ts';
import { InProcessBus } from '../bus/in-process.ts';
import { BelegError } from '../errors.ts';
import { call, defineRequest, serve } from './define.ts';

const Double = defineRequest({
  subject: 'beleg.v1.qry.test.double',
  request: z.strictObject({ text: z.string().max(10), times: z.int().default(2) }),
  reply: z.object({ text: z.string() }),
  timeoutMs: 5_000,
});
const context = { correlationId: 'request-1', callId: 'call-1' };

describe('call and serve', () => {
  let bus: MessageBus;
  const onError = vi.fn();

  beforeEach(() => {
    onError.mockReset();
    const broker = new InProcessBus();
    bus = broker.connect(onError);
  });

  test('carries a request there and its reply back, defaults filled in', async () => {
    serve(bus, Double, 'test', async ({ text, times }) => ({ text: text.repeat(times) }), onError);
    expect(await call(bus, Double, { text: 'ab' }, context)).toEqual({ text: 'abab' });
    expect(onError).not.toHaveBeenCalled();
  });

  test('text crosses as it is: lone surrogates, control characters, other scripts', async () => {
    serve(bus, Double, 'test', async ({ text }) => ({ text }), onError);
    for (const text of ['\ud800', 'a\u0000b', 'ä€𝄞', '\u2028']) {
      expect(await call(bus, Double, { text }, context)).toEqual({ text });
    }
  });

  test('the handler knows the request id, the call, and how long the caller waits', async () => {
    const seen = vi.fn();
    serve(bus, Double, 'test', async (_, context) => (seen(context), { text: '' }), onError);
    const before = Date.now();
    await call(bus, Double, { text: '' }, context, { timeoutMs: 1_000 });
    const { deadline, left, ...rest } = seen.mock.calls[0]![0] as { deadline: Date; left: AbortSignal };
    expect(left.aborted).toBe(false);
    expect(rest).toEqual(context);
    expect(deadline.getTime()).toBeGreaterThanOrEqual(before + 1_000);
    expect(deadline.getTime()).toBeLessThanOrEqual(Date.now() + 1_000);
  });

  test('of a request that ends with its caller, who answers is told that the caller has left', async () => {
    const leaving = new AbortController();
    const told = Promise.withResolvers<unknown>();
    const Long = { ...Double, endsWithCaller: true };
    serve(
      bus,
      Long,
      'test',
      (_, { left }) => {
        left.addEventListener('abort', () => told.resolve(left.reason));
        leaving.abort(new Error('gone'));
        return new Promise(() => undefined);
      },
      onError,
    );
    await expect(call(bus, Long, { text: '' }, context, { signal: leaving.signal })).rejects.toThrow('gone');
    expect(await told.promise).toMatchObject({ code: 'CLIENT_CLOSED_REQUEST' });
  });

  test('a deadline that cannot be read is the one of the definition', async () => {
    const seen = vi.fn();
    serve(bus, Double, 'test', async (_, { deadline }) => (seen(deadline), { text: '' }), onError);
    const data = new TextEncoder().encode('{"text":""}');
    await bus.request(Double.subject, data, { timeoutMs: 1_000, headers: { deadline: 'soon' } });
    expect((seen.mock.calls[0]![0] as Date).getTime()).toBeGreaterThan(Date.now() + 4_000);
  });

  test("a service's error crosses with code, detail, faults and retry time, and without its cause", async () => {
    const fault = new BelegError('OVERLOADED', {
      detail: '64 wait already',
      errors: [{ path: 'a', message: 'b' }],
      retryAfter: 2,
      cause: new Error('secret'),
    });
    serve(bus, Double, 'test', () => Promise.reject(fault), onError);
    const error: unknown = await call(bus, Double, { text: '' }, context).catch((error: unknown) => error);
    expect(error).toMatchObject({
      code: 'OVERLOADED',
      detail: '64 wait already',
      errors: [{ path: 'a', message: 'b' }],
      retryAfter: 2,
    });
    expect((error as BelegError).cause).toBeUndefined();
    expect(onError).toHaveBeenCalledExactlyOnceWith(fault, expect.objectContaining(context));
  });

  test("the caller's own faults are not reported", async () => {
    serve(bus, Double, 'test', () => Promise.reject(new BelegError('UNKNOWN_REQUEST_ID')), onError);
    await expect(call(bus, Double, { text: '' }, context)).rejects.toMatchObject({
      code: 'UNKNOWN_REQUEST_ID',
    });
    expect(onError).not.toHaveBeenCalled();
  });

  test('any other error is INTERNAL and says nothing', async () => {
    const fault = new Error('connect ECONNREFUSED 10.0.0.1');
    serve(bus, Double, 'test', () => Promise.reject(fault), onError);
    await expect(call(bus, Double, { text: '' }, context)).rejects.toMatchObject({
      code: 'INTERNAL',
      detail: undefined,
    });
    expect(onError).toHaveBeenCalledExactlyOnceWith(fault, expect.anything());
  });

  test('a request that is not valid is refused before it is sent', async () => {
    const handler = vi.fn();
    serve(bus, Double, 'test', handler, onError);
    await expect(call(bus, Double, { text: 'x'.repeat(11) }, context)).rejects.toMatchObject({
      code: 'INVALID_REQUEST',
      errors: [{ path: 'text' }],
    });
    expect(handler).not.toHaveBeenCalled();
  });

  test.each([
    ['{"text":1,"more":true}', 'INVALID_REQUEST'],
    ['{', 'INVALID_JSON'],
  ])('the service refuses %s from callers that do not check', async (body, code) => {
    const handler = vi.fn();
    serve(bus, Double, 'test', handler, onError);
    const reply = await bus.request(Double.subject, new TextEncoder().encode(body), { timeoutMs: 1_000 });
    expect(reply.headers['error']).toBe(code);
    expect(handler).not.toHaveBeenCalled();
  });

  test('a reply that the definition does not allow is INTERNAL on either side', async () => {
    serve(bus, Double, 'test', async () => ({ text: 1 as unknown as string }), onError);
    await expect(call(bus, Double, { text: '' }, context)).rejects.toMatchObject({ code: 'INTERNAL' });
    expect(onError).toHaveBeenCalledOnce();

    const Raw = { ...Double, subject: 'beleg.v1.qry.test.raw' };
    bus.subscribe(Raw.subject, () => ({ data: new TextEncoder().encode('{"text":1}') }));
    await expect(call(bus, Raw, { text: '' }, context)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  test('a reply that is no JSON is INTERNAL', async () => {
    bus.subscribe(Double.subject, () => ({ data: new TextEncoder().encode('<html>') }));
    await expect(call(bus, Double, { text: '' }, context)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  test('an error reply of an unknown code, or none at all, is INTERNAL', async () => {
    const bodies = ['{"code":"LATER_VERSION","detail":"…"}', '<html>'];
    bus.subscribe(Double.subject, () => ({
      data: new TextEncoder().encode(bodies.shift()),
      headers: { error: 'LATER_VERSION' },
    }));
    await expect(call(bus, Double, { text: '' }, context)).rejects.toMatchObject({
      code: 'INTERNAL',
      detail: '…',
    });
    await expect(call(bus, Double, { text: '' }, context)).rejects.toMatchObject({ code: 'INTERNAL' });
  });

  test('nobody there is NO_RESPONDERS; an abort rejects with its reason', async () => {
    await expect(call(bus, Double, { text: '' }, context)).rejects.toMatchObject({ code: 'NO_RESPONDERS' });
    const reason = new Error('gone');
    await expect(
      call(bus, Double, { text: '' }, context, { signal: AbortSignal.abort(reason) }),
    ).rejects.toBe(reason);
  });
});
