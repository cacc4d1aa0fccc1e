import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Pool } from 'undici';
import { BelegProcess } from '../testing/processes/process.suite.ts';
import { load, writeBase } from './knowledge-ask.ts';
import { median } from '../testing/quantile.ts';
import { enlarge, questionsOn, realSources } from './synthetic-base.ts';

const WARM_UP = 50;
/** Asks before it is the other setting's turn: what disturbs the machine disturbs all alike. */
const ROUND = 50;

/**
 * `npm run bench -- ask-model [--asks 300] [--passages 10000]`: what an ask costs beside the language model. The model is a
 * scripted server in a process of its own that answers at once; the bare call of it is what a client without us would pay.
 */
export async function run(args: string[]): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      asks: { type: 'string', default: '300' },
      passages: { type: 'string', default: '10000' },
    },
  });
  const rounds = Math.max(1, Math.round(Number(values.asks) / ROUND));
  await using temporary = await mkdtempDisposable(join(tmpdir(), 'beleg-bench-'));
  const folder = temporary.path;
  const { sources } = await realSources();
  const base = enlarge(sources, Number(values.passages));
  await writeBase(join(folder, 'kb'), base);
  const model = fork(join(import.meta.dirname, 'scripted-model.ts'));
  const [url] = (await once(model, 'message')) as [string];
  const servers = new Map<string, BelegProcess>();
  try {
    const asks = new Map<string, Pool>();
    for (const audit of ['true', 'false']) {
      const server = new BelegProcess(['serve'], {
        DATA_DIR: join(folder, `data-${audit}`),
        PV_KB_PATH: join(folder, 'kb'),
        PV_PORT: '0',
        TD_PORT: '0',
        TD_FEED_SPEED: '0.001',
        PV_AUDIT_ENABLED: audit,
        PV_MODEL_URL: url,
        PV_MODEL_NAME: 'scripted',
        LOG_LEVEL: 'warn',
      });
      servers.set(audit, server);
      asks.set(audit, new Pool(await server.listening, { connections: 1 }));
    }
    const bare = new Pool(new URL(url).origin, { connections: 1 });
    const questions = questionsOn(base, asks.size * (WARM_UP + rounds * ROUND));
    const times = new Map<string, number[]>();
    const keep = (name: string, p50: number) => times.set(name, [...(times.get(name) ?? []), p50]);
    let answered = 0;
    for (const [audit, pool] of asks) {
      await load(pool, 1, questions.splice(0, WARM_UP), { recorded: audit === 'true' });
    }
    for (let round = 0; round < rounds; round++) {
      keep('bare', await callBare(bare));
      for (const [audit, pool] of asks) {
        const measured = await load(pool, 1, questions.splice(0, ROUND), { recorded: audit === 'true' });
        keep(audit, measured.p50);
        answered += measured.answered;
      }
    }
    const middle = (name: string) => median(times.get(name)!);
    const call = middle('bare');
    console.log(`bare call of the scripted server  p50 ${call.toFixed(2)} ms`);
    for (const [audit, name] of [
      ['false', 'audit off'],
      ['true', 'audit on'],
    ] as const) {
      const ask = middle(audit);
      console.log(
        `whole ask over HTTP, ${name.padEnd(11)} p50 ${ask.toFixed(2)} ms, of it ours ${(ask - call).toFixed(2)} ms`,
      );
    }
    console.log(
      `answered ${answered} of ${rounds * ROUND * asks.size}; ${base.length} passages; medians of ${rounds} rounds of ${ROUND}; aim: ours ≤ 5 ms`,
    );
    await Promise.all([bare.close(), ...[...asks.values()].map((pool) => pool.close())]);
  } finally {
    await Promise.all([...servers.values()].map((server) => server.stop()));
    model.disconnect();
  }
}

/** Milliseconds of the median call, with a prompt as long as ours. */
async function callBare(pool: Pool): Promise<number> {
  const content = JSON.stringify({
    question: 'Was?',
    sources: Array.from({ length: 8 }, (_, i) => ({
      alias: `S${i}`,
      title: 'Titel',
      text: 'Ein Satz. '.repeat(150),
    })),
  });
  const body = JSON.stringify({ model: 'scripted', temperature: 0, messages: [{ role: 'user', content }] });
  const times: number[] = [];
  for (let n = 0; n < ROUND; n++) {
    const started = performance.now();
    const response = await pool.request({
      path: '/v1/chat/completions',
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    await response.body.json();
    times.push(performance.now() - started);
  }
  return median(times);
}
