import { randomUUID } from 'node:crypto';
import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EventStoreDBClient, jsonEvent, NO_STREAM as CLIENT_NO_STREAM } from '@eventstore/db-client';
import { NO_STREAM, type EventStore } from '../events/store/store.ts';
import { openEventStoreDb } from '../events/store/eventstoredb/eventstoredb.ts';
import { EVENTSTORE_BINARY, startServer } from '../testing/eventstoredb/server-process.suite.ts';
import { spawnStandIn } from '../testing/eventstoredb/stand-in/process.suite.ts';
import { median } from '../testing/quantile.ts';
import { newEvent, perSecond } from './store-load.ts';

/** Callers that wait for their append before the next. */
const WRITERS = [1, 8, 64];

/** The events on record while reading is measured. All of them are in one stream. */
const TO_READ = 10_000;

export interface EventStoreDbBenchOptions {
  readonly url: string;
  /** How often everything is measured; medians are reported. */
  readonly runs: number;
  /** Milliseconds of one measurement of appends. */
  readonly milliseconds: number;
}

/** Events a second, ours and the client's, measured right after one another. */
export interface Pair {
  readonly ours: number;
  readonly client: number;
}

export interface Compared {
  readonly what: string;
  readonly pairs: readonly Pair[];
}

/** Writes one event behind this revision; gives the new one. */
type Append = (stream: string, expected: bigint, n: number) => Promise<bigint>;

const byStore =
  (store: EventStore): Append =>
  async (stream, expected, n) =>
    (await store.append(stream, expected, [newEvent('Appended', stream, n)])).revision;

/** The peer: the same events by the client of EventStoreDB alone, without chain, checks or repetitions. */
const byClient =
  (client: EventStoreDBClient): Append =>
  async (stream, expected, n) => {
    const { metadata, ...event } = newEvent('Appended', stream, n);
    const written = await client.appendToStream(
      stream,
      jsonEvent({ ...event, metadata: { ...metadata }, data: event.data as Record<string, unknown> }),
      { expectedRevision: expected === NO_STREAM ? CLIENT_NO_STREAM : expected },
    );
    return written.nextExpectedRevision;
  };

/** `writers` callers, each with a stream of its own that it has begun, and waiting for its append before the next. */
async function appendRate(append: Append, writers: number, milliseconds: number): Promise<number> {
  const streams = Array.from({ length: writers }, () => `bench-${randomUUID()}`);
  const begun = await Promise.all(streams.map((stream) => append(stream, NO_STREAM, 0)));
  const began = performance.now();
  let count = 0;
  await Promise.all(
    streams.map(async (stream, index) => {
      let revision = begun[index]!;
      for (; performance.now() - began < milliseconds; count++)
        revision = await append(stream, revision, count);
    }),
  );
  return perSecond(count, began);
}

/** One caller begins a new stream with each append. */
async function beginRate(append: Append, milliseconds: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < milliseconds; count++)
    await append(`bench-${randomUUID()}`, NO_STREAM, 0);
  return perSecond(count, began);
}

/** All of it, so many events: in a record of ours nearly all are ours. */
async function readRate(events: AsyncIterable<unknown>): Promise<number> {
  const began = performance.now();
  let count = 0;
  for await (const _ of events) count++;
  return perSecond(count, began);
}

/** As often as it is told, after one round that does not count; whoever is first is second the next time. */
async function compare(
  runs: number,
  ours: () => Promise<number>,
  client: () => Promise<number>,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let run = 0; run <= runs; run++) {
    const before = run % 2 === 0 ? await ours() : undefined;
    const theirs = await client();
    pairs.push({ ours: before ?? (await ours()), client: theirs });
  }
  return pairs.slice(1);
}

/** Measures the adapter beside the plain client of the same package, alternating, on one server, in one run. */
export async function runEventStoreDbBench(options: EventStoreDbBenchOptions): Promise<Compared[]> {
  const { url, runs, milliseconds } = options;
  // The long timeouts let the measurement end on a busy machine too.
  const store = await openEventStoreDb({ url, timeoutMs: 60_000, giveUpMs: 60_000 });
  const client = EventStoreDBClient.connectionString(url);
  const [ours, peer] = [byStore(store), byClient(client)];
  const results: Compared[] = [];
  const add = async (
    what: string,
    byUs: () => Promise<number>,
    byPeer: () => Promise<number>,
  ): Promise<void> => void results.push({ what, pairs: await compare(runs, byUs, byPeer) });
  try {
    const stream = `bench-${randomUUID()}`;
    for (let at = 0; at < TO_READ; at += 500) {
      const events = Array.from({ length: 500 }, (_, n) => newEvent('Appended', stream, at + n));
      await store.append(stream, BigInt(at) - 1n, events);
    }
    // First, while the record is short.
    await add(
      'read $all',
      () => readRate(store.readAll()),
      () => readRate(client.readAll()),
    );
    await add(
      'read a stream',
      () => readRate(store.readStream(stream)),
      () => readRate(client.readStream(stream)),
    );
    for (const writers of WRITERS) {
      await add(
        `append, ${writers} writers`,
        () => appendRate(ours, writers, milliseconds),
        () => appendRate(peer, writers, milliseconds),
      );
    }
    await add(
      'begin streams',
      () => beginRate(ours, milliseconds),
      () => beginRate(peer, milliseconds),
    );
  } finally {
    await client.dispose();
    await store.close();
  }
  return results;
}

const rate = (values: readonly number[]): string =>
  Math.round(median(values)).toLocaleString('en').padStart(10);

/** The ratios are those of the pairs: what slows the machine for a while slows both. */
function table(results: readonly Compared[]): string {
  const lines = results.map(({ what, pairs }) => {
    const ratios = pairs.map(({ ours, client }) => ours / client);
    const [low, middle, high] = [Math.min(...ratios), median(ratios), Math.max(...ratios)];
    const columns = [middle, low, high].map((ratio) => ratio.toFixed(2).padStart(8));
    return `${what.padEnd(22)}${rate(pairs.map(({ ours }) => ours))}${rate(pairs.map(({ client }) => client))}${columns.join('')}`;
  });
  const heads = ['ratio', 'min', 'max'].map((head) => head.padStart(8)).join('');
  return [
    `${'events a second'.padEnd(22)}${'ours'.padStart(10)}${'client'.padStart(10)}${heads}`,
    ...lines,
  ].join('\n');
}

/**
 * `npm run bench -- eventstoredb [--url esdb://…] [--runs 5] [--milliseconds 2000]`: without a URL on the server that
 * `EVENTSTORE_BINARY` names, or else on the stand-in, each in a process of its own with an empty record.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      url: { type: 'string' },
      runs: { type: 'string', default: '5' },
      milliseconds: { type: 'string', default: '2000' },
    },
  });
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-'));
  const folder = temporary.path;
  const file = join(folder, 'events.db');
  const started = values.url !== undefined ? undefined : await start(file);
  try {
    const url = values.url ?? started!.url;
    const { runs, milliseconds } = values;
    const results = await runEventStoreDbBench({
      url,
      runs: Number(runs),
      milliseconds: Number(milliseconds),
    });
    console.log(table(results));
  } finally {
    await started?.remove();
  }
}

async function start(file: string): Promise<{ url: string; remove(): Promise<void> }> {
  if (EVENTSTORE_BINARY !== undefined) return startServer();
  console.log('No EVENTSTORE_BINARY: these are figures of the stand-in.');
  return spawnStandIn({ file });
}
