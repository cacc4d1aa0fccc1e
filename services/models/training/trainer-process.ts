import { fork, type ChildProcess } from 'node:child_process';
import { getPriority, setPriority } from 'node:os';
import { join } from 'node:path';
import { onnxEnvironment } from '../../onnx-environment.ts';
import { FromTrainer, type ToTrainer } from './messages.ts';
import { complainsOfMemory, oomKills } from './out-of-memory.ts';

const PROGRAM = join(import.meta.dirname, 'trainer-program.ts');

/** Its caches and its GPU. */
const PASSED_ON = [
  'XDG_CACHE_HOME',
  'CUDA_PATH',
  'CUDA_VISIBLE_DEVICES',
  'VK_DRIVER_FILES',
  'VK_ICD_FILENAMES',
  'LOCALAPPDATA',
];

/** The service and trading go first. */
const LOW_PRIORITY = 10;

/** What tests put in place of the trainer. */
export interface TrainerSettings {
  /** Another program. */
  readonly program?: string | undefined;
  /** As of `os.setPriority`; one that already has a lower one keeps it. */
  readonly priority?: number | undefined;
}

/** Of what it says on standard error the end is kept. */
const KEPT_STDERR = 4_096;

/** How a process of the trainer came to its end. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  /** It was, or wanted to be, larger than the memory that there is. */
  readonly outOfMemory: boolean;
  /** The end of its standard error, for the log. */
  readonly stderr: string;
  /** Why it never began. */
  readonly error: Error | null;
}

/** A process of the trainer: what goes in is sent, what comes out is validated, and its end is told once. */
export class TrainerProcess {
  readonly #child: ChildProcess | null = null;
  #killAt = Number.POSITIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;
  /** Never rejects. All that it had to say has been heard by then. */
  readonly exited: Promise<Exit>;

  /**
   * @param heard What it says. What cannot be understood is told as an error, and the process is killed.
   */
  constructor(
    heard: (message: FromTrainer) => void,
    misunderstood: (error: unknown) => void,
    { program = PROGRAM, priority = LOW_PRIORITY }: TrainerSettings = {},
  ) {
    const exit = Promise.withResolvers<Exit>();
    this.exited = exit.promise;
    const killsBefore = oomKills();
    let stderr = '';
    const end = (code: number | null, signal: NodeJS.Signals | null, error: Error | null): void => {
      clearTimeout(this.#timer);
      this.#killAt = Number.NEGATIVE_INFINITY;
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
    };
    try {
      this.#child = fork(program, [], {
        serialization: 'advanced',
        execArgv: [],
        env: onnxEnvironment(PASSED_ON),
        stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      });
    } catch (error) {
      end(null, null, error as Error);
      return;
    }
    const { pid } = this.#child;
    if (pid !== undefined) setPriority(pid, Math.max(priority, getPriority()));
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-KEPT_STDERR);
    });
    this.#child.on('message', (message) => {
      const parsed = FromTrainer.safeParse(message);
      if (parsed.success) heard(parsed.data);
      else {
        misunderstood(parsed.error);
        this.killAfter(0);
      }
    });
    // Where a process cannot be started there is an error and no `close`; any other error is followed by one.
    this.#child.on('error', (error) => {
      if (this.#child?.pid === undefined) end(null, null, error);
    });
    this.#child.once('close', (code, signal) => end(code, signal, null));
  }

  /** `undefined` where it could not be started. */
  get pid(): number | undefined {
    return this.#child?.pid;
  }

  /** Lost where the process has ended: then its end says so. */
  send(message: ToTrainer): void {
    if (this.#child?.connected === true) this.#child.send(message, () => undefined);
  }

  /** Kills it unless it has ended by then. Said again, the earlier moment holds. */
  killAfter(ms: number): void {
    const at = performance.now() + ms;
    if (at >= this.#killAt) return;
    this.#killAt = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#child?.kill('SIGKILL'), ms);
  }
}
