import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EventStoreDBClient, jsonEvent, NO_STREAM as CLIENT_NO_STREAM } from '@eventstore/db-client';
import { NO_STREAM, type EventStore } from '../events/store/store.ts';
import { openEventStoreDb } from '../events/store/eventstoredb/eventstoredb.ts';
import { EVENTSTORE_BINARY, startServer } from '../events/store/eventstoredb/server-process.suite.ts';
import { spawnStandIn } from '../events/store/eventstoredb/stand-in/process.suite.ts';
import { median } from './quantile.ts';
import { newEvent, perSecond } from './store-load.ts';

/** Callers that wait for their append before the next. */
const WRITERS = [1, 8, 64];

export interface EventStoreDbBenchOptions {
  readonly url: string;
  /** How often everything is measured; medians are reported. */
  readonly runs: number;
  /** Milliseconds of one measurement of appends. */
  readonly milliseconds: number;
}

/** Events a second: ours and the client's, run beside run. */
export interface Compared {
  readonly what: string;
  readonly ours: number[];
  readonly client: number[];
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

/** One caller that begins a stream with each append. */
async function beginRate(append: Append, milliseconds: number): Promise<number> {
  const began = performance.now();
  let count = 0;
  for (; performance.now() - began < milliseconds; count++)
    await append(`bench-${randomUUID()}`, NO_STREAM, 0);
  return perSecond(count, began);
}

async function readRate(events: AsyncIterable<unknown>): Promise<number> {
  const began = performance.now();
  let count = 0;
  for await (const _ of events) count++;
  return perSecond(count, began);
}

/** Measures the adapter beside the plain client of the same package, alternating, on one server, in one run. */
export async function runEventStoreDbBench(options: EventStoreDbBenchOptions): Promise<Compared[]> {
  const { url, runs, milliseconds } = options;
  const results = [
    ...WRITERS.map((writers) => `append, ${writers} writers`),
    'begin streams',
    'read $all',
  ].map((what) => ({ what, ours: [] as number[], client: [] as number[] }));
  // Also a busy machine is measured to the end.
  const store = await openEventStoreDb({ url, timeoutMs: 60_000, giveUpMs: 60_000 });
  const client = EventStoreDBClient.connectionString(url);
  const [ours, peer] = [byStore(store), byClient(client)];
  try {
    for (let run = 0; run < runs; run++) {
      for (const [index, writers] of WRITERS.entries()) {
        results[index]!.client.push(await appendRate(peer, writers, milliseconds));
        results[index]!.ours.push(await appendRate(ours, writers, milliseconds));
      }
      results.at(-2)!.client.push(await beginRate(peer, milliseconds));
      results.at(-2)!.ours.push(await beginRate(ours, milliseconds));
    }
    const reads = results.at(-1)!;
    for (let run = 0; run < runs; run++) {
      reads.client.push(await readRate(client.readAll()));
      reads.ours.push(await readRate(store.readAll()));
    }
  } finally {
    await client.dispose();
    await store.close();
  }
  return results;
}

const rate = (value: number): string => Math.round(value).toLocaleString('en').padStart(10);

const range = (rates: readonly number[]): string =>
  `${rate(Math.min(...rates))} …${rate(Math.max(...rates))}`;

function table(results: readonly Compared[]): string {
  const lines = results.map(({ what, ours, client }) => {
    const ratio = (median(ours) / median(client)).toFixed(2);
    return `${what.padEnd(22)}${rate(median(ours))}${range(ours)}${rate(median(client))}${range(client)}${ratio.padStart(8)}`;
  });
  const head = `${'events a second'.padEnd(22)}${'ours'.padStart(10)}${'min … max'.padStart(22)}${'client'.padStart(10)}${'min … max'.padStart(22)}${'ratio'.padStart(8)}`;
  return [head, ...lines].join('\n');
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
  const folder = mkdtempSync(join(tmpdir(), 'bench-'));
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
    rmSync(folder, { recursive: true });
  }
}

async function start(file: string): Promise<{ url: string; remove(): Promise<void> }> {
  if (EVENTSTORE_BINARY !== undefined) return startServer();
  console.log('No EVENTSTORE_BINARY: these are figures of the stand-in.');
  return spawnStandIn({ file });
}
