import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { createCodec, defineEvent, type Codec } from '../events/define.ts';
import type { Projection } from '../events/projections/projection.ts';
import { startProjection } from '../events/projections/runner.ts';
import { openEmbeddedStore } from '../events/store/embedded/embedded.ts';
import type { EventStore, NewEvent, Position } from '../events/store/store.ts';
import { openSqliteVault } from '../events/vault/sqlite.ts';
import type { Vault } from '../events/vault/vault.ts';
import { median } from '../testing/quantile.ts';
import { appendFor, newEvent, perSecond, PlainInserts, TEXT } from './store-load.ts';

/** One line of the result: several runs of the same work. */
interface Measured {
  what: string;
  /** Events a second. */
  rates: number[];
}

/** The size of an ordinary event of an ask: some ids and one sealed sentence. */
const Measurement = defineEvent('bench', 'Measured', {
  request_id: z.string(),
  kind: z.string(),
  amount: z.int(),
  text: z.string(),
});
const Sealed = defineEvent(
  'bench',
  'MeasuredInSecret',
  { request_id: z.string(), kind: z.string(), amount: z.int(), text: z.string() },
  { freeText: ['text'] },
);

async function readRate(events: AsyncIterable<unknown>): Promise<number> {
  const began = performance.now();
  let count = 0;
  for await (const _ of events) count++;
  return perSecond(count, began);
}

const sums: Projection = {
  name: 'sums',
  version: 1,
  tables: 'CREATE TABLE sums (kind TEXT PRIMARY KEY, events INTEGER NOT NULL, total INTEGER NOT NULL) STRICT',
  apply(rows, event) {
    const { kind, amount } = event.data as { kind: string; amount: number };
    rows.run(
      'INSERT INTO sums VALUES (?, 1, ?) ON CONFLICT DO UPDATE SET events = events + 1, total = total + excluded.total',
      kind,
      amount,
    );
  },
};

const rows: Projection = {
  name: 'rows',
  version: 1,
  tables:
    'CREATE TABLE rows (position INTEGER PRIMARY KEY, request_id TEXT, kind TEXT, amount INTEGER, text TEXT)',
  apply(rows, event, place) {
    const data = event.data as { request_id: string; kind: string; amount: number; text: string };
    rows.run(
      'INSERT INTO rows VALUES (?, ?, ?, ?, ?)',
      Number(place.position),
      data.request_id,
      data.kind,
      data.amount,
      data.text,
    );
  },
};

async function projectionRate(
  store: EventStore,
  codec: Codec,
  file: string,
  tables: Projection,
  span: { type: string; count: number; last: Position },
): Promise<number> {
  const projection = { ...tables, types: [span.type] };
  const began = performance.now();
  const runner = startProjection({ store, codec, projection, file });
  await runner.waitFor(span.last, { timeoutMs: 120_000 });
  const rate = perSecond(span.count, began);
  await runner.stop();
  return rate;
}

/** Fills one long stream; returns what a projection over it has to reach. */
async function fill(store: EventStore, stream: string, events: readonly NewEvent[]): Promise<Position> {
  let last: Position | undefined;
  for (let at = 0; at < events.length; at += 500) {
    last = (await store.append(stream, BigInt(at) - 1n, events.slice(at, at + 500))).position;
  }
  return last!;
}

async function sealedEvents(codec: Codec, stream: string, count: number): Promise<NewEvent[]> {
  const events: NewEvent[] = [];
  for (let n = 0; n < count; n++) {
    const data = { request_id: stream, kind: `kind-${n % 7}`, amount: n, text: TEXT };
    const cause = {
      stream,
      at: '2022-03-01T08:00:00Z',
      correlationId: stream,
      causationId: `${n}`,
      key: `r-${n >> 3}`,
    };
    events.push(await codec.encode(Sealed.create(data, cause)));
  }
  return events;
}

export interface StoreBenchOptions {
  /** How often everything is measured; medians are reported. */
  runs: number;
  /** Milliseconds of one append measurement. */
  milliseconds: number;
  /** Events that are read and projected. */
  events: number;
}

