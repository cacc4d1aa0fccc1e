import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { freePort } from '../../../testing/free-ports.suite.ts';

/** The path of llama.cpp's `llama-server`, from `LLAMA_SERVER` or the PATH; `null` if there is none. */
export function findLlamaServer(): string | null {
  const named = process.env['LLAMA_SERVER'];
  const places = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'llama-server'));
  return [...(named === undefined ? [] : [named]), ...places].find(isExecutable) ?? null;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** A real model server on a loopback port. */
export class LlamaServer {
  readonly url: string;
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess, port: number) {
    this.#child = child;
    this.url = `http://127.0.0.1:${port}/v1`;
  }

  /** Resolves once the model is loaded. */
  static async start(program: string, model: string, more: readonly string[] = []): Promise<LlamaServer> {
    const port = await freePort();
    const child = spawn(
      program,
      ['-m', model, '--host', '127.0.0.1', '--port', String(port), '-t', '1', '-c', '16384', ...more],
      { stdio: ['ignore', 'ignore', 'pipe'] },
    );
    const server = new LlamaServer(child, port);
    const gone = once(child, 'exit').then(([code]) =>
      Promise.reject(new Error(`llama-server ended: ${code}`)),
    );
    gone.catch(() => undefined);
    await Promise.race([gone, listening(child)]);
    return server;
  }

  /** Stops the process in the middle of its work, as on a machine that is out of memory. */
  suspend(): void {
    this.#child.kill('SIGSTOP');
  }

  async kill(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const gone = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await gone;
  }
}

/** Waits for the log line that follows the loading of the model. */
async function listening({ stderr }: ChildProcess): Promise<void> {
  const ready = Promise.withResolvers<void>();
  let log = '';
  stderr!.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    if (/listening on|server is listening/u.test(log)) ready.resolve();
  });
  await ready.promise;
}
