import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

const BELEG = join(import.meta.dirname, '..', '..', 'services', 'operator', 'beleg.ts');

/** A real `beleg serve` in a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcess;
  /** Resolves with the URL once it listens; rejects when it ends before that. */
  readonly listening: Promise<string>;
  readonly #ended: Promise<unknown>;

  constructor(environment: Readonly<Record<string, string | undefined>>) {
    this.#child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', BELEG, 'serve'], {
      env: { PATH: process.env['PATH'], ORT_DISABLE_TELEMETRY: '1', ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    this.#ended = once(this.#child, 'exit');
    this.listening = new Promise((resolve, reject) => {
      createInterface({ input: this.#child.stdout! }).on('line', (line) => {
        const url = /listening on (\S+)/u.exec(line)?.[1];
        if (url !== undefined) resolve(url);
      });
      void this.#ended.then(() => reject(new Error('the server ended before it listened')));
    });
    // A kill before it listens is part of the test.
    this.listening.catch(() => {});
  }

  /** As a power cut does to the process: no handler runs. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** As an operator does; resolves with the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    return this.#child.exitCode;
  }
}
