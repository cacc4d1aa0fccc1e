import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Workspace } from '../../testing/processes/application.suite.ts';
import type { Environment } from '../foundation/settings-error.ts';

const BELEG = join(import.meta.dirname, 'beleg.ts');
const RUN = join(import.meta.dirname, 'run-until-stopped.ts');

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace.remove());

function spawnNode(args: string[], more: Environment) {
  return spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...args], {
    env: {
      PATH: process.env['PATH'],
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      ...workspace.environment(more),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    cwd: workspace.folder,
  });
}

async function service(name: string, more: Environment = {}) {
  const child = spawnNode([BELEG, 'service', name], more);
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, out, err };
}

/** Starts a process whose start or stop runs `body`. */
function run(body: string) {
  const program = `
    const { runUntilStopped } = await import(${JSON.stringify(RUN)});
    await runUntilStopped(process.env, { service: 'x', start: async (settings, logger) => { ${body} } }).catch(
      () => { process.exitCode = 1; },
    );`;
  return spawnNode(['--input-type=module', '-e', program], { LOG_LEVEL: 'info' });
}

/** Keeps the event loop alive, as a socket would. */
const BUSY = `setInterval(() => {}, 1000); console.log('started');`;

async function started(child: ReturnType<typeof run>): Promise<void> {
  for await (const chunk of child.stdout) if (String(chunk).includes('started')) return;
}

describe('beleg service', () => {
  test('of a name that is none lists those that exist', async () => {
    const { code, err } = await service('broker');
    expect(err).toMatch(
      /'broker' is invalid .* Allowed choices are gateway, knowledge, audit, market, models, trading\./u,
    );
    expect(code).toBe(2);
  });

  test.each(['gateway', 'knowledge', 'audit'])(
    '%s without a shared bus and record exits with 2',
    async (name) => {
      const { code, err } = await service(name);
      expect(err).toMatch(/^ {2}NATS_URL, EVENTSTORE_URL: .*npm start$/mu);
      expect(code).toBe(2);
    },
  );

  test('with one of the two exits with 2', async () => {
    const { code, err } = await service('knowledge', { NATS_URL: 'nats://127.0.0.1:1' });
    expect(err).toMatch(/^ {2}NATS_URL: EVENTSTORE_URL is missing/mu);
    expect(code).toBe(2);
  });
});

describe('runUntilStopped', () => {
  test.each(['SIGTERM', 'SIGINT'] as const)('closes at %s and exits with 0', async (signal) => {
    // The launcher forwards the signal that the whole group received.
    const copy = `process.kill(process.pid, '${signal}'); await new Promise(setImmediate);`;
    const child = run(
      `${BUSY} return { instance: 'i', close: async () => { ${copy} logger.info('closed'); } };`,
    );
    const err = text(child.stderr);
    await started(child);
    child.kill(signal);
    await once(child, 'exit');
    expect(child.exitCode).toBe(0);
    const lines = (await err)
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(lines.at(0)).toMatchObject({ msg: 'stopping', signal, service: 'x', instance: 'i' });
    expect(lines.at(-1)).toMatchObject({ msg: 'closed', service: 'x', instance: 'i' });
  });

  test('ends at once at SIGTERM while it starts', async () => {
    const child = run(`${BUSY} return new Promise(() => {});`);
    const err = text(child.stderr);
    await started(child);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([0, null]);
    const lines = (await err).trim().split('\n');
    expect(lines.map((line) => (JSON.parse(line) as { msg: string }).msg)).toEqual(['stopping']);
  });

  test('ends though the reader of its log stands still', async () => {
    const child = run(
      `${BUSY} for (let n = 0; n < 2_000; n++) logger.info('x'.repeat(1_000)); return { instance: 'i', close: async () => {} };`,
    );
    await started(child);
    child.kill('SIGTERM');
    expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
  });

  test('ends after a start that fails, though a part of it stays open', async () => {
    const child = run(`${BUSY} throw new Error('refused');`);
    await once(child, 'exit');
    expect(child.exitCode).toBe(1);
  });

  test.each([
    ['SIGINT', 'SIGTERM'],
    ['SIGTERM', 'SIGINT'],
  ] as const)('ends at once at a second signal: %s, then %s', async (first, second) => {
    const child = run(
      `${BUSY} return { instance: 'i', close: () => { logger.info('closing'); return new Promise(() => {}); } };`,
    );
    await started(child);
    child.kill(first);
    for await (const chunk of child.stderr) if (String(chunk).includes('closing')) break;
    child.kill(second);
    await once(child, 'exit');
    expect(child.signalCode).toBe(second);
  });
});
