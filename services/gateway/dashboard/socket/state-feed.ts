import type { Channel } from './channels.ts';
import type { Client } from './client.ts';
import type { Clock } from '../../../clock.ts';
import type { Hub } from './hub.ts';
import type { Prepared } from './prepared.ts';

/** Where it could not be read. */
const RETRY_MS = 1_000;

interface StateFeedOptions {
  readonly channel: Channel;
  readonly hub: Hub;
  readonly clock: Clock;
  /** Milliseconds between two readings at least. */
  readonly gapMs: number;
  /** How things stand; `null` where there is nothing to tell yet. */
  readonly read: () => Promise<Prepared | null>;
  /** Told once, until it can be read again. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Pushes a state: to who subscribes at once, to all when it has changed. It is read once for all of them, one time after
 * the other, and only while somebody follows.
 */
export class StateFeed {
  readonly #options: StateFeedOptions;
  #joined = new Set<Client>();
  #pushed: string | undefined;
  /** Read a moment ago: no older than a push may be. */
  #fresh: Prepared | null = null;
  #wanted = false;
  #resting = false;
  #failing = false;

  constructor(options: StateFeedOptions) {
    this.#options = options;
    options.hub.greet(options.channel, (client) => {
      if (this.#fresh !== null) return client.push(this.#fresh);
      this.#joined.add(client);
      this.changed();
    });
  }

  /** It may have changed. */
  changed(): void {
    this.#wanted = true;
    if (!this.#resting) void this.#run();
  }

  async #run(): Promise<void> {
    const { hub, channel, clock, gapMs } = this.#options;
    const nobody = hub.followers(channel).size === 0;
    if (nobody) this.#joined.clear();
    if (nobody || !this.#wanted) return;
    this.#wanted = false;
    this.#resting = true;
    await this.#refresh();
    clock.after(this.#failing ? RETRY_MS : gapMs, () => {
      this.#resting = false;
      this.#fresh = null;
      void this.#run();
    });
  }

  async #refresh(): Promise<void> {
    const { hub, channel, read, onFault } = this.#options;
    const joined = this.#joined;
    this.#joined = new Set();
    try {
      const state = await read();
      this.#failing = false;
      if (state === null) return;
      const changed = state.tail !== this.#pushed;
      this.#pushed = state.tail;
      this.#fresh = state;
      for (const client of hub.followers(channel)) {
        if (changed || joined.has(client)) client.push(state);
      }
    } catch (error) {
      if (!this.#failing) onFault(error);
      this.#failing = true;
      this.#wanted = true;
      this.#joined = this.#joined.union(joined);
    }
  }
}
