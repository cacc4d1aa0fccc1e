import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join, resolve } from 'node:path';
import type { Order } from './child.ts';
import type { Outcome } from './story.ts';

export interface PlayersOptions {
  readonly workers: number;
  /** A unified diff that is applied to the code while it is loaded. */
  readonly patch: string | undefined;
  /** One of this many stories is played twice. */
  readonly replayEvery?: number;
  /** Returns the lines of all stories, not only of those with faults. */
  readonly tellAll?: boolean;
}

/** The stories of one process before another one replaces it. */
const STORIES_EACH = 1_500;

/** Processes that play stories, each one at a time. */
export class Players {
  readonly #options: PlayersOptions;
  readonly #children = new Set<ChildProcess>();

  constructor(options: PlayersOptions) {
    this.#options = options;
  }

  /**
   * Plays `count` seeds from `first` on. `onStory` is called with each, almost in order, and returns whether to
   * continue. Rejects if a playing process dies.
   */
  async play(first: number, count: number, onStory: (story: Outcome) => boolean): Promise<void> {
    const { workers, replayEvery = 25, tellAll = false } = this.#options;
    let next = first;
    let goesOn = true;
    const take = (): number | undefined => (goesOn && next < first + count ? next++ : undefined);
    const work = async (): Promise<void> => {
      let child: ChildProcess | undefined;
      let played = 0;
      for (let seed = take(); seed !== undefined; seed = take()) {
        if (child === undefined || played === STORIES_EACH) {
          if (child !== undefined) this.#end(child);
          child = await this.#begin();
          played = 0;
        }
        const answer = message(child);
        child.send({ seed, twice: seed % replayEvery === 0, tellAll } satisfies Order);
        played += 1;
        const story = (await answer) as Outcome;
        goesOn &&= onStory(story);
      }
      if (child !== undefined) this.#idle.push(child);
    };
    await Promise.all(Array.from({ length: Math.min(workers, count) }, work));
  }

  close(): void {
    for (const child of this.#children) this.#end(child);
  }

  readonly #idle: ChildProcess[] = [];

  async #begin(): Promise<ChildProcess> {
    const idle = this.#idle.pop();
    if (idle !== undefined) return idle;
    const { patch } = this.#options;
    const child = fork(join(import.meta.dirname, 'child.ts'), patch === undefined ? [] : [resolve(patch)], {
      // Stories leave much garbage, so it is collected rarely.
      execArgv: ['--disable-warning=ExperimentalWarning', '--no-wasm-tier-up', '--max-semi-space-size=64'],
    });
    this.#children.add(child);
    await message(child);
    return child;
  }

  #end(child: ChildProcess): void {
    this.#children.delete(child);
    if (child.connected) child.disconnect();
  }
}

/** The next message. Rejects if the child ends first. */
async function message(child: ChildProcess): Promise<unknown> {
  const over = new AbortController();
  const ended = once(child, 'exit', { signal: over.signal }).then(([code]) => {
    throw new Error(`a process that plays has ended with code ${String(code)}`);
  });
  ended.catch(() => undefined);
  try {
    const [told] = (await Promise.race([
      once(child, 'message', { signal: over.signal }),
      ended,
    ])) as unknown[];
    return told;
  } finally {
    over.abort();
  }
}
