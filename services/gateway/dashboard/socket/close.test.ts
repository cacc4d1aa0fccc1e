import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PATIENT } from '../../../../events/patient.suite.ts';
import { OrderAccepted } from '../../../../events/catalog/trading.ts';
import { METRICS_INTERVAL_MS, startSocket, type Started } from './dashboard-socket.suite.ts';

let started: Started;
afterEach(() => started.close());

describe('closing the server', () => {
  test('ends every connection with 1001 and asks for nothing any more', async () => {
    started = await startSocket();
    const peers = [await started.open(), await started.open()];
    for (const peer of peers) peer.say({ action: 'subscribe', channel: 'all' });
    for (const peer of peers) await peer.caughtUp();
    await started.app.close();
    for (const peer of peers) expect(await peer.closed).toBe(1001);
    await started.settled();
    const { asked } = started.fakes;
    const before = asked.length;
    await started.pass(10 * METRICS_INTERVAL_MS);
    await started.fakes.publish(OrderAccepted, { order_id: 'o', ticker: 'A', cursor: '1' });
    expect(asked.length).toBe(before);
    expect(started.figures().connections).toBe(0);
  });

  test('does not wait for a client that does not answer', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.caughtUp();
    await started.pass(METRICS_INTERVAL_MS);
    await peer.heard('metrics', 2);
    await started.pass(100);
    peer.ws.pause();
    let closed = false;
    const closing = started.app.close().then(() => (closed = true));
    // The only timer left is the one that ends the wait.
    await expect.poll(() => started.clock.timers).toBe(1);
    await started.pass(1_999);
    await new Promise((resolve) => setImmediate(resolve));
    expect(closed).toBe(false);
    await started.pass(1);
    await closing;
    peer.ws.terminate();
  });

  test('refuses who comes while it waits', async () => {
    started = await startSocket();
    const idle = connect(started.port, '127.0.0.1');
    await once(idle, 'connect');
    // The stop waits for a connection that has sent nothing yet.
    idle.write('GET /openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await once(started.app.server, 'request');
    const peer = await started.open();
    await peer.caughtUp();
    peer.ws.pause();
    const { app } = started;
    const closing = app.close();
    await vi.waitFor(() => expect(app.server.listening).toBe(false), PATIENT);
    let answer = '';
    idle.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    idle.write(
      'GET /ws HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n' +
        'Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n',
    );
    await vi.waitFor(() => expect(answer).toContain('HTTP/1.1 503 '), PATIENT);
    // The only timer left is the one that ends the wait.
    await expect.poll(() => started.clock.timers).toBe(1);
    await started.pass(2_000);
    await closing;
    peer.ws.terminate();
  });
});

test('who was refused and holds on to the connection does not hold up the end', async () => {
  started = await startSocket();
  const socket = connect({ port: started.port, host: '127.0.0.1', allowHalfOpen: true });
  socket.write('GET /other HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
  await once(socket, 'data');
  await started.app.close();
  socket.destroy();
});

describe('a peer', () => {
  test('that does not answer a ping is gone by the next one', async () => {
    started = await startSocket();
    const peer = await started.open();
    await peer.caughtUp();
    peer.ws.pause();
    await started.pass(15_000);
    expect(started.figures().connections).toBe(1);
    await started.pass(15_000);
    await expect.poll(() => started.figures()).toMatchObject({ connections: 0, dead: 1 });
    peer.ws.terminate();
  });

  test('that answers stays, and so does one that only talks', async () => {
    started = await startSocket();
    const answering = await started.open();
    const talking = await started.open();
    talking.ws.pong = () => {};
    for (let n = 0; n < 5; n++) {
      const pinged = once(answering.ws, 'ping');
      await started.pass(15_000);
      await pinged;
      await answering.caughtUp();
      await talking.caughtUp();
    }
    expect(started.figures()).toMatchObject({ connections: 2, dead: 0 });
  });
});

test('the figures are there for Prometheus, and stand at what they are when they are read', async () => {
  started = await startSocket();
  const peer = await started.open();
  await peer.caughtUp();
  const { sent } = started.figures();
  for (let n = 0; n < 2; n++) {
    const text = await started.register.metrics();
    expect(text).toMatch(/^beleg_websocket_connections 1$/m);
    expect(text).toMatch(/^beleg_websocket_accepted_total 1$/m);
    expect(text).toMatch(new RegExp(`^beleg_websocket_sent_total ${sent}$`, 'm'));
    expect(text).toMatch(/^beleg_websocket_too_slow_total 0$/m);
  }
});
