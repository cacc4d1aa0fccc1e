import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { freePort } from '../../free-ports.suite.ts';
import type { ControlMessage } from './control.ts';
import type { Fault, FaultMethod, FaultNow } from './faults.ts';

/** The same as `Faults` for another process; resolves when that process has received it. */
export interface RemoteFaults {
  inject(method: FaultMethod, fault: Fault, count?: number): Promise<void>;
  now(action: FaultNow): Promise<void>;
  clear(): Promise<void>;
}

/** A stand-in for EventStoreDB in a process of its own. */
export interface StandInProcess {
  readonly url: string;
  readonly port: number;
  readonly faults: RemoteFaults;
  /** Ends it like a crash. What it has acknowledged is on disk. */
  kill(): Promise<void>;
  /** Pauses the process with open connections until `resume`, like a node that hangs. */
  pause(): void;
  resume(): void;
  /** Ends it and removes its file. */
  remove(): Promise<void>;
  /** Restarts it on the same port with the same file, without the earlier faults. */
  restart(): Promise<void>;
}

const MAIN = fileURLToPath(new URL('./main.ts', import.meta.url));

/** Starts one on a free port of 127.0.0.1. */
export async function spawnStandIn(options: { file: string; port?: number }): Promise<StandInProcess> {
  let child: ChildProcess;
  let lines: AsyncIterator<string>;
  let log = '';
  // Of its own choice it would take one that an outgoing connection can take while it restarts.
  const port = options.port ?? (await freePort());

  const nextLine = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true) throw new Error(`the stand-in ended:\n${log}`);
    return line.value;
  };
  const start = async (): Promise<void> => {
    child = spawn(process.execPath, [MAIN, '--file', options.file, '--port', String(port)], {
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    child.stderr!.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4000)));
    child.stdin!.on('error', () => undefined);
    lines = createInterface({ input: child.stdout! })[Symbol.asyncIterator]();
    await nextLine();
  };
  /** One at a time, so that the replies can be matched by their order. */
  const send = async (before: Promise<void>, message: ControlMessage): Promise<void> => {
    await before;
    child.stdin!.write(`${JSON.stringify(message)}\n`);
    await nextLine();
  };
  let talk = Promise.resolve();
  const tell = (message: ControlMessage): Promise<void> => {
    const told = send(talk, message);
    talk = told.catch(() => undefined);
    return told;
  };

  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
  };

  await start();
  return {
    url: `esdb://127.0.0.1:${port}?tls=false`,
    port,
    faults: {
      inject: (method, fault, count = 1) => tell({ do: 'inject', method, fault, count }),
      now: (action) => tell({ do: 'now', action }),
      clear: () => tell({ do: 'clear' }),
    },
    kill,
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    restart: start,
    async remove() {
      await kill();
      for (const suffix of ['', '-wal', '-shm']) await rm(`${options.file}${suffix}`, { force: true });
    },
  };
}
