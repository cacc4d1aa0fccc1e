import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { z } from 'zod';

import type { Limits } from './parse-limits.ts';
import type { Answer, Job, Refusal } from './parse-process.ts';

/** A parser that died over a file is told from one that refused it: there the machine may have been busy. */
export type Outcome =
  | { readonly kind: 'document'; readonly json: string }
  | Refusal
  | { readonly kind: 'died'; readonly fault: string; readonly mayBeWorn: boolean };

const answerSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready') }),
  z.strictObject({ kind: z.literal('part') }),
  z.strictObject({ kind: z.literal('document'), json: z.string() }),
  z.strictObject({ kind: z.literal('fault'), fault: z.string() }),
]) satisfies z.ZodType<Answer>;

/** What a process needs to run programs and find its temporary folder, and no key or password of the parent's. */
const PASSED_ON = ['PATH', 'TMPDIR', 'TEMP', 'TMP', 'SystemRoot', 'TESSDATA_PREFIX', 'NODE_COMPILE_CACHE'];
/** Less than the limit, so that V8 cleans up before the watchdog looks. */
const HEAP_SHARE = 0.75;
/** How the kernel, the watchdog and V8 end a process that is out of memory. */
const OUT_OF_MEMORY: readonly (string | null)[] = ['SIGKILL', 'SIGABRT', 'SIGTRAP'];

/** A process that reads one file after the other, until one of them ends it. */
export class Parser {
  readonly #child: ChildProcess;
  readonly #limits: Limits;
  #answered = 0;

  private constructor(child: ChildProcess, limits: Limits) {
    this.#child = child;
    this.#limits = limits;
  }

  /** @throws where the process cannot start, which is no file's fault */
  static async start(kinds: URL, limits: Limits): Promise<Parser> {
    const child = fork(
      new URL('./parse-process.ts', import.meta.url),
      [JSON.stringify([kinds.href, limits])],
      {
        env: Object.fromEntries(
          PASSED_ON.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
        ),
        // services/operator/launch.mjs says why of the last one.
        execArgv: [
          `--max-old-space-size=${Math.floor(limits.megabytes * HEAP_SHARE)}`,
          '--disable-warning=ExperimentalWarning',
          '--no-wasm-tier-up',
        ],
        serialization: 'advanced',
        // Libraries that complain about a file do not do so in our log.
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

  /** Never rejects. After `died` this parser reads no more. */
  parse(job: Job): Promise<Outcome> {
    const child = this.#child;
    const { seconds, megabytes } = this.#limits;
    return new Promise((resolve) => {
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        child.kill('SIGKILL');
      }, seconds * 1000);
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
        const fault = isLate
          ? `took longer than ${seconds} seconds to read`
          : OUT_OF_MEMORY.includes(signal)
            ? `needs more than ${megabytes} MB of memory`
            : `cannot be read (its parser ended with ${signal ?? code})`;
        // A file is not to blame for the memory that earlier files have left.
        settle({ kind: 'died', fault, mayBeWorn: !isLate && this.#answered > 0 });
      };
      child.on('message', onMessage);
      child.on('exit', onExit);
      // A process that is gone says so by its exit.
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
