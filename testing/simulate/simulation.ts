import { createHash } from 'node:crypto';
import { seeded } from '../../events/seeded.ts';

/** Something that can be paused and dropped: a process of a service, a client, or fate. */
export class Owner {
  readonly name: string;
  /** After it is dropped, nothing comes back from its timers, disks and messages. */
  alive = true;
  /** Suspended until this time: everything of it waits. */
  stalledUntil = 0;
  /** How far its wall clock is ahead. */
  skewMs = 0;
  /** Called when it is dropped. */
  readonly onDrop: (() => void)[] = [];

  constructor(name: string) {
    this.name = name;
  }

  drop(): void {
    this.alive = false;
    for (const run of this.onDrop.splice(0)) run();
  }
}

/** An action at a time of the virtual clock. */
export interface Happening {
  readonly at: number;
  readonly order: number;
  readonly owner: Owner | null;
  readonly run: () => void;
  cancelled: boolean;
}

/** The time of the virtual clock when a story begins, in milliseconds. */
export const BEGIN = Date.parse('2026-01-15T08:00:00.000Z');

/** Taken before it is replaced, because the loop below needs the real one. */
const nextTurn = setImmediate;

/** More actions than any story has that ends. */
const MOST_HAPPENINGS = 400_000;

/**
 * One order for everything that waits: virtual time, one seeded generator, and a queue. Between two actions all
 * promises settle that can, so the same seed gives the same story. Nothing real may be awaited meanwhile.
 */
export class Simulation {
  readonly random: () => number;
  /** The virtual time in milliseconds since 1970. */
  now = BEGIN;
  /** The owner of the running code. */
  current: Owner | null = null;
  readonly lines: string[] = [];
  readonly faults: string[] = [];
  happenings = 0;
  readonly #queue = new Queue();
  #order = 0;

  constructor(seed: number) {
    this.random = seeded(seed);
  }

  /** An integer from 0 to below `below`. */
  whole(below: number): number {
    return Math.floor(this.random() * below);
  }

  /** A number from `from` to `to`, in milliseconds. */
  between(from: number, to: number): number {
    return from + this.random() * (to - from);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.whole(from.length)]!;
  }

  /** Runs later, for the owner; dropped with it. */
  after(ms: number, owner: Owner | null, run: () => void): Happening {
    const happening = {
      at: this.now + Math.max(ms, 0.001),
      order: this.#order++,
      owner,
      run,
      cancelled: false,
    };
    this.#queue.push(happening);
    return happening;
  }

  /** Resolves after this time, by default in the name of the caller. */
  sleep(ms: number, owner = this.current): Promise<void> {
    return new Promise((resolve) => this.after(ms, owner, resolve));
  }

  /** A query to a server and its reply, each at most `mostMs` on its way. */
  trip<T>(asker: Owner, mostMs: number, question: () => T): Promise<T> {
    return new Promise((resolve) => {
      this.after(this.between(0.1, mostMs), null, () => {
        const answer = question();
        this.after(this.between(0.1, mostMs), asker, () => resolve(answer));
      });
    });
  }

  /** Runs work in the name of another owner. Settles in the name of the caller. */
  inHands<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    const caller = this.current;
    return new Promise((resolve, reject) => {
      this.after(0, owner, () => {
        work().then(
          (value) => this.after(0, caller, () => resolve(value)),
          (error: unknown) => this.after(0, caller, () => reject(error)),
        );
      });
    });
  }

  /** Adds a line to the story. */
  tell(who: string, what: string): void {
    this.lines.push(`${((this.now - BEGIN) / 1_000).toFixed(3).padStart(9)}  ${who.padEnd(12)} ${what}`);
  }

  /** Reports a violation. */
  fault(what: string): void {
    this.faults.push(what);
    this.tell('FAULT', what);
  }

  /** The hash of all lines. */
  hash(): string {
    return createHash('sha256').update(this.lines.join('\n')).digest('hex').slice(0, 16);
  }

  /** Runs until `work` of this owner has ended. Rejects if it waits for something that can never happen. */
  play<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      let ended = false;
      const end = (how: () => void): void => {
        ended = true;
        how();
      };
      this.after(0, owner, () => {
        work().then(
          (value) => end(() => resolve(value)),
          (error: unknown) => end(() => reject(error)),
        );
      });
      const step = (): void => {
        if (ended) return;
        const next = this.#queue.pop();
        if (next === undefined || this.happenings > MOST_HAPPENINGS) {
          end(() => reject(new Error(next === undefined ? 'nothing is left to happen' : 'it has no end')));
          return;
        }
        this.#happen(next);
        nextTurn(step);
      };
      nextTurn(step);
    });
  }

  #happen(next: Happening): void {
    if (next.cancelled || next.owner?.alive === false) return;
    const stalled = next.owner?.stalledUntil ?? 0;
    if (stalled > next.at) {
      // It runs in its order once the process is no longer suspended.
      this.#queue.push({ ...next, at: stalled });
      return;
    }
    this.happenings += 1;
    this.now = next.at;
    this.current = next.owner;
    try {
      next.run();
    } catch (error) {
      this.fault(
        `${next.owner?.name ?? 'world'} threw out of its event loop: ${String((error as Error).stack)}`,
      );
    }
  }
}

/** Ordered by time, then by insertion. */
class Queue {
  /** The next one is the last element. */
  readonly #waiting: Happening[] = [];

  push(happening: Happening): void {
    let [from, to] = [0, this.#waiting.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if (isBefore(happening, this.#waiting[middle]!)) from = middle + 1;
      else to = middle;
    }
    this.#waiting.splice(from, 0, happening);
  }

  pop(): Happening | undefined {
    return this.#waiting.pop();
  }
}

const isBefore = (one: Happening, other: Happening): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);

let active: Simulation | null = null;

/** The story that is played in this process; `null` while everything is real. */
export const playing = (): Simulation | null => active;

/** Only one story at a time. */
export function setPlaying(simulation: Simulation | null): void {
  active = simulation;
}