/** Measures store, vault and projections beside plain node:sqlite, alternating, on one disk, in one run. */
export async function runStoreBench(options: StoreBenchOptions): Promise<Measured[]> {
  const { runs, milliseconds, events } = options;
  using temporary = mkdtempDisposableSync(join(tmpdir(), 'bench-'));
  const folder = temporary.path;
  const results = new Map<string, number[]>();
  const add = (what: string, rate: number): void => {
    results.set(what, [...(results.get(what) ?? []), rate]);
  };
  let store: EventStore | undefined;
  let vault: Vault | undefined;
  let plain: PlainInserts | undefined;
  try {
    store = await openEmbeddedStore({ file: join(folder, 'events.db') });
    vault = await openSqliteVault({ file: join(folder, 'vault.db') });
    plain = new PlainInserts(join(folder, 'plain.db'));
    const codec = createCodec([Measurement, Sealed], vault);
    for (let run = 0; run < runs; run++) {
      add('node:sqlite, an INSERT a commit', plain.insertFor(1, milliseconds));
      add('append, 1 writer', await appendFor(store, 1, milliseconds));
      add('node:sqlite, 64 INSERTs a commit', plain.insertFor(64, milliseconds));
      add('append, 64 writers', await appendFor(store, 64, milliseconds));
    }

    const keys = Math.ceil(events / 8 / 4);
    for (let run = 0; run < runs; run++) {
      const began = performance.now();
      const name = (n: number): string => `new-${run}-${n}`;
      await Promise.all(Array.from({ length: keys }, (_, n) => vault!.seal(name(n), TEXT, 'c')));
      add('vault: new keys, all at once', perSecond(keys, began));
    }

    const records = Array.from({ length: events }, (_, n) => newEvent('Measured', 'long-1', n));
    const secrets = await sealedEvents(codec, 'secret-1', Math.ceil(events / 4));
    const open = {
      type: 'Measured',
      count: events,
      last: await fill(store, 'long-1', records),
    };
    const sealed = {
      type: 'MeasuredInSecret',
      count: secrets.length,
      last: await fill(store, 'secret-1', secrets),
    };
    for (let run = 0; run < runs; run++) {
      add('node:sqlite, read and parse', plain.readAll());
      add('read a long stream', await readRate(store.readStream('long-1')));
      add('read $all', await readRate(store.readAll()));
      add('read $all, filtered by type', await readRate(store.readAll({ types: ['Measured'] })));
      const project = (into: string, tables: Projection, span: typeof open): Promise<number> =>
        projectionRate(store!, codec, join(folder, `${into}-${run}.db`), tables, span);
      add('projected into sums', await project('sums', sums, open));
      add('projected into a row each', await project('rows', rows, open));
      add('the same with a sealed field', await project('sealed', rows, sealed));
    }
  } finally {
    plain?.close();
    await store?.close();
    await vault?.close();
  }
  return [...results].map(([what, rates]) => ({ what, rates }));
}

/** What a rate is set beside: the peer that does the same work. */
const PEERS: Readonly<Record<string, string>> = {
  'append, 1 writer': 'node:sqlite, an INSERT a commit',
  'append, 64 writers': 'node:sqlite, 64 INSERTs a commit',
  'read a long stream': 'node:sqlite, read and parse',
  'read $all': 'node:sqlite, read and parse',
  'read $all, filtered by type': 'node:sqlite, read and parse',
};

const rate = (value: number): string => Math.round(value).toLocaleString('en').padStart(10);

function table(results: readonly Measured[]): string {
  const medians = new Map(results.map(({ what, rates }) => [what, median(rates)]));
  const lines = results.map(({ what, rates }) => {
    const peer = medians.get(PEERS[what] ?? '');
    const ratio = peer === undefined ? '' : `${(medians.get(what)! / peer).toFixed(2)} x`;
    return `${what.padEnd(34)}${rate(median(rates))}${rate(Math.min(...rates))} …${rate(Math.max(...rates))}${ratio.padStart(10)}`;
  });
  const head = `${'events a second'.padEnd(34)}${'median'.padStart(10)}${'min … max'.padStart(22)}${'to peer'.padStart(10)}`;
  return [head, ...lines].join('\n');
}

/** `npm run bench -- store [--runs 5] [--milliseconds 1000] [--events 100000]` */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '5' },
      milliseconds: { type: 'string', default: '1000' },
      events: { type: 'string', default: '100000' },
    },
  });
  const results = await runStoreBench({
    runs: Number(values.runs),
    milliseconds: Number(values.milliseconds),
    events: Number(values.events),
  });
  console.log(table(results));
}
