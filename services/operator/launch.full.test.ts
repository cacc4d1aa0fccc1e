import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Workspace } from '../../testing/processes/application.suite.ts';

const ROOT = join(import.meta.dirname, '..', '..');

let workspace: Workspace;
beforeEach(async () => {
  workspace = await Workspace.create();
});
afterEach(() => workspace.remove());

test('stopping `npm start` stops the service below it', async () => {
  const npm = spawn('npm', ['start'], {
    cwd: ROOT,
    env: { ...process.env, ...workspace.environment() },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const output = createInterface({ input: npm.stdout });
  const listening = new Promise<void>((resolve) => {
    output.on('line', (line) => {
      if (line.includes('listening on')) resolve();
    });
  });
  await listening;
  npm.kill('SIGTERM');
  // All processes below npm share the pipe, so it closes when the last of them is gone.
  await once(output, 'close');
});

test('a service whose launcher is killed stops in order', async () => {
  const launcher = spawn(process.execPath, [join(ROOT, 'services/operator/launch.mjs'), 'serve'], {
    env: { ...process.env, ...workspace.environment(), LOG_LEVEL: 'info' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log = text(launcher.stderr);
  for await (const line of createInterface({ input: launcher.stdout }))
    if (line.includes('trading dashboard on')) launcher.kill('SIGKILL');
  // Both outputs end with the last process that has them.
  expect(await log).toContain('"msg":"stopping"');
});

test('a service whose launcher is killed while it loads does not start', async () => {
  const disconnected = `await new Promise((resolve) => process.once('disconnect', resolve));`;
  const child = fork(join(ROOT, 'services/operator/beleg.ts'), ['serve'], {
    execArgv: ['--no-wasm-tier-up', '--import', `data:text/javascript,${encodeURIComponent(disconnected)}`],
    env: { ...process.env, ...workspace.environment() },
    silent: true,
  });
  child.disconnect();
  expect(await once(child, 'exit')).toEqual([null, 'SIGTERM']);
});
