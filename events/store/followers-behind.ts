import { BelegError, isBelegError } from '../errors.ts';
import { given } from '../given.ts';
import { BEHIND_MS, MOST_COUNTED, type FollowerLag, type Published } from '../messages/follower-lag.ts';
import { originReader } from './origin.ts';
import { hasPlace, type EventStore, type Position, type RecordedEvent } from './store.ts';

/**
 * A reader that takes events from the record one after the other: a projection, the relay, or the maker of checkpoints.
 */
export interface Follower {
  readonly name: string;
  /** The types of events that the follower wants. Absent if it wants all. */
  readonly types?: readonly string[] | undefined;
  /**
   * The position of the last event that the follower has taken, or at which it began; '' for the start of the record.
   */
  readonly delivered: () => string;
  /**
   * Called at each look while the follower's place is not in this record, because an older record was restored. It
   * should begin again.
   */
  readonly onLostPlace?: () => void;
  /**
   * Called at each look with the origin of the record (see `originReader`), because another record may have replaced
   * it.
   */
  readonly onOrigin?: (origin: string) => void;
  /** A reason, besides being behind, why the follower does not work; `null` if there is none. */
  readonly fault?: () => FollowerFault | null;
  /** What is to be known of the events that the follower has published. */
  readonly published?: () => Published;
}

type FollowerFault = NonNullable<FollowerLag['fault']>;

/**
 * How far a follower is behind the record. The name may be any that this process has given to a follower, not only
 * those in `FOLLOWERS`.
 */
export type Lag = Omit<FollowerLag, 'name' | 'clock_wrong' | 'record_away'> & { readonly name: string };

/** How many of the newest events one look reads to find those that a follower wants. */
const MOST_LOOKED_AT = 10_000;

/** The most events that are remembered for each follower as not yet taken. */
const MOST_MARKS = 16;

interface Mark {
  readonly position: Position;
  /** When this event was first seen, in milliseconds of the clock. */
  since: number;
}

interface Followed {
  follower: Follower;
  /**
   * The newest events that the follower wants, as they were seen, oldest first; events that it has taken are dropped.
   */
  readonly marks: Mark[];
  /** The position up to which it is known which events the follower wants. */
  seen: string;
  lag: Lag;
}

interface FollowersOptions {
  store: Pick<EventStore, 'end' | 'readAll' | 'readStream'>;
  /** The time of day, in milliseconds since 1970. */
  now: () => number;
  /** Milliseconds that only go forwards. */
  clock: () => number;
}

/**
 * Compares followers with the record. It trusts neither the follower nor the store's subscription: it reads the record
 * from its end, and a follower must have taken every event there that it wants.
 *
 * @example
 * const remove = followers.add({ name: 'audit', delivered: () => last });
 * await followers.look();
 * followers.lags();
 */
export class Followers {
  readonly #options: FollowersOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #present = new Set<Followed>();
  readonly #readOrigin: () => Promise<string | undefined>;
  #reached = true;

  constructor(options: FollowersOptions) {
    this.#options = options;
    this.#readOrigin = originReader(options.store);
  }

  /**
   * Adds a follower from the next look on. Returns a function that removes it. A follower that is added again under its
   * name counts as the same, so the time that it has been behind goes on.
   */
  add(follower: Follower): () => void {
    const { name } = follower;
    const lag = { name, seconds: 0, events: 0, behind: false };
    const followed = this.#followed.get(name) ?? { follower, marks: [], seen: '', lag };
    followed.follower = follower;
    this.#followed.set(name, followed);
    this.#present.add(followed);
    return () => {
      if (followed.follower === follower) this.#present.delete(followed);
    };
  }

