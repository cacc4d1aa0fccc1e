import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, Socket, type AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/faults/manual-clock.suite.ts';
import { ownTurn } from '../../../kb/turns.ts';
import { acceptFirst, dropStalled, prepareDrain, Unanswered } from './connections.ts';

let server: Server;
let clock: ManualClock;
let handled: number;
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function start(body: Buffer | null): Promise<Socket> {
  handled = 0;
  clock = new ManualClock();
  const unanswered = new Unanswered();
  server = createServer((request, response) => {
    if (!unanswered.add(request, response)) return;
    handled += 1;
    if (body !== null) response.end(body);
  });
  dropStalled(server, clock);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}

const requests = (count: number) => 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count);

test('a connection that pipelines more requests than it waits for is dropped', async () => {
  const socket = await start(null);
  socket.write(requests(1_500));
  await once(socket, 'close');
  expect(handled).toBeLessThan(100);
});

test('a handful of pipelined requests is answered', async () => {
  const socket = await start(Buffer.from('yes'));
  socket.write(requests(20));
  let read = '';
  for await (const chunk of socket.setEncoding('utf8')) {
    read += chunk as string;
    if (read.split('yes').length > 20) break;
  }
  expect(handled).toBe(20);
});

test('a client that asks and does not read is dropped; one that reads slowly, or is only quiet, is not', async () => {
  const socket = await start(Buffer.alloc(32 * 1024 * 1024));
  const quiet = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [accepted] = (await once(server, 'connection')) as [Socket];
  const gone: string[] = [];
  socket.once('close', () => gone.push('stalled'));
  accepted.once('close', () => gone.push('quiet'));
  const served = once(server, 'request');
  socket.pause();
  socket.write(requests(1));
  const [, response] = (await served) as [unknown, { socket: Socket }];
  const dropped = once(response.socket, 'close');
  clock.advance(30_000);
  expect(response.socket.destroyed).toBe(false);
  clock.advance(30_000);
  await dropped;
  expect(gone).toEqual([]);
  quiet.destroy();
});

test('connections that wait are accepted before the first of their requests is worked on', async () => {
  const sockets = 20;
  let accepted = 0;
  const acceptedBefore: number[] = [];
  const work = async (response: ServerResponse): Promise<void> => {
    await ownTurn();
    acceptedBefore.push(accepted);
    response.end('yes');
  };
  server = createServer((_request, response) => void work(response));
  server.on('connection', () => (accepted += 1));
  acceptFirst(server);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const answers = Array.from({ length: sockets }, async () => {
    const socket = connect(port, '127.0.0.1');
    socket.write(requests(1));
    await once(socket, 'data');
  });
  await Promise.all(answers);
  expect(acceptedBefore).toEqual(Array.from({ length: sockets }, () => sockets));
});

/** A server that is to be stopped, on a clock of its own. */
async function startDraining(arriving: () => number = () => 0) {
  clock = new ManualClock();
  server = createServer((_request, response) => void response.setHeader('connection', 'close').end('yes'));
  const drain = prepareDrain(server, { clock, arriving: async () => arriving() });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return drain;
}

/** Lets so much time pass for the server, look by look. */
async function pass(ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 10) {
    clock.advance(10);
    await new Promise((resolve) => void setImmediate(resolve));
  }
}

test.each([
  ['at once', false],
  // As over a network: all are accepted before the first request comes.
  ['after the listener is closed', true],
])('a stop answers a burst of connections whose requests come %s: none is reset', async (_, isLate) => {
  const drain = await startDraining();
  let accepted = 0;
  const all = Promise.withResolvers<void>();
  server.on('connection', () => void (++accepted === 300 && all.resolve()));
  const stopping = once(server, 'connection').then(() => drain());
  const mayAsk = Promise.withResolvers<void>();
  if (!isLate) mayAsk.resolve();
  const outcomes = Array.from({ length: 300 }, async () => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const answer = text(socket).catch((error: NodeJS.ErrnoException) => error.code);
    await once(socket, 'connect');
    await mayAsk.promise;
    socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
    return (await answer)?.slice(0, 'HTTP/1.1 200'.length);
  });
  // For the server no time passes until it has them all, however busy the machine is.
  await all.promise;
  await pass(120);
  expect(server.listening).toBe(false);
  mayAsk.resolve();
  expect(new Set(await Promise.all(outcomes))).toEqual(new Set(['HTTP/1.1 200']));
  await pass(10);
  await stopping;
});

test('a stop resets nobody, although clients keep connecting', async () => {
  const drain = await startDraining(() => 1);
  const { port } = server.address() as AddressInfo;
  const ends: unknown[] = [];
  const clients = Array.from({ length: 50 }, async () => {
    for (;;) {
      const socket = connect(port, '127.0.0.1');
      socket.write(requests(1));
      const answer = await text(socket).catch((error: NodeJS.ErrnoException) => error.code);
      if (answer?.startsWith('HTTP/1.1 200') === true) continue;
      ends.push(answer);
      return;
    }
  });
  await once(server, 'connection');
  const stopping = drain().then(() => 'stopped');
  while ((await Promise.race([stopping, pass(10)])) !== 'stopped');
  await Promise.all(clients);
  expect(new Set(ends)).toEqual(new Set(['ECONNREFUSED']));
});

test('a stop answers an idle connection that asks once more', async () => {
  const drain = await startDraining();
  server.removeAllListeners('request');
  server.on('request', (_request, response: ServerResponse) => void response.end('yes'));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write(requests(1));
  await once(socket, 'data');
  let isDone = false;
  const stopping = drain().then(() => (isDone = true));
  while (server.listening) await pass(10);
  await pass(490);
  expect(isDone).toBe(false);
  socket.write(requests(1));
  await once(socket, 'data');
  await pass(10);
  await stopping;
  socket.destroy();
});

test('a stop listens until no connection has come for a tenth of a second, and for half a second at most', async () => {
  const stopping = (await startDraining())();
  const come = (): void => void server.emit('connection', new Socket());
  for (let n = 0; n < 4; n++) {
    await pass(90);
    expect(server.listening).toBe(true);
    come();
  }
  await pass(100);
  expect(server.listening).toBe(true);
  await pass(10);
  expect(server.listening).toBe(false);
  await pass(500);
  await stopping;
});

test('a stop listens while the kernel has connections that the listener has not', async () => {
  let arriving = 1;
  const stopping = (await startDraining(() => arriving))();
  await pass(400);
  expect(server.listening).toBe(true);
  arriving = 0;
  await pass(100);
  expect(server.listening).toBe(false);
  await stopping;
});

test('a stop does not listen for ever', async () => {
  const stopping = (await startDraining(() => 1))();
  await pass(490);
  expect(server.listening).toBe(true);
  await pass(10);
  expect(server.listening).toBe(false);
  await stopping;
});
