import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startSocket, type Started } from './dashboard-socket.suite.ts';
import { CHANNELS } from './channels.ts';
import { readMessage } from './client-message.ts';
import { SOCKET_ERRORS } from './errors.ts';

let started: Started;
afterEach(() => started.close());

describe('what a client says', () => {
  test('a ping is answered with the time, to the microsecond', async () => {
    started = await startSocket();
    const peer = await started.open();
    peer.say({ action: 'ping' });
    const [pong] = await peer.heard('pong');
    expect(pong).toEqual({ type: 'pong', timestamp: '2026-01-15T08:00:00.123000Z' });
  });

  test.each(['all', ...CHANNELS])('subscribing to and leaving %s is acknowledged', async (channel) => {
    started = await startSocket();
    const peer = await started.open();
    peer.say({ action: 'subscribe', channel });
    peer.say({ action: 'unsubscribe', channel });
    expect(await peer.heard('subscribed')).toEqual([{ type: 'subscribed', channel }]);
    expect(await peer.heard('unsubscribed')).toEqual([{ type: 'unsubscribed', channel }]);
  });

  test.each([
    ['no JSON', '{', 'INVALID_MESSAGE'],
    ['nothing', '', 'INVALID_MESSAGE'],
    ['no object', '[]', 'INVALID_MESSAGE'],
    ['null', 'null', 'INVALID_MESSAGE'],
    ['no action', { channel: 'all' }, 'INVALID_MESSAGE'],
    ['an unknown action', { action: 'order' }, 'INVALID_MESSAGE'],
    ['no channel', { action: 'subscribe' }, 'INVALID_MESSAGE'],
    ['a channel that is no text', { action: 'subscribe', channel: 7 }, 'INVALID_MESSAGE'],
    ['an unknown channel', { action: 'subscribe', channel: 'secrets' }, 'UNKNOWN_CHANNEL'],
    ['a property of every object', { action: 'unsubscribe', channel: 'constructor' }, 'UNKNOWN_CHANNEL'],
  ])('%s is told so, and the connection stays', async (_, message, code) => {
    started = await startSocket();
    const peer = await started.open();
    peer.say(message);
    expect(await peer.heard('error')).toEqual([{ type: 'error', code, message: expect.any(String) }]);
    await peer.caughtUp();
  });

  test('a binary frame is no message, whatever is in it', async () => {
    started = await startSocket();
    const peer = await started.open();
    peer.ws.send(Buffer.from('{"action":"ping"}'), { binary: true });
    const [error] = await peer.heard('error');
    expect(error).toMatchObject({ code: 'INVALID_MESSAGE', message: expect.stringContaining('text frame') });
    await peer.caughtUp();
    expect(await peer.heard('pong')).toHaveLength(1);
  });

  test('4 KiB are taken, one byte more ends the connection', async () => {
    started = await startSocket();
    const peer = await started.open();
    const ping = '{"action":"ping"}';
    peer.say(ping.padEnd(4 * 1024));
    await peer.heard('pong');
    peer.say(ping.padEnd(4 * 1024 + 1));
    expect(await peer.closed).toBe(1009);
    await expect.poll(() => started.figures().connections).toBe(0);
  });

  test('a frame that is no UTF-8 ends the connection', async () => {
    started = await startSocket();
    const peer = await started.open();
    peer.ws.send(Buffer.from([0xff, 0xfe]), { binary: false });
    expect(await peer.closed).toBe(1007);
  });

  test('too much in too short a time ends the connection; at an even pace it may say all it likes', async () => {
    started = await startSocket({ limits: { rate: { burst: 5, perSecond: 10 } } });
    const even = await started.open();
    for (let n = 1; n <= 50; n++) {
      even.say({ action: 'ping' });
      await even.heard('pong', n);
      await started.pass(100);
    }
    const abusive = await started.open();
    for (let n = 0; n < 6; n++) abusive.say({ action: 'ping' });
    expect(await abusive.closed).toBe(4429);
    expect(abusive.reason).toBe('Too many messages in a short time');
    expect(abusive.messages.filter(({ type }) => type === 'pong')).toHaveLength(5);
    expect((await abusive.heard('error'))[0]!.code).toBe('TOO_MANY_MESSAGES');
    expect(even.ws.readyState).toBe(WebSocket.OPEN);
  });

  test('pings of the protocol count, too', async () => {
    started = await startSocket({ limits: { rate: { burst: 5, perSecond: 10 } } });
    const peer = await started.open();
    for (let n = 0; n < 6; n++) peer.ws.ping();
    expect(await peer.closed).toBe(4429);
  });
});

const ACTIONS = ['auth', 'ping', 'subscribe', 'unsubscribe'];

describe('whatever a client says', () => {
  const fields = fc.record(
    {
      action: fc.oneof(fc.constantFrom(...ACTIONS), fc.jsonValue({ maxDepth: 1 })),
      channel: fc.oneof(fc.constantFrom('all', ...CHANNELS), fc.jsonValue({ maxDepth: 1 })),
      key: fc.jsonValue({ maxDepth: 1 }),
    },
    { requiredKeys: [] },
  );
  const texts = fc.oneof(
    fields.map((message) => JSON.stringify(message)),
    fc.json(),
    fc.string({ unit: 'binary' }),
  );

  test('it is read as a message or as one of the errors', async () => {
    started = await startSocket();
    fc.assert(
      fc.property(texts, (said) => {
        const message = readMessage(said);
        expect(typeof message === 'string' ? ['INVALID_MESSAGE', 'UNKNOWN_CHANNEL'] : ACTIONS).toContain(
          typeof message === 'string' ? message : message.action,
        );
      }),
      { numRuns: 500 },
    );
  });

  test('it gets exactly one answer, and the connection stays', async () => {
    started = await startSocket({ limits: { rate: { burst: 1e9, perSecond: 1 } } });
    const peer = await started.open();
    await fc.assert(
      fc.asyncProperty(texts, async (said) => {
        peer.forget();
        peer.say(said);
        await peer.caughtUp();
        // The first reply is to this message; the second is to the ping and shows that nothing else comes.
        const replies = peer.messages.filter((message) => !('seq' in message));
        expect(replies).toHaveLength(2);
      }),
      { numRuns: 300 },
    );
    expect(started.lines.filter(({ level }) => Number(level) >= 40)).toEqual([]);
    expect(started.fakes.faults).toEqual([]);
  });
});

test('every error has a code of its own to close with, or none', async () => {
  started = await startSocket();
  expect(Object.entries(SOCKET_ERRORS).map(([code, [closeCode]]) => [code, closeCode])).toEqual([
    ['INVALID_MESSAGE', null],
    ['UNKNOWN_CHANNEL', null],
    ['UNAUTHORIZED', 4401],
    ['TOO_SLOW', 4408],
    ['TOO_MANY_MESSAGES', 4429],
  ]);
  // RFC 6455, 5.5.1 and 7.1.6: the reason of a close has at most 123 bytes.
  for (const [, message] of Object.values(SOCKET_ERRORS))
    expect(Buffer.byteLength(message)).toBeLessThan(124);
});
