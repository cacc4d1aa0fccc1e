import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Measured, Ready, Request } from './serve.ts';

/** Debian's own first: only it sees the package python3-torch. */
const PYTHONS = ['/usr/bin/python3', 'python3'];

/** One of the libraries that are compared. */
export interface Contender {
  readonly name: 'beleg' | 'tfjs' | 'jax-js' | 'torch';
  readonly threads: number;
  readonly command: readonly string[];
}

/** The contenders that are installed; `missing` names the others. */
export function contenders(threads: readonly number[]): { found: Contender[]; missing: string[] } {
  const found: Contender[] = [];
  const missing: string[] = [];
  for (const n of threads) found.push({ name: 'beleg', threads: n, command: inNode('beleg.ts') });

  const python = PYTHONS.find((command) => spawnSync(command, ['-c', FIND_TORCH]).status === 0);
  const torch = [python ?? '', join(import.meta.dirname, 'peers/pytorch.py')];
  if (python === undefined) missing.push('PyTorch (the package python3-torch)');
  else for (const n of threads) found.push({ name: 'torch', threads: n, command: torch });

  if (!isInstalled('@jax-js/jax')) missing.push('@jax-js/jax');
  else found.push({ name: 'jax-js', threads: 1, command: inNode('peers/jax.ts') });

  const tensorflow = ['@tensorflow/tfjs', '@tensorflow/tfjs-backend-wasm'].filter(
    (name) => !isInstalled(name),
  );
  missing.push(...tensorflow);
  if (tensorflow.length === 0) found.push({ name: 'tfjs', threads: 1, command: inNode('peers/tfjs.ts') });
  return { found, missing };
}

const inNode = (path: string): string[] => [process.execPath, join(import.meta.dirname, path)];

const FIND_TORCH = 'import importlib.util, sys; sys.exit(importlib.util.find_spec("torch") is None)';

function isInstalled(name: string): boolean {
  try {
    import.meta.resolve(name);
    return true;
  } catch {
    return false;
  }
}

/** A contender at work, in a process of its own, which uses no processor between requests. */
export class Running {
  readonly contender: Contender;
  /** When it has read the task in the folder. */
  readonly ready: Promise<Ready>;
  readonly #child: ChildProcess;
  readonly #replies: AsyncIterator<string>;

  constructor(contender: Contender, folder: string) {
    this.contender = contender;
    const [command = '', ...args] = contender.command;
    this.#child = spawn(command, [...args, folder, String(contender.threads)], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env: { ...process.env, ORT_DISABLE_TELEMETRY: '1' },
    });
    // If the process has ended, its reply never comes, and that is reported.
    this.#child.stdin!.on('error', () => undefined);
    this.#replies = createInterface({ input: this.#child.stdout! })[Symbol.asyncIterator]();
    this.ready = this.#reply<Ready>();
  }

  async measure(request: Request): Promise<Measured> {
    this.#child.stdin!.write(`${JSON.stringify(request)}\n`);
    return this.#reply<Measured>();
  }

  async end(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.stdin!.end();
    await once(this.#child, 'exit');
  }

  async #reply<T>(): Promise<T> {
    const { value, done } = await this.#replies.next();
    if (done === true) throw new Error(`${this.contender.name} ended before it replied`);
    return JSON.parse(value) as T;
  }
}
