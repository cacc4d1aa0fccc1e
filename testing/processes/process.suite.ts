import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Environment } from '../../services/foundation/settings-error.ts';

/** The same flags as in `launch.mjs`. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--no-wasm-tier-up'];
const ROOT = join(import.meta.dirname, '../..');

interface BelegProcessOptions {
  /** The checkout that runs; by default this one. */
  readonly root?: string;
  /** An open file for its log; by default the log is printed. */
  readonly log?: number;
}

/** A real `beleg …` in a process of its own. */
export class BelegProcess {
  readonly #child: ChildProcess;
  /** Resolves with the gateway's URL once it listens; rejects if the process ends before. */
  readonly listening: Promise<string>;
  /** The same for the trading dashboard. */
  readonly dashboard: Promise<string>;
  /** The same for the operations endpoint of `beleg service`, which answers before the service is ready. */
  readonly operations: Promise<string>;
  /** Resolves once a `beleg service` is ready. */
  readonly ready: Promise<unknown>;
  /** The lines on its standard output. */
  readonly lines: string[] = [];
  readonly #ended: Promise<unknown>;

  constructor(
    args: readonly string[],
    environment: Environment,
    { root = ROOT, log }: BelegProcessOptions = {},
  ) {
    const beleg = join(root, 'services', 'operator', 'beleg.ts');
    this.#child = spawn(process.execPath, [...FLAGS, beleg, ...args], {
      env: {
        PATH: process.env['PATH'],
        NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
        ORT_DISABLE_TELEMETRY: '1',
        ...environment,
      },
      stdio: ['ignore', 'pipe', log ?? 'inherit'],
    });
    this.#ended = once(this.#child, 'exit');
    const lines = createInterface({ input: this.#child.stdout! });
    lines.on('line', (line) => this.lines.push(line));
    const after = (words: string): Promise<string> => {
      const url = new Promise<string>((resolve, reject) => {
        lines.on('line', (line) => {
          const found = line.split(words)[1]?.match(/^[^\s,]+/)?.[0];
          if (found !== undefined) resolve(found);
        });
        void this.#ended.then(() => reject(new Error(`beleg ${args.join(' ')} ended before it was ready`)));
      });
      // Some tests kill the process before, so a rejection may have no handler.
      url.catch(() => {});
      return url;
    };
    this.listening = after('listening on ');
    this.dashboard = after('dashboard on ');
    this.operations = after('operations at ');
    this.ready = Promise.race([this.listening, after(' is ')]);
    this.ready.catch(() => {});
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Ends it like a power cut: no handler runs. */
  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#ended;
  }

  /** Pauses it until `resume`. */
  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }

  /** Resolves when it has ended in any way. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** Ends it like an operator; resolves with the exit code. */
  async stop(): Promise<number | null> {
    this.#child.kill('SIGTERM');
    await this.#ended;
    return this.#child.exitCode;
  }
}
