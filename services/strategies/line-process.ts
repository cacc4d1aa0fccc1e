import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { StrategyFault } from './fault.ts';

interface LineProcessOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The limit of resident memory. */
  readonly megabytes: number;
  /** Called with each line on its standard error. */
  readonly onPrinted: (line: string) => void;
}

/** Milliseconds between two checks of how much memory and time the process uses. */
const LOOK_MS = 100;
/** Where `/proc/PID/stat` has processor time, counted from its third field, and its unit. */
const [USER_TICKS, SYSTEM_TICKS, TICK_MS] = [11, 12, 10];
/** The most characters of an answer. */
const LONGEST = 8 * 1024 * 1024;

/**
 * A program that answers one line of JSON with one line of JSON. If it answers too late, takes too much memory or
 * writes anything else, it is killed, and the query rejects with a `StrategyFault`.
 */
export class LineProcess {
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #megabytes: number;
  #waiting: PromiseWithResolvers<string> | undefined;
  #read = '';
  /** When its memory was last checked. */
  #looked = 0;
  #fault: StrategyFault | undefined;
  #last = '';

  constructor({ command, cwd, env, megabytes, onPrinted }: LineProcessOptions) {
    const [program = '', ...given] = command;
    this.#megabytes = megabytes;
    const child = spawn(program, given, { cwd, env, stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child = child;
    child.on('error', (error) => this.#end(`it cannot be started: ${error.message}`));
    child.on('exit', (code, signal) => {
      const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
      const said = this.#last === '' ? '' : `; it said: ${this.#last}`;
      this.#end(`its process ended ${how}${said}`);
    });
    // The end of the process is reported by its exit.
    child.stdin.on('error', () => undefined);
    child.stdout.setEncoding('utf8').on('data', (text: string) => this.#take(text));
    let printed = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      const lines = (printed + text).split('\n');
      printed = lines.pop()!.slice(-LONGEST);
      for (const line of lines) {
        if (line.trim() !== '') this.#last = line.slice(0, 300);
        onPrinted(line);
      }
    });
  }

  /**
   * One query at a time. The limit is one of processor time, because a busy machine makes each answer late. By the
   * clock there is a longer one, for a process that only waits. The time of all threads counts, so a process with many
   * has the limit by the clock at least.
   */
  async ask(question: unknown, limitMs: number, clockMs: number): Promise<unknown> {
    if (this.#fault !== undefined) throw this.#fault;
    const waiting = Promise.withResolvers<string>();
    this.#waiting = waiting;
    const asked = performance.now();
    const late = setTimeout(
      () => this.#end(`it did not answer within ${clockMs / 1_000} s`, { isLate: true }),
      clockMs,
    );
    /** Its processor time when it was first looked at, since most answers come before. */
    let before: number | undefined;
    const looking = setInterval(() => {
      this.#lookAtMemory();
      const used = this.#processorMs();
      before ??= used;
      if (used - before > limitMs && performance.now() - asked > limitMs)
        this.#end(`it did not answer within ${limitMs / 1_000} s of processor time`);
    }, LOOK_MS);
    // A query can be shorter than the interval of the timer, so the memory is checked at queries as well.
    if (performance.now() - this.#looked > LOOK_MS) this.#lookAtMemory();
    this.#child.stdin.write(`${JSON.stringify(question)}\n`);
    try {
      const line = await waiting.promise;
      return parsed(line);
    } finally {
      clearTimeout(late);
      clearInterval(looking);
      this.#waiting = undefined;
    }
  }

  async close(): Promise<void> {
    this.#fault ??= new StrategyFault('it was closed');
    if (this.#child.exitCode !== null || this.#child.signalCode !== null || this.#child.pid === undefined)
      return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }

  #take(text: string): void {
    this.#read += text;
    if (this.#read.length > LONGEST) {
      this.#end('its answer is too long');
      return;
    }
    const end = this.#read.indexOf('\n');
    if (end < 0 || this.#waiting === undefined) return;
    const line = this.#read.slice(0, end);
    this.#read = this.#read.slice(end + 1);
    this.#waiting.resolve(line);
  }

  /** Checks the memory of the process. Only Linux reports it; elsewhere only the heap limit of the process applies. */
  #lookAtMemory(): void {
    this.#looked = performance.now();
    try {
      const pages = Number(readFileSync(`/proc/${this.#child.pid}/statm`, 'utf8').split(' ')[1]);
      const used = (pages * 4_096) / 1024 ** 2;
      if (used > this.#megabytes) this.#end(`it took more than ${this.#megabytes} MiB of memory`);
    } catch {
      // The process has ended, or the system has no such file.
    }
  }

  /** The processor time of the process so far. Only Linux reports it; elsewhere it is NaN, and only the clock counts. */
  #processorMs(): number {
    try {
      const stat = readFileSync(`/proc/${this.#child.pid}/stat`, 'utf8');
      // The second field is the name of the program, which may contain anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return (Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS])) * TICK_MS;
    } catch {
      return Number.NaN;
    }
  }

  #end(detail: string, of: { readonly isLate?: boolean } = {}): void {
    this.#fault ??= new StrategyFault(detail, of);
    this.#waiting?.reject(this.#fault);
    this.#child.kill('SIGKILL');
  }
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch (error) {
    throw new StrategyFault(`it answered something that is not JSON: ${line.slice(0, 100)}`, {}, error);
  }
}
