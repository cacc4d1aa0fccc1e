import { spawn, type ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../temporary-folder.suite.ts';
import type { ProjectionStatus } from './projection.ts';
import { startProjection, type ProjectionRunner } from './runner.ts';
import { codec, counted, HISTORY, positionOf, recordOf, type Line } from './stale-holder.fixture.ts';
import { PATIENT } from '../patient.suite.ts';

const FIXTURE = fileURLToPath(new URL('./stale-holder.fixture.ts', import.meta.url));

const upTo = (n: number): number[] => Array.from({ length: n }, (_, i) => i + 1);

describe('two processes that project into one file', () => {
  let folder: string;
  let file: string;
  let stale: ChildProcessByStdio<null, Readable, null>;
  let exited: Promise<unknown[]>;
  let lines: AsyncIterator<string>;
  let runner: ProjectionRunner | undefined;

  beforeEach(() => {
    folder = temporaryFolder();
    file = join(folder, 'audit.db');
    runner = undefined;
  });
  afterEach(async () => {
    await runner?.stop();
    stale.kill('SIGKILL');
    await exited;
  });

  /** Resolves when it is about to be suspended. */
  async function suspended(where: 'between' | 'within'): Promise<void> {
    stale = spawn(process.execPath, [FIXTURE, file, where], { stdio: ['ignore', 'pipe', 'inherit'] });
    exited = once(stale, 'exit');
    lines = createInterface({ input: stale.stdout })[Symbol.asyncIterator]();
    expect(await told()).toEqual({ state: 'suspending' });
  }

  const told = async (): Promise<Line> => JSON.parse((await lines.next()).value as string) as Line;

  function start(onState?: (status: ProjectionStatus) => void): ProjectionRunner {
    const options = { store: recordOf(HISTORY), codec, projection: counted, file, retryAfterMs: 1 };
    return startProjection({ ...options, ...(onState === undefined ? {} : { onState }) });
  }

  function entries(): unknown[] {
    using db = new DatabaseSync(file, { readOnly: true });
    return db
      .prepare('SELECT n FROM entries ORDER BY id')
      .all()
      .map((row) => row['n']);
  }

  it('leaves nothing of a stale holder that comes back in the middle of a batch, and lets it start again', async () => {
    await suspended('between');
    runner = start();
    await runner.waitFor(positionOf(HISTORY), PATIENT);
    expect(entries()).toEqual(upTo(HISTORY));

    // Repeated, because the process announces its suspension first, and the first signal may come too early.
    const resuming = setInterval(() => stale.kill('SIGCONT'), 20);
    expect(await told()).toEqual({ state: 'waiting', error: 'another process is writing this file' });
    clearInterval(resuming);
    expect(entries().slice(0, HISTORY)).toEqual(upTo(HISTORY));
    expect(runner.status().state).toBe('live');

    // It has the lease again, and continues where the other process was.
    expect(await exited).toEqual([0, null]);
    expect(entries()).toEqual(upTo(HISTORY + 5));
  });

  it('waits for one that is suspended inside its transaction, until that one is dead', async () => {
    await suspended('within');
    const { promise: waiting, resolve } = Promise.withResolvers<void>();
    runner = start(({ state }) => state === 'waiting' && resolve());
    await waiting;
    stale.kill('SIGKILL');
    await runner.waitFor(positionOf(HISTORY), PATIENT);
    expect(entries()).toEqual(upTo(HISTORY));
  });
});
