import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** A real `nats-server` with JetStream, for tests. */
export interface NatsServer {
  readonly url: string;
  readonly port: number;
  /** Where JetStream keeps its files. */
  readonly store: string;
  /** What it did not let its users do, since it was started first. */
  readonly violations: readonly string[];
  /** Ends it as a crash would: no farewell to anybody. What JetStream has on disk stays. */
  kill(): Promise<void>;
  /** Ends it as its operator does. */
  stop(): Promise<void>;
  /** Stops it from running, connections open, until `resume`: a server that hangs. */
  pause(): void;
  resume(): void;
  /** Starts it again on the same port, over the same files. */
  restart(): Promise<void>;
  /** Ends it and removes its files. */
  remove(): Promise<void>;
}

/** Debian installs it outside the PATH of ordinary users. */
const PATH = `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin`;

/** `describe.skipIf(!hasNatsServer)` for suites that need one. */
export const hasNatsServer = spawnSync('nats-server', ['--version'], { env: { PATH } }).status === 0;
if (!hasNatsServer) console.warn('nats-server is not installed: suites that need it are skipped');

/**
 * Starts one on a free port of 127.0.0.1; `args` are added to its command line (`-c FILE`, `--auth TOKEN` …), and
 * `environment` is what a configuration file reads variables from.
 */
export async function startNatsServer(
  args: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<NatsServer> {
  const folder = await mkdtemp(join(tmpdir(), 'beleg-nats-'));
  const store = join(folder, 'js');
  let child: ChildProcess;
  let port = -1;
  const violations: string[] = [];
  const start = async (): Promise<void> => {
    // By callback: as an iterator it loses what happens while the file is being read, and then waits for ever.
    const listening = Promise.withResolvers<{ nats: string[] }>();
    const watcher = watch(folder, () => {
      const text = readPorts(join(folder, `nats-server_${child.pid}.ports`));
      if (text.endsWith('}')) listening.resolve(JSON.parse(text) as { nats: string[] });
    });
    child = spawn(
      'nats-server',
      ['-a', '127.0.0.1', '-p', String(port), '-js', '-sd', store, '--ports_file_dir', folder, ...args],
      { env: { PATH, ...environment }, stdio: ['ignore', 'ignore', 'pipe'] },
    );
    let log = '';
    createInterface({ input: child.stderr! }).on('line', (line) => {
      log = `${log}${line}\n`.slice(-4000);
      if (line.includes('Violation')) violations.push(line);
    });
    const exited = once(child, 'exit').then(() => {
      throw new Error(`nats-server ended at its start:\n${log}`);
    });
    exited.catch(() => undefined);
    const { nats } = await Promise.race([listening.promise, exited]).finally(() => watcher.close());
    port = Number(new URL(nats[0]!).port);
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

/** Empty before it is there. */
function readPorts(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
