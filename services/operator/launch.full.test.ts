import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, test } from 'vitest';
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
