import { mkdtempDisposable } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { BelegProcess } from '../testing/processes/process.suite.ts';
import { writeHistory } from '../testing/requests/history.ts';
import { FILLERS } from '../testing/requests/largest.ts';
import { blockedAt, probedAt, type Blocked } from '../testing/requests/probe.ts';
import { isFree, send, targetsOf, type Target } from '../testing/requests/request.ts';

interface Row extends Blocked {
  readonly operation: string;
  readonly variant: string;
  readonly status: number;
  readonly ms: number;
}

const FILLED = Object.entries(FILLERS);
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
    ...probedAt(probe),
  };
  const server = new BelegProcess(['serve'], environment, { root: resolve(values.root) });
  try {
    const urls = [await server.listening, await server.dashboard];
    const history = await writeHistory(urls[0]!, urls[1]!, Number(values.asks), Number(values.orders));
    const rows: Row[] = [];
    for (const url of urls) {
      for (const target of await targetsOf(url, history)) {
        if (!target.path.startsWith(values.only)) continue;
        const measured = await measure(target, { probe, atOnce: Number(values['at-once']) });
        rows.push(...(values.all ? measured : [measured.reduce((a, b) => (b.cpu > a.cpu ? b : a))]));
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
  const { method, path, operation } = target;
  const rows: Row[] = [];
  for (const [filler, fill] of isFree(target) ? FILLED : FILLED.slice(0, 1)) {
    for (const nth of operation.requestBody === undefined ? [0] : [0, 1]) {
      let row: Row | undefined;
      for (let i = 0; i < REPEATS; i++) {
        await blockedAt(probe);
        const began = performance.now();
        const [first] = await Promise.all(Array.from({ length: atOnce }, () => send(target, fill, nth)));
        const ms = performance.now() - began;
        row = {
          operation: `${method.toUpperCase()} ${path}`,
          variant: isFree(target) ? `${filler}, ${nth}` : '',
          status: first!.status,
          ms,
          ...(await blockedAt(probe)),
        };
      }
      rows.push(row!);
    }
  }
  return rows;
}