  lags(): Lag[] {
    return [...this.#present].map(({ lag }) => lag);
  }

  /** How far this follower is behind. @throws {BelegError} `SERVICE_UNAVAILABLE` if no follower has that name */
  lag(name: string): Lag {
    const lag = this.lags().find((each) => each.name === name);
    if (lag === undefined) throw new BelegError('SERVICE_UNAVAILABLE');
    return lag;
  }

  /** False if the last look could not read the record. */
  get reached(): boolean {
    return this.#reached;
  }

  /** Reads the record. While the record is away nobody counts as behind, and the time does not run. */
  async look(): Promise<void> {
    try {
      await this.#look();
      this.#reached = true;
    } catch (error) {
      if (!isBelegError(error)) throw error;
      this.#reached = false;
      for (const each of this.#present) {
        for (const mark of each.marks) mark.since = Infinity;
        // The record could not be read here. If it is damaged, a follower has met the damage too and can report it.
        const fault = each.follower.fault?.() ?? undefined;
        if (fault !== undefined) each.lag = { ...each.lag, fault };
      }
    }
  }

  async #look(): Promise<void> {
    const followed = [...this.#present];
    const { store, clock } = this.#options;
    if (followed.length === 0) return;
    // The places are read before the end of the record, so that events taken meanwhile do not seem to be beyond the
    // end.
    const places = followed.map(({ follower }) => follower.delivered());
    const end = await store.end();
    const origin = await this.#readOrigin();
    const ahead = new Set(followed.filter((_, i) => places[i] !== '' && !hasPlace(end, places[i]!)));
    // The place of a follower may be beyond `end`, because it has gone on since `end` was read. This is no fault.
    const deliveredBy = (each: Followed): string => (ahead.has(each) ? '' : each.follower.delivered());
    await this.#mark(followed, deliveredBy);
    for (const each of followed) {
      const { follower } = each;
      if (ahead.has(each)) follower.onLostPlace?.();
      else if (origin !== undefined) follower.onOrigin?.(origin);
      const fault = ahead.has(each) ? 'ahead_of_record' : (follower.fault?.() ?? undefined);
      const delivered = deliveredBy(each);
      const taken = each.marks.findIndex(({ position }) => position > delivered);
      each.marks.splice(0, taken === -1 ? each.marks.length : taken);
      for (const mark of each.marks) mark.since = Math.min(mark.since, clock());
      each.lag = {
        ...(await this.#measure(each, delivered)),
        ...given({ fault }),
        ...follower.published?.(),
      };
    }
  }

  /**
   * Finds the newest event that each follower wants. Reads backwards from the end of the record, up to the position
   * that was known before.
   */
  async #mark(followed: readonly Followed[], deliveredBy: (each: Followed) => string): Promise<void> {
    const { store, clock } = this.#options;
    const open = new Map(followed.map((each) => [each, each.seen === '' ? deliveredBy(each) : each.seen]));
    let newest: Position | undefined;
    let looked = 0;
    for await (const event of store.readAll({ direction: 'backwards' })) {
      newest ??= event.position;
      for (const [each, known] of open) {
        if (event.position <= known) open.delete(each);
        else if (each.follower.types?.includes(event.type) ?? true) {
          open.delete(each);
          each.marks.push({ position: event.position, since: clock() });
          if (each.marks.length > MOST_MARKS) each.marks.splice(-2, 1);
        }
      }
      if (open.size === 0 || ++looked === MOST_LOOKED_AT) break;
    }
    for (const each of followed) each.seen = newest ?? each.seen;
  }

  async #measure({ follower, marks }: Followed, delivered: string): Promise<Lag> {
    const { store, now, clock } = this.#options;
    const { name, types } = follower;
    const [first] = marks;
    if (first === undefined) return { name, seconds: 0, events: 0, behind: false };
    let events = 0;
    let oldest: RecordedEvent | undefined;
    for await (const event of store.readAll({ direction: 'backwards', types, limit: MOST_COUNTED })) {
      if (event.position <= delivered) break;
      events += 1;
      oldest = event;
    }
    const waited = clock() - first.since;
    const age = oldest === undefined ? 0 : now() - Date.parse(oldest.metadata.at);
    return {
      name,
      seconds: Math.round(Math.max(waited, age || 0) / 100) / 10,
      events,
      ...(events === MOST_COUNTED ? { at_least: true as const } : {}),
      behind: waited >= BEHIND_MS,
    };
  }
}
