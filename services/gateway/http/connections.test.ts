import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { ManualClock } from '../../../testing/faults/manual-clock.suite.ts';
import { ownTurn } from '../../../kb/turns.ts';
import { acceptFirst, dropStalled, Unanswered } from './connections.ts';

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
