import { mkdtempDisposable } from 'node:fs/promises';
import { connect } from 'node:net';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseArgs } from 'node:util';
import { BelegProcess } from '../testing/processes/process.suite.ts';
import { writeHistory } from './requests/history.ts';
import { FILLERS, type Filler } from './requests/largest.ts';
import type { Blocked } from './requests/probe.ts';
import { requestOf, type Document, type Target } from './requests/request.ts';

interface Row extends Blocked {
  readonly operation: string;
  readonly variant: string;
  readonly status: number;
  readonly ms: number;
}

const FILLED = Object.keys(FILLERS) as Filler[];
/** Requests of a variant: the longest block of the last of them counts, once the code is compiled. */
const REPEATS = 2;

/**
 * `npm run bench -- requests [--asks 150] [--orders 1500] [--only PATH] [--root FOLDER] [--at-once 8]`: the largest request that
 * the documents of both services allow, of every operation, filled in several ways, and for how long it blocks the event loop of
 * `beleg serve` at most. `--root` measures another checkout.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      asks: { type: 'string', default: '150' },
      orders: { type: 'string', default: '1500' },
      only: { type: 'string', default: '' },
      root: { type: 'string', default: '.' },
      'at-once': { type: 'string', default: '1' },
      all: { type: 'boolean', default: false },
    },
  });
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const probe = join(temporary.path, 'probe.sock');
  const environment = {
    DATA_DIR: join(temporary.path, 'data'),
    PV_PORT: '0',
    TD_PORT: '0',
    PV_AUDIT_ENABLED: 'true',
    PV_REVIEW_MODE: 'true',
    LOG_LEVEL: 'error',
    BELEG_BENCH_PROBE: probe,
    NODE_OPTIONS: `--import ${join(import.meta.dirname, 'requests', 'probe.ts')}`,
  };
  const server = new BelegProcess(['serve'], environment, { root: resolve(values.root) });
  try {
    const urls = [await server.listening, await server.dashboard];
    const history = await writeHistory(urls[0]!, urls[1]!, Number(values.asks), Number(values.orders));
    const rows: Row[] = [];
    for (const url of urls) {
      const document = (await (await fetch(`${url}/openapi.json`)).json()) as Document;
      for (const [path, operations] of Object.entries(document.paths)) {
        if (!path.startsWith(values.only)) continue;
        for (const [method, operation] of Object.entries(operations)) {
          const measured = await measure(
            { url, method, path, operation, schemas: document.components.schemas, history },
            { probe, atOnce: Number(values['at-once']) },
          );
          rows.push(...(values.all ? measured : [measured.reduce((a, b) => (b.cpu > a.cpu ? b : a))]));
        }
      }
    }
    console.log(`Longest block of the event loop, in ms (load of the machine: ${loadavg()[0]!.toFixed(1)})`);
    console.table(
      rows.map(({ wall, cpu, ms, ...row }) => ({
        ...row,
        ms: Math.round(ms),
        'blocked, at work': Math.round(cpu),
        'blocked, by the clock': Math.round(wall),
      })),
    );
    const above = rows.filter(({ cpu }) => cpu > 50);
    console.log(`${above.length} of ${rows.length} above 50 ms`);
  } finally {
    await server.stop();
  }
}

async function measure(target: Target, { probe, atOnce }: { probe: string; atOnce: number }): Promise<Row[]> {
  const { url, method, path, operation } = target;
  const body = operation.requestBody?.content['application/json'].schema;
  const isFree =
    JSON.stringify([body, operation.parameters?.filter((each) => each.in !== 'header')])?.includes(
      'string',
    ) || body !== undefined;
  const rows: Row[] = [];
  for (const filler of isFree ? FILLED : FILLED.slice(0, 1)) {
    for (const nth of body === undefined ? [0] : [0, 1]) {
      const send = (): Promise<Response> => {
        const request = requestOf(target, filler, nth);
        return fetch(`${url}${request.path}`, {
          method: method.toUpperCase(),
          ...(method === 'get'
            ? {}
            : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(request.body ?? {}) }),
        });
      };
      let row: Row | undefined;
      for (let i = 0; i < REPEATS; i++) {
        await blocked(probe);
        const began = performance.now();
        const responses = await Promise.all(Array.from({ length: atOnce }, send));
        await Promise.all(responses.map((response) => response.arrayBuffer()));
        const ms = performance.now() - began;
        row = {
          operation: `${method.toUpperCase()} ${path}`,
          variant: isFree ? `${filler}, ${nth}` : '',
          status: responses[0]!.status,
          ms,
          ...(await blocked(probe)),
        };
      }
      rows.push(row!);
    }
  }
  return rows;
}

/** Since it was asked last. */
async function blocked(probe: string): Promise<Blocked> {
  return JSON.parse(await text(connect(probe))) as Blocked;
}
