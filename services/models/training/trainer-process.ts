import { fork, type ChildProcess } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { onnxEnvironment } from '../../foundation/onnx-environment.ts';
import { FromTrainer, type ToTrainer } from './trainer-messages.ts';
import { complainsOfMemory, oomKills } from './out-of-memory.ts';

const PROGRAM = join(import.meta.dirname, 'trainer-program.ts');

/** The environment variables that the child keeps for its caches and its GPU. */
const PASSED_ON = [
  'XDG_CACHE_HOME',
  'CUDA_PATH',
  'CUDA_VISIBLE_DEVICES',
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
  'LOCALAPPDATA',
];

/** The priority of a trainer, which is lower than that of the services. */
const LOW_PRIORITY = 10;

/** Settings that tests change. */
export interface TrainerSettings {
  /** The path of another program, for tests. */
  readonly program?: string | undefined;
  /** The process priority, a value for `os.setPriority`. A process that already runs at a lower priority keeps it. */
  readonly priority?: number | undefined;
}

/** How much of the end of standard error is kept. */
const KEPT_STDERR = 4_096;

/** How a trainer process ended. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** Whether the process ran out of memory. */
  readonly outOfMemory: boolean;
  /** The end of the process's standard error, for the log. */
  readonly stderr: string;
  /** Why the process could not be started. */
  readonly error: Error | null;
}

/**
 * A trainer process: it is sent messages, its own messages are validated, and its end is reported once.
 *
 * @param heard is called with each of its messages. A message that cannot be understood is passed on as an error, and
 * the process is killed.
 */
export function startTrainer(
  heard: (message: FromTrainer) => void,
  misunderstood: (error: unknown) => void,
  { program = PROGRAM, priority = LOW_PRIORITY }: TrainerSettings = {},
) {
  const exit = Promise.withResolvers<Exit>();
  const killsBefore = oomKills();
  let stderr = '';
  let killAt = Number.POSITIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const child = forked();

  function end(code: number | null, signal: NodeJS.Signals | null, error: Error | null): void {
    clearTimeout(timer);
    killAt = Number.NEGATIVE_INFINITY;
    const killsAfter = oomKills();
    const killedByKernel =
      signal === 'SIGKILL' && killsBefore !== null && killsAfter !== null && killsAfter > killsBefore;
    exit.resolve({
      code,
      signal,
      error,
      stderr,
      outOfMemory: killedByKernel || (code !== 0 && complainsOfMemory(stderr)),
    });
  }

  function forked(): ChildProcess | null {
    try {
      return fork(program, [], {
        serialization: 'advanced',
        execArgv: [],
        env: onnxEnvironment(PASSED_ON),
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
    } catch (error) {
      end(null, null, error as Error);
      return null;
    }
  }

  function killAfter(ms: number): void {
    const at = performance.now() + ms;
    if (at >= killAt) return;
    killAt = at;
    clearTimeout(timer);
    timer = setTimeout(() => child?.kill('SIGKILL'), ms);
  }

  if (child?.pid !== undefined) setPriority(child.pid, Math.max(priority, getPriority()));
  child?.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-KEPT_STDERR);
  });
  child?.on('message', (message) => {
    const parsed = FromTrainer.safeParse(message);
    if (parsed.success) heard(parsed.data);
    else {
      misunderstood(parsed.error);
      killAfter(0);
    }
  });
  // A process that cannot be started emits an error and no `close`. Any other error is followed by `close`.
  child?.on('error', (error) => {
    if (child.pid === undefined) end(null, null, error);
  });
  child?.once('close', (code, signal) => end(code, signal, null));

  return {
    /** Resolves with how the process ended, after all of its messages have been handled. Never rejects. */
    exited: exit.promise,
    /** `undefined` if the process could not be started. */
    pid: child?.pid,
    /** Sends a message. It is lost if the process has ended, which `exited` reports. */
    send(message: ToTrainer): void {
      if (child?.connected === true) child.send(message, () => undefined);
    },
    /** Kills the process unless it has ended after this time. A later call does not change the time. */
    killAfter,
  };
}
