import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';

import { ENDS, WALL_TIMES, type Limits } from './document-limits.ts';
import type { Answer, Job, Refusal } from './parse-process.ts';

export type Outcome =
  | { readonly kind: 'document'; readonly json: string }
  | Refusal
  | {
      /** The parser has stopped. */
      readonly kind: 'ended';
      readonly fault: string;
      /** Why it stopped: the file exceeds its limits, earlier files have used up the memory, or another reason. */
      readonly by: 'file' | 'wear' | 'other';
    };

const answerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('part') }),
  z.strictObject({ kind: z.literal('document'), json: z.string() }),
  z.strictObject({ kind: z.literal('fault'), fault: z.string() }),
]) satisfies z.ZodType<Answer>;

/** The environment variables that programs and temporary folders need; none with keys or passwords. */
const PASSED_ON = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'TESSDATA_PREFIX', 'NODE_COMPILE_CACHE'];
/** The heap's share of the memory limit, so that V8 collects garbage before the watchdog measures. */
const HEAP_SHARE = 0.75;
/** The signals and codes with which V8 and the watchdog end a process that needs too much memory. */
const OUT_OF_MEMORY: readonly (string | null)[] = [ENDS.megabytes, 'SIGABRT', 'SIGTRAP'];

/** A process that reads one file after the other, until a file ends it. */
export class Parser {
  readonly #child: ChildProcess;
  readonly #limits: Limits;
  #answered = 0;

  private constructor(child: ChildProcess, limits: Limits) {
    this.#child = child;
    this.#limits = limits;
  }

  /**
   * Starts a process.
   *
   * @throws {Error} if it cannot start, which is no file's fault.
   */
  static async start(kinds: URL, limits: Limits): Promise<Parser> {
    const child = fork(
      new URL('./parse-process.ts', import.meta.url),
      [JSON.stringify([kinds.href, limits])],
      {
        env: Object.fromEntries(
          PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
        ),
        // services/operator/launch.mjs explains the last flag.
        execArgv: [
          `--max-old-space-size=${Math.floor(limits.megabytes * HEAP_SHARE)}`,
          '--disable-warning=ExperimentalWarning',
          '--no-wasm-tier-up',
        ],
        serialization: 'advanced',
        // Libraries print messages about files, which do not belong in our log.
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    );
    const ended = once(child, 'exit').then(([code, signal]: unknown[]) => {
      throw new Error(`the process that reads documents did not start (${String(signal ?? code)})`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => undefined);
    return new Parser(child, limits);
  }

  /** Never rejects. */
  parse(job: Job): Promise<Outcome> {
    const child = this.#child;
    const { seconds, megabytes } = this.#limits;
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(
        () => {
          isLate = true;
          child.kill('SIGKILL');
        },
        seconds * WALL_TIMES * 1000,
      );
      const settle = (outcome: Outcome): void => {
        clearTimeout(timer);
        child.off('message', onMessage);
        child.off('exit', onExit);
        resolve(outcome);
      };
      const onMessage = (message: unknown): void => {
        const answer = answerSchema.safeParse(message);
        if (answer.data?.kind === 'part') {
          timer.refresh();
          return;
        }
        this.#answered += 1;
        settle(
          answer.data === undefined || answer.data.kind === 'ready'
            ? { kind: 'fault', fault: 'cannot be read (its parser gave no document)' }
            : answer.data,
        );
      };
      const onExit = (code: number | null, signal: string | null): void => {
        // Memory that earlier files have left is not this file's fault.
        const isWorn = !isLate && signal !== ENDS.seconds && this.#answered > 0;
        if (signal === ENDS.seconds)
          settle({ kind: 'ended', fault: `takes longer than ${seconds} seconds to read`, by: 'file' });
        else if (OUT_OF_MEMORY.includes(signal))
          settle({
            kind: 'ended',
            fault: `needs more than ${megabytes} MB of memory`,
            by: isWorn ? 'wear' : 'file',
          });
        else
          settle({
            kind: 'ended',
            fault: isLate
              ? `was not read within ${seconds * WALL_TIMES} seconds, the machine may be busy`
              : `cannot be read (its parser ended with ${signal ?? code})`,
            by: isWorn ? 'wear' : 'other',
          });
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      // If the process is gone, its exit event reports it.
      child.send(job, () => undefined);
    });
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.kill('SIGKILL');
    await ended;
  }
}
