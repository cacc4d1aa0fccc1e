import { mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Pool } from 'undici';
import type { Source } from '../kb/source.ts';
import { BelegProcess } from '../testing/processes/process.suite.ts';
import { enlarge, questionsOn, realSources } from './synthetic-base.ts';
import { quantile } from '../testing/quantile.ts';

const WARM_UP = 50;

export interface AskFigures {
  readonly passages: number;
  readonly concurrency: number;
  readonly asks: number;
  /** Milliseconds, as the client sees them. */
  readonly p50: number;
  readonly p95: number;
  readonly asksPerSecond: number;
  readonly answered: number;
}

/**
 * The whole ask over HTTP with audit on: a real `beleg serve` in a process of its own on a fresh `DATA_DIR`, each
 * question another one. Closed loop: each of `concurrency` clients asks again when it has its
 * answer.
 */
export async function benchAsk(options: {
  passages: number;
  /** For each concurrency. */
  asks: number;
  concurrencies: readonly number[];
}): Promise<AskFigures[]> {
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const folder = temporary.path;
  const { sources } = await realSources();
  const base = enlarge(sources, options.passages);
  await writeBase(join(folder, 'kb'), base);
  const questions = questionsOn(base, WARM_UP + options.asks * options.concurrencies.length);
  const server = new BelegProcess(['serve'], {
    DATA_DIR: join(folder, 'data'),
    PV_KB_PATH: join(folder, 'kb'),
    PV_PORT: '0',
    TD_PORT: '0',
    PV_AUDIT_ENABLED: 'true',
    LOG_LEVEL: 'warn',
  });
  try {
    const pool = new Pool(await server.listening, { connections: 64 });
    const health = (await (await pool.request({ path: '/v1/health', method: 'GET' })).body.json()) as {
      index: { passages: number };
    };
    await load(pool, 1, questions.splice(0, WARM_UP));
    const figures: AskFigures[] = [];
    for (const concurrency of options.concurrencies) {
      const measured = await load(pool, concurrency, questions.splice(0, options.asks));
      figures.push({ passages: health.index.passages, concurrency, ...measured });
    }
    await pool.close();
    return figures;
  } finally {
    await server.stop();
  }
}

/** Asks each question once. `recorded`: an answer that did not reach the record fails the benchmark. */
export async function load(
  pool: Pool,
  concurrency: number,
  questions: string[],
  { recorded = true }: { recorded?: boolean } = {},
) {
  const asks = questions.length;
  const times: number[] = [];
  let answered = 0;
  const client = async () => {
    for (let question = questions.pop(); question !== undefined; question = questions.pop()) {
      const started = performance.now();
      const response = await pool.request({
        path: '/v1/ask',
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ question }),
      });
      const body = (await response.body.json()) as { status: string; ratings_enabled: boolean };
      if (response.statusCode !== 200 || body.ratings_enabled !== recorded) {
        throw new Error(`an ask failed: ${response.statusCode}`);
      }
      times.push(performance.now() - started);
      if (body.status === 'answered') answered += 1;
    }
  };
  const started = performance.now();
  await Promise.all(Array.from({ length: concurrency }, client));
  const seconds = (performance.now() - started) / 1000;
  const [p50, p95] = [quantile(times, 0.5), quantile(times, 0.95)];
  return { asks, p50, p95, asksPerSecond: asks / seconds, answered };
}

export async function writeBase(folder: string, sources: readonly Source[]): Promise<void> {
  await mkdir(folder);
  for (const { id, title, section, stand, work, lang, text } of sources) {
    const front = Object.entries({ id, title, section, stand, work, lang }).map(
      ([name, value]) => `${name}: ${JSON.stringify(value)}`,
    );
    await writeFile(join(folder, `${id}.md`), `---\n${front.join('\n')}\n---\n\n${text}\n`);
  }
}

if (import.meta.main) {
  console.table(await benchAsk({ passages: 10_000, asks: 400, concurrencies: [1, 8] }));
}
