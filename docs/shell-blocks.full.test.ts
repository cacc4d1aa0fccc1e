import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { freePorts } from '../testing/free-ports.suite.ts';
import { hasNatsServer } from '../testing/nats/server.suite.ts';
import { sharedFolder } from '../events/temporary-folder.suite.ts';

// The commands of the documentation, block by block, as they stand there; only ports are others, so that tests do not meet
// the services of whoever runs them.
const ROOT = join(import.meta.dirname, '..');
const PORTS = ['8080', '8090', '4222', '2113'];

/** What is not run here, and why. */
const LEFT_OUT: readonly (readonly [RegExp, string])[] = [
  [/docker compose/, 'needs a Docker engine'],
  [/llama-server|ollama|vllm|PV_MODEL_URL/, 'needs a model server'],
  [/\.\/models\//, 'needs a model'],
  [/npm (test|run (eval|bench|crash|simulate|embedding-model|test))/, 'takes minutes, and is run by itself'],
  [/\.\/(gesetze|my-base|bars)/, 'needs files of the reader'],
  [/audit replay/, 'publishes to the addresses of the example'],
  [/subscriber\.mjs/, 'is run by the tests of the relay'],
  [/beleg doctor/, 'judges this machine as well'],
  [/sqlite3/, 'needs another program'],
  [/strategy check/, 'takes a minute, and is run by itself'],
  [/kb synonyms/, 'needs a thesaurus of the machine, and questions of the reader'],
  [/models\/(train|save)/, 'needs a training that has ended'],
];

/** Commands that go on until they are stopped, and what they print once they are ready. */
const START: readonly [RegExp, RegExp] = [/npm start$/, /listening on/];
const SERVERS: readonly (readonly [RegExp, RegExp])[] = [
  START,
  [/npm run service -- \w+$/, /operations at/],
  [/^nats-server /, /Server is ready/],
  [/stand-in\/main\.ts/, /"port"/],
  [/audit tail/, /^/],
  [/new WebSocket/, /"type"/],
];

function blocksOf(page: string): string[] {
  const source = readFileSync(join(ROOT, page), 'utf8');
  return [...source.matchAll(/^```sh\n([^]*?)^```/gm)]
    .map(([, block = '']) => block.trim())
    .filter((block) => !LEFT_OUT.some(([pattern]) => pattern.test(block)));
}

const outside = sharedFolder();
let folder: string;
let ports: Map<string, string>;
const running = new Map<RegExp, ChildProcess>();

beforeAll(async () => {
  // The project by links, so that what commands write does not land in it.
  folder = join(outside, 'beleg');
  mkdirSync(folder);
  for (const name of readdirSync(ROOT).filter((each) => !['data', '.git', '.env'].includes(each))) {
    symlinkSync(join(ROOT, name), join(folder, name));
  }
  const free = await freePorts(PORTS.length);
  ports = new Map(PORTS.map((port, index) => [port, String(free[index])]));
});

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  process.kill(-child.pid!, 'SIGTERM');
  await ended;
}
afterEach(async () => {
  await Promise.all([...running.values()].map(stop));
  running.clear();
});

function start(block: string): ChildProcess {
  const command = PORTS.reduce(
    (words, port) => words.replaceAll(new RegExp(`(?<=[: ])${port}\\b`, 'g'), ports.get(port) ?? port),
    block.replace(/^nats-server /, `nats-server --port ${ports.get('4222')} `),
  );
  return spawn('bash', ['-eo', 'pipefail', '-c', command], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      HOME: folder,
      ORT_DISABLE_TELEMETRY: '1',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PV_PORT: ports.get('8080'),
      TD_PORT: ports.get('8090'),
    },
    // A group of its own: what it starts is stopped with it.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
}

/** Resolves once it has printed that it is ready; rejects with what it printed when it ends before. */
async function serve(block: string, kind: RegExp, ready: RegExp): Promise<void> {
  const former = running.get(kind);
  if (former !== undefined) await stop(former);
  const child = start(block);
  running.set(kind, child);
  let printed = '';
  await new Promise<void>((resolve, reject) => {
    for (const stream of [child.stdout!, child.stderr!]) {
      stream.on('data', (chunk: Buffer) => {
        printed += chunk.toString();
        if (ready.test(printed)) resolve();
      });
    }
    child.once('exit', () => reject(new Error(`${block}\nended:\n${printed}`)));
    if (ready.test('')) resolve();
  });
  // It listens before the account is read, and refuses orders until then.
  if (kind === START[0])
    await run('curl -s --retry 60 --retry-delay 1 --fail -o /dev/null localhost:8090/ready');
}

async function run(block: string): Promise<void> {
  const child = start(block);
  child.stdin!.end();
  const [printed, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null) await once(child, 'exit');
  expect({ block, exit: child.exitCode, ...(child.exitCode === 0 ? {} : { printed, errors }) }).toEqual({
    block,
    exit: 0,
  });
  // `curl -s` is quiet about a refusal.
  expect(printed).not.toContain('problem+json');
  expect(printed).not.toMatch(/"status":\s*[45]\d\d\b/);
}

async function follow(page: string): Promise<void> {
  for (const block of blocksOf(page)) {
    const server = SERVERS.find(([command]) => command.test(block));
    await (server === undefined ? run(block) : serve(block, ...server));
  }
}

describe('commands run as they are documented:', { timeout: 600_000 }, () => {
  test('README.md', async () => {
    await follow('README.md');
    // Else its strategy trades on beside the other pages, until no cash is left for their order.
    await run('curl -s -X POST localhost:8090/api/trading/stop');
  });

  // What the other pages ask and show is asked of a service that runs, and of the answer that asking.md rates.
  test('docs/asking.md and docs/record.md', async () => {
    await serve('npm start', ...START);
    await follow('docs/asking.md');
    await follow('docs/record.md');
  });

  test.each(['docs/knowledge-bases.md', 'docs/changing-a-base.md', 'docs/review.md'])('%s', follow);

  test('docs/trading.md and docs/training.md', async () => {
    await serve('TD_STRATEGY=none npm start', ...START);
    await follow('docs/trading.md');
    await follow('docs/training.md');
  });

  test.each(['docs/orders.md', 'docs/strategies.md'])('%s', follow);

  const hasPython = spawnSync('python3', ['--version']).status === 0;
  test.skipIf(!hasPython)('docs/python-strategies.md', () => follow('docs/python-strategies.md'));

  test.skipIf(!hasNatsServer)('docs/deployment.md', () => follow('docs/deployment.md'));
});
