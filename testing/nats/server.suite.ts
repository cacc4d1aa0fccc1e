import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '../free-ports.suite.ts';

/** A real `nats-server` with JetStream, for tests. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** The folder of JetStream's files. */
  readonly store: string;
  /** The permission violations since its first start. */
  readonly violations: readonly string[];
  /** Ends it like a crash, without closing connections. JetStream's files stay. */
  kill(): Promise<void>;
  /** Ends it like an operator. */
  stop(): Promise<void>;
  /** Pauses the process with open connections until `resume`, like a server that hangs. */
  pause(): void;
  resume(): void;
  /** Restarts it on the same port with the same files. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  remove(): Promise<void>;
}

/** Debian installs it outside the PATH of ordinary users. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;

/** For `describe.skipIf(!hasNatsServer)`. */
export const hasNatsServer = spawnSync('nats-server', ['--version'], { env: { PATH } }).status === 0;
if (!hasNatsServer) console.warn('nats-server is not installed: suites that need it are skipped');

/**
 * Starts one on a free port of 127.0.0.1; `args` are added to its command line (`-c FILE`, `--auth TOKEN` …), and its
 * configuration file can read variables from `environment`.
 */
export async function startNatsServer(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'beleg-nats-'));
  const store = join(folder, 'js');
  let child: ChildProcess;
  // Of its own choice it would take one that an outgoing connection can take while it restarts.
  const port = await freePort();
  const violations: string[] = [];
  const start = async (): Promise<void> => {
    const listening = Promise.withResolvers<void>();
    child = spawn('nats-server', ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, ...args], {
      env: { PATH, ...environment },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let log = '';
    createInterface({ input: child.stderr! }).on('line', (line) => {
      log = `${log}${line}\n`.slice(-4000);
      if (line.includes('Violation')) violations.push(line);
      if (line.includes('Server is ready')) listening.resolve();
    });
    const exited = once(child, 'exit').then(() => {
      throw new Error(`nats-server ended at its start:\n${log}`);
    });
    exited.catch(() => undefined);
    await Promise.race([listening.promise, exited]);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
  };
  const kill = (): Promise<void> => end('SIGKILL');
  await start();
  return {
    url: `nats://127.0.0.1:${port}`,
    port,
    store,
    violations,
    kill,
    stop: () => end('SIGTERM'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    restart: start,
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
