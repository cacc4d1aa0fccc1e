import { contextOf, lagOf, type FollowerName } from '../../events/messages/follower-lag.ts';
import { Followers, type Follower, type Lag } from '../../events/store/followers-behind.ts';
import { ClockSteps } from './clock-steps.ts';
import { lookEvery, systemClock } from './clock.ts';
import { failureLevel } from './late.ts';
import type { LeaseName } from './lease-names.ts';
import { Responder } from './responder.ts';
import type { ServiceParts } from './service-parts.ts';

/** How far clocks may differ: callers state their deadlines by their own clock. */
const CLOCKS_MS = 1_000;
const differs = (ms: number): boolean => Math.abs(ms) >= CLOCKS_MS;

/**
 * Milliseconds between two reads of the record. A follower may be behind for ten seconds, so it is reported within
 * fifteen.
 */
const LOOK_MS = 2_000;

/**
 * Watches the followers of the record in this process: how far each one is behind, for readiness, figures and requests.
 */
export interface Watch {
  /** Adds a follower, until the returned function is called. */
  add(name: FollowerName, follower: Omit<Follower, 'name'>): () => Promise<void>;
  lags(): Lag[];
  /**
   * `record` if the record cannot be read; `clock` if the clock was set back (also before the start) and has not caught
   * up, or differs from that of the bus.
   */
  degraded(): string[];
}

/** The lease under which each follower runs. */
const LEASES: Readonly<Record<FollowerName, LeaseName>> = {
  audit: 'audit-projection',
  trading: 'trading',
  relay: 'relay',
  checkpoints: 'checkpoints',
};

/** @returns the watch, and a function that ends it, after which the record is not read any more. */
export function watchFollowers({
  bus,
  store,
  leases,
  logger,
}: Pick<ServiceParts, 'bus' | 'store' | 'leases' | 'logger'>): Watch & { end(): Promise<void> } {
  const followers = new Followers({ store, now: Date.now, clock: () => performance.now() });
  const clock = new ClockSteps({ now: Date.now, counted: () => performance.now() });
  const told = new Set<string>();

  const tell = (): void => {
    for (const { name, seconds, events, at_least, behind } of followers.lags()) {
      if (behind === told.has(name)) continue;
      if (behind) {
        told.add(name);
        logger.error({ follower: name, seconds, events, at_least }, 'this follower is behind the record');
      } else {
        told.delete(name);
        logger.info({ follower: name }, 'this follower has caught up with the record');
      }
    }
  };

  /**
   * Compares the clock with the newest event, which an earlier process or another machine may have recorded. While the
   * record is away the next look tries again; the followers report that it is away.
   */
  async function compareClock(): Promise<void> {
    for await (const { metadata } of store.readAll({ direction: 'backwards', limit: 1 })) {
      const back = clock.compare(Date.parse(metadata.at));
      if (back === 0) continue;
      logger.error(
        { seconds: Math.round(back / 1_000), newest: metadata.at },
        'the clock of this machine is before the newest event on record: events are recorded with times before earlier ones; see that its time is right',
      );
    }
  }
  let isCompared = false;
  let comparing: Promise<void> | undefined;
  const compareOnce = (): void => {
    if (isCompared) return;
    comparing ??= compareClock()
      .then(
        () => void (isCompared = true),
        () => undefined,
      )
      .finally(() => (comparing = undefined));
  };
  compareOnce();

  /** The number of milliseconds by which the clock is ahead of that of the bus; negative if it is behind. */
  let ahead = 0;
  async function compareWithBus(): Promise<void> {
    const now = await leases.clockAhead().catch(() => ahead);
    if (differs(now) && !differs(ahead)) {
      logger.error(
        { seconds: Math.round(now / 1_000) },
        `the clock of this machine is ${now > 0 ? 'ahead of' : 'behind'} that of the NATS server: see that both are right, because requests may seem to be too late`,
      );
    }
    ahead = now;
  }
  const isClockWrong = (): boolean => clock.isBehind || differs(ahead);

  const stopTicks = systemClock.every(LOOK_MS, () => {
    compareOnce();
    const back = clock.look();
    if (back > 0) {
      logger.error(
        { seconds: Math.round(back / 1_000) },
        'the clock of this machine was set back: events are recorded with times before earlier ones; see that its time is right',
      );
    }
  });
  const endOfLooks = lookEvery(LOOK_MS, () =>
    followers
      .look()
      .then(tell, (error: unknown) =>
        logger[failureLevel(error)]({ err: error }, 'the newest events of the record could not be read'),
      ),
  );
  const endOfBus = lookEvery(LOOK_MS, compareWithBus);

  return {
    add(name, follower) {
      const remove = followers.add({ ...follower, name });
      const requests = new Responder({ bus, leases, logger }, contextOf(name), LEASES[name]);
      requests.answer(lagOf(name), async () => ({
        ...followers.lag(name),
        name,
        clock_wrong: isClockWrong(),
        record_away: !followers.reached,
      }));
      return async () => {
        remove();
        await requests.leave();
      };
    },
    lags: () => followers.lags(),
    degraded: () => [...(followers.reached ? [] : ['record']), ...(isClockWrong() ? ['clock'] : [])],
    async end() {
      stopTicks();
      await Promise.all([endOfLooks(), endOfBus(), comparing]);
    },
  };
}
