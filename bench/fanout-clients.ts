// A process of its own: WebSocket clients as cheap as they can be, so that what is measured is the server.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { quantile } from '../testing/quantile.ts';

/** What the parent gets when it says `report`. */
export interface ClientsReport {
  /** Milliseconds from the event to the client, over all clients that read. */
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  /** Messages of the client that got fewest. */
  readonly fewest: number;
}

/** The moment of an event stands in its order: a monotonic clock that all processes of a machine share. */
export const stampOf = (nanoseconds: bigint): string => `t${nanoseconds}`;
const STAMP = /"client_order_id":"t(\d+)"/g;
/** A message that a chunk cuts off is looked at again with the next one: the stamp is at most so long. */
const STAMP_LENGTH = 48;

class Reader {
  readonly #socket: Socket;
  readonly latencies: number[] = [];
  #rest = '';

  constructor(socket: Socket) {
    this.#socket = socket;
  }

  start(): void {
    this.#socket.on('data', (chunk: Buffer) => {
      const now = process.hrtime.bigint();
      const text = this.#rest + chunk.toString('latin1');
      let end = 0;
      for (const match of text.matchAll(STAMP)) {
        this.latencies.push(Number(now - BigInt(match[1]!)) / 1e6);
        end = match.index + match[0].length;
      }
      this.#rest = text.slice(Math.max(end, text.length - STAMP_LENGTH));
    });
  }
}

/** Connected, upgraded, subscribed to orders alone; nothing of what follows is read yet. */
async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  const key = randomBytes(16).toString('base64');
  socket.write(
    `GET /ws HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(socket, 'readable');
  socket.write(frame({ action: 'unsubscribe', channel: 'all' }));
  socket.write(frame({ action: 'subscribe', channel: 'orders' }));
  return socket;
}

/** A client's text frame up to 125 bytes, masked with zeros. */
function frame(message: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(message));
  return Buffer.concat([Buffer.from([0x81, 0x80 | text.length, 0, 0, 0, 0]), text]);
}

function report(readers: readonly Reader[]): ClientsReport {
  const all = readers.flatMap(({ latencies }) => latencies);
  return {
    p50: quantile(all, 0.5),
    p99: quantile(all, 0.99),
    max: quantile(all, 1),
    fewest: Math.min(...readers.map(({ latencies }) => latencies.length)),
  };
}

if (import.meta.main) {
  const [port, clients] = process.argv.slice(2).map(Number) as [number, number];
  // The first of them never reads.
  const silent = await open(port);
  silent.write(frame({ action: 'subscribe', channel: 'logs' }));
  const readers: Reader[] = [];
  for (let n = 1; n < clients; n++) {
    const reader = new Reader(await open(port));
    reader.start();
    readers.push(reader);
  }
  process.on('message', () => process.send!(report(readers)));
  process.on('disconnect', () => process.exit());
  process.send!('ready');
}
