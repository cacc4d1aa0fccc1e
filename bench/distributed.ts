import { mkdir, mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { connect } from 'nats';
import { Pool } from 'undici';
import { hasNatsServer, startNatsServer } from '../testing/nats/server.suite.ts';
import { Cluster } from '../testing/processes/cluster.suite.ts';
import type { Environment } from '../services/foundation/settings-error.ts';
import { BelegProcess } from '../testing/processes/process.suite.ts';
import { load, writeBase } from './knowledge-ask.ts';
import { enlarge, questionsOn, realSources } from './synthetic-base.ts';
import { quantile } from '../testing/quantile.ts';

/** Asks for each process that answers: code that has not run often is slow. */
const WARM_UP = 100;

/**
 * `npm run bench -- distributed [--passages 10000] [--asks 300] [--knowledge 1,2,4]`: the whole ask over HTTP, in one
 * process and through NATS, with the record off (what the gateway and the bus cost) and on (what the record costs
 * beside it; the event store is the tests' stand-in). The same questions, one arrangement after the other.
 */
export async function run(args: string[]): Promise<void> {
  if (!hasNatsServer) throw new Error('nats-server is not installed');
  const { values } = parseArgs({
    args,
    options: {
      passages: { type: 'string', default: '10000' },
      asks: { type: 'string', default: '300' },
      knowledge: { type: 'string', default: '1,2,4' },
    },
  });
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const folder = temporary.path;
  const { sources } = await realSources();
  const base = enlarge(sources, Number(values.passages));
  await writeBase(join(folder, 'kb'), base);
  const questions = questionsOn(base, 2 * Number(values.asks));
  const environment = (name: string, recorded: boolean): Environment => ({
    DATA_DIR: join(folder, name),
    PV_KB_PATH: join(folder, 'kb'),
    PV_PORT: '0',
    TD_PORT: '0',
    PV_AUDIT_ENABLED: String(recorded),
    LOG_LEVEL: 'warn',
  });

  console.log(line(['arrangement', 'record', 'clients', 'p50 ms', 'p95 ms', 'a second', 'p50 added']));
  const echo = await measureEcho(Number(values.asks));
  console.log(
    line(['bare NATS echo', '', '1', echo.p50.toFixed(2), echo.p95.toFixed(2), echo.perSecond.toFixed(0)]),
  );
  for (const recorded of [false, true]) {
    const record = recorded ? 'on' : 'off';
    const single = new BelegProcess(['serve'], environment(`single-${record}`, recorded));
    const alone = await measure(await single.listening, questions, { recorded, processes: 1 });
    await single.stop();
    report('one process', record, alone, undefined);
    for (const knowledge of values.knowledge.split(',').map(Number)) {
      const name = `${knowledge}-${record}`;
      await mkdir(join(folder, name));
      const cluster = await Cluster.start(join(folder, name), environment(name, recorded), { knowledge });
      const rows = await measure(await cluster.gateway.listening, questions, {
        recorded,
        processes: knowledge,
      });
      await cluster.stop();
      report(`NATS, ${knowledge} knowledge`, record, rows, alone);
    }
  }
}

type Row = Awaited<ReturnType<typeof load>> & { clients: number };

async function measure(
  url: string,
  questions: readonly string[],
  { recorded, processes }: { recorded: boolean; processes: number },
): Promise<Row[]> {
  const pool = new Pool(url, { connections: 64 });
  for (let n = 0; n < processes; n++) {
    await load(pool, 4, questions.slice(0, WARM_UP), { recorded });
  }
  const left = [...questions];
  const rows: Row[] = [];
  for (const clients of [1, 8]) {
    const part = left.splice(0, questions.length / 2);
    rows.push({ clients, ...(await load(pool, clients, part, { recorded })) });
  }
  await pool.close();
  return rows;
}

function report(what: string, record: string, rows: readonly Row[], alone: readonly Row[] | undefined): void {
  for (const [i, { clients, p50, p95, asksPerSecond }] of rows.entries()) {
    const added = alone === undefined ? '' : `${(p50 - alone[i]!.p50).toFixed(2)} ms`;
    const figures = [p50.toFixed(2), p95.toFixed(2), asksPerSecond.toFixed(0), added];
    console.log(line([what, record, String(clients), ...figures]));
  }
}

/** A request and its reply between two connections, with a payload like that of an ask. */
async function measureEcho(count: number) {
  const server = await startNatsServer();
  const [asking, echoing] = await Promise.all([
    connect({ servers: server.url }),
    connect({ servers: server.url }),
  ]);
  echoing.subscribe('echo', { callback: (_error, message) => message.respond(message.data) });
  await echoing.flush();
  const payload = new Uint8Array(2_000);
  const times: number[] = [];
  const started = performance.now();
  for (let n = 0; n < count; n++) {
    const sent = performance.now();
    await asking.request('echo', payload, { timeout: 5_000 });
    times.push(performance.now() - sent);
  }
  const seconds = (performance.now() - started) / 1000;
  await Promise.all([asking.close(), echoing.close()]);
  await server.remove();
  return { p50: quantile(times, 0.5), p95: quantile(times, 0.95), perSecond: count / seconds };
}

function line(cells: readonly string[]): string {
  return cells.map((cell, i) => (i === 0 ? cell.padEnd(20) : cell.padStart(11))).join('');
}
