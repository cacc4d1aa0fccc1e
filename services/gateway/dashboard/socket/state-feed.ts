import type { Channel } from './channels.ts';
import type { Client } from './client.ts';
import type { Clock } from '../../../foundation/clock.ts';
import type { Hub } from './subscriptions.ts';
import type { Prepared } from './prepared-push.ts';

/** The pause after a failed read. */
const RETRY_MS = 1_000;

interface StateFeedOptions {
  readonly channel: Channel;
  readonly hub: Hub;
  readonly clock: Clock;
  /** The shortest time between two reads, in milliseconds. */
  readonly gapMs: number;
  /** Reads the present state; `null` if there is none yet. */
  readonly read: () => Promise<Prepared | null>;
  /** Called once when the state cannot be read, and again only after a read has succeeded. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Pushes a state: to a new subscriber at once, and to all when it has changed. One read serves all subscribers, reads
 * never overlap, and without subscribers there are none. Call `changed` when the state may have changed.
 */
export function startStateFeed({ channel, hub, clock, gapMs, read, onFault }: StateFeedOptions) {
  let joined = new Set<Client>();
  let pushed: string | undefined;
  /** The state if it was read within the last `gapMs`. */
  let fresh: Prepared | null = null;
  let wanted = false;
  let resting = false;
  let failing = false;

  function changed(): void {
    wanted = true;
    if (!resting) void run();
  }

  async function run(): Promise<void> {
    const nobody = hub.followers(channel).size === 0;
    if (nobody) joined.clear();
    if (nobody || !wanted) return;
    wanted = false;
    resting = true;
    await refresh();
    clock.after(failing ? RETRY_MS : gapMs, () => {
      resting = false;
      fresh = null;
      void run();
    });
  }

  async function refresh(): Promise<void> {
    const greeted = joined;
    joined = new Set();
    try {
      const state = await read();
      failing = false;
      if (state === null) return;
      const isNews = state.tail !== pushed;
      pushed = state.tail;
      fresh = state;
      for (const client of hub.followers(channel)) {
        if (isNews || greeted.has(client)) client.push(state);
      }
    } catch (error) {
      if (!failing) onFault(error);
      failing = true;
      wanted = true;
      joined = joined.union(greeted);
    }
  }

  hub.greet(channel, (client) => {
    if (fresh !== null) return client.push(fresh);
    joined.add(client);
    changed();
  });
  return { changed };
}
