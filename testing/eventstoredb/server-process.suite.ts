import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { openEventStoreDb } from '../../events/store/eventstoredb/eventstoredb.ts';
import { freePorts } from '../free-ports.suite.ts';

/** The path of EventStoreDB, from `EVENTSTORE_BINARY` or the PATH. */
export const EVENTSTORE_BINARY = process.env['EVENTSTORE_BINARY'] ?? findOnPath('eventstored');

/** One node of EventStoreDB in a process and folder of its own. */
export interface ServerProcess {
  readonly url: string;
  readonly port: number;
  /** Ends it like a crash. What it has acknowledged is on disk. */
  kill(): Promise<void>;
  /** Pauses the process with open connections until `resume`, like a node that hangs. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its folder. */
  remove(): Promise<void>;
  /** Restarts it on the same port with the same folder. */
  restart(): Promise<void>;
}

/** How long a node may take to start and be elected on a busy machine. */
const START_MS = 100_000;

/** Starts a single node on 127.0.0.1; resolves when it accepts writes. */
export async function startServer(args: readonly string[] = []): Promise<ServerProcess> {
  const [port, replication] = await freePorts(2);
  const node = new Node(port!, replication!, args);
  try {
    await node.restart();
    await warmUp(node.url);
    return node;
  } catch (error) {
    await node.remove();
    throw error;
  }
}

/** Starts three nodes as a cluster without TLS; resolves when a leader accepts writes. */
export async function startCluster(): Promise<ServerProcess[]> {
  const ports = await freePorts(6);
  const nodes = [0, 1, 2].map((n) => {
    const seeds = ports.slice(0, 3).filter((port) => port !== ports[n]);
    const gossip = seeds.map((port) => `127.0.0.1:${port}`).join(',');
    return new Node(ports[n]!, ports[n + 3]!, [
      '--cluster-size=3',
      '--discover-via-dns=false',
      `--gossip-seed=${gossip}`,
    ]);
  });
  await Promise.all(nodes.map((node) => node.restart()));
  for (const node of nodes) await warmUp(node.url);
  return nodes;
}

/** On a busy machine the first calls of a new server take longer than a store waits. They write nothing. */
async function warmUp(url: string): Promise<void> {
  const store = await openEventStoreDb({ url, timeoutMs: START_MS, giveUpMs: START_MS });
  const until = Date.now() + START_MS;
  try {
    for (;;) {
      try {
        return await store.ping();
      } catch (error) {
        // A node may restart once more until the cluster is formed.
        if (Date.now() > until) throw error;
        await pause(50);
      }
    }
  } finally {
    await store.close();
  }
}

class Node implements ServerProcess {
  readonly port: number;
  readonly #folder = mkdtempSync(join(tmpdir(), 'eventstore-'));
  readonly #args: readonly string[];
  #child: ChildProcess | undefined;
  #log = '';

  constructor(port: number, replication: number, args: readonly string[]) {
    this.port = port;
    this.#args = [
      '--insecure',
      '--node-ip=127.0.0.1',
      `--node-port=${port}`,
      '--replication-ip=127.0.0.1',
      `--replication-port=${replication}`,
      `--db=${join(this.#folder, 'db')}`,
      `--log=${join(this.#folder, 'log')}`,
      '--run-projections=None',
      ...args,
    ];
  }

  get url(): string {
    return `esdb://127.0.0.1:${this.port}?tls=false`;
  }

  async restart(): Promise<void> {
    if (EVENTSTORE_BINARY === undefined)
      throw new Error('neither EVENTSTORE_BINARY nor eventstored on the PATH');
    // EventStoreDB reads variables that begin with its name as options, and refuses unknown ones.
    const others = Object.entries(process.env).filter(([name]) => !/^EVENTSTORE_/i.test(name));
    this.#run(EVENTSTORE_BINARY, { ...Object.fromEntries(others), EVENTSTORE_TELEMETRY_OPTOUT: 'true' });
    const until = Date.now() + START_MS;
    while (!(await this.#isLive())) {
      if ((this.#child?.exitCode ?? 0) !== 0 || Date.now() > until) {
        await this.kill();
        throw new Error(`EventStoreDB does not start:\n${this.#log}`);
      }
      await pause(50);
    }
  }

  #run(binary: string, env: NodeJS.ProcessEnv): void {
    const child = spawn(binary, this.#args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => (this.#log = (this.#log + chunk.toString()).slice(-4000)));
    }
    // A node that must drop writes without a majority exits, and drops them at its next start.
    child.on('exit', (code) => {
      if (code === 0 && this.#child === child) this.#run(binary, env);
    });
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  }

  pause(): void {
    this.#child?.kill('SIGSTOP');
  }

  resume(): void {
    this.#child?.kill('SIGCONT');
  }

  async remove(): Promise<void> {
    await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Its HTTP interface reports a leader. */
  async #isLive(): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.port}/health/live`).catch(() => undefined);
    return answer?.ok ?? false;
  }
}

function findOnPath(name: string): string | undefined {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const file = join(folder, name);
    if (folder === '' || !existsSync(file)) continue;
    try {
      accessSync(file, constants.X_OK);
      return file;
    } catch {
      // Another process listens there.
    }
  }
  return undefined;
}
