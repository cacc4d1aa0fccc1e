import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  binaryEvent,
  EventStoreDBClient,
  jsonEvent,
  type AllStreamResolvedEvent,
  type BinaryEventType,
  type EventData,
  type JSONEventType,
  type ResolvedEvent,
} from '@eventstore/db-client';
import { afterAll, beforeAll } from 'vitest';
import { startStandIn, type StandIn } from './server.ts';
import type { Version } from './version.ts';

/** The stand-in in this process and the real client, with a folder of its own; set while the tests run. */
export interface Bench {
  standIn: StandIn;
  client: EventStoreDBClient;
  folder: string;
  /** A second client for reads, because all clients of a process share pending appends. */
  connect(options?: { disposable: boolean }): EventStoreDBClient;
  /** A client of another stand-in with that version. */
  start(version: Version): Promise<EventStoreDBClient>;
}

export function useStandIn(): Bench {
  const bench = {} as Bench;
  const clients: EventStoreDBClient[] = [];
  bench.connect = ({ disposable } = { disposable: true }) => {
    const client = EventStoreDBClient.connectionString(bench.standIn.url);
    if (disposable) clients.push(client);
    return client;
  };
  const others: StandIn[] = [];
  bench.start = async (version) => {
    const file = join(bench.folder, `other-${others.length}.db`);
    const other = await startStandIn({ file, version });
    others.push(other);
    const client = EventStoreDBClient.connectionString(other.url);
    clients.push(client);
    return client;
  };
  beforeAll(async () => {
    bench.folder = await mkdtemp(join(tmpdir(), 'beleg-stand-in-'));
    bench.standIn = await startStandIn({ file: join(bench.folder, 'stand-in.db') });
    bench.client = bench.connect();
  });
  afterAll(async () => {
    for (const client of clients) await client.dispose();
    for (const server of [bench.standIn, ...others]) await server.close();
    await rm(bench.folder, { recursive: true });
  });
  return bench;
}

let streams = 0;

/** A name that no other test uses. */
export const newStream = (prefix = 'stream'): string => `${prefix}-${++streams}`;

export function testEvents(count: number, type = 'test'): EventData<JSONEventType>[] {
  return Array.from({ length: count }, (_, index) => jsonEvent({ type, data: { index } }));
}

export function binaryTestEvents(count: number, type = 'test'): EventData<BinaryEventType>[] {
  return Array.from({ length: count }, (_, index) =>
    binaryEvent({ type, data: Buffer.from(`hello: ${index}`) }),
  );
}

export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The first `count` events of a subscription, which then ends. */
export async function take<T>(items: AsyncIterable<T>, count: number): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) if (all.push(item) === count) break;
  return all;
}

export const idsOf = (events: readonly (ResolvedEvent | AllStreamResolvedEvent)[]): string[] =>
  events.map(({ event }) => event!.id);

export const revisionsOf = (events: readonly ResolvedEvent[]): number[] =>
  events.map(({ event }) => Number(event!.revision));
