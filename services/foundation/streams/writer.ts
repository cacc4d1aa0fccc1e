import type { StreamDefinition } from '../../../actors/streams/define-stream.ts';
import { CATALOG } from '../../../events/catalog/catalog.ts';
import { createSealedDecoder, type Codec, type DomainEvent } from '../../../events/define.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';
import type { CallContext } from '../../../events/messages/define.ts';
import { Recent } from '../../../events/bounded-map.ts';
import { NO_STREAM, type EventStore, type NewEvent, type Position } from '../../../events/store/store.ts';
import { systemClock, type Clock } from '../clock.ts';
import { appendParts, isTooLarge, whileAway, type Parts, type Target } from './append.ts';
import { eventsOf } from './stamp-events.ts';
import { Entry, type Work } from './waiting-entry.ts';

type AnyEvent = DomainEvent<string, unknown>;

/** An event on record with its place in its stream. `repeated`: an earlier attempt of the same call has recorded it. */
export type Recorded<Event> = Event & { readonly revision: bigint; readonly repeated?: true };

/** The writer of streams of a kind. */
export type WriterOf<Definition> =
  Definition extends StreamDefinition<infer State, infer Command, infer Event, infer Context>
    ? StreamWriter<State, Command, Event, Context>
    : never;

/** The state of a stream, and the event up to which it was read. */
export interface Loaded<State> {
  readonly state: State;
  readonly revision: bigint;
  /** The position of the stream's last event; `null` if there is none, or if the position was not read. */
  readonly position: Position | null;
}

export interface StreamWriterOptions<State, Context> {
  readonly store: Pick<EventStore, 'append' | 'readStream'>;
  readonly codec: Pick<Codec, 'encode' | 'confirm'>;
  readonly now: () => Date;
  /** The clock for back-off and deadlines. */
  readonly clock?: Clock;
  /** Further input of `decide`. */
  readonly context: Context;
  /**
   * Whether others write to the stream as well. Then their events are read, and the command is decided again. Otherwise
   * such a write ends this writer.
   */
  readonly shared?: boolean;
  /** Whether callers get `STORE_UNAVAILABLE` at the first failure, because they try again themselves. */
  readonly hasty?: boolean;
  /** Whether free text is dropped before it goes anywhere. */
  readonly redact?: boolean;
  /** The number of newest events that are known by id, so that a repeated call gets the reply of the first. */
  readonly remembered?: number;
  /** The state to begin with: a snapshot, by default the start of the stream. Events after it are read. */
  readonly begin?: () => Promise<Loaded<State> | undefined>;
  /** Called once if the writer cannot go on: another holder has written, or the record is corrupt. */
  readonly onLost?: ((error: unknown) => void) | undefined;
  /** Called once each time that the store goes away; what it returns is called when the store answers again. */
  readonly onAway?: ((error: unknown) => () => void) | undefined;
}

interface Decision<Command, Event> {
  readonly entry: Entry<Command, Event>;
  readonly events: readonly Event[];
  /** The revisions at which an earlier attempt of the same call has recorded its events. */
  readonly places?: readonly bigint[];
  /** Why the command was refused. */
  readonly error?: unknown;
}

/** The most entries that may wait. Further callers get `OVERLOADED`. */
const MAX_WAITING = 10_000;
/** The most commands that are decided together. */
const MAX_BATCH = 256;
/** The most writers of one stream that can collide and still all succeed. */
const MAX_CONFLICTS = 16;
const REMEMBERED = 10_000;

/** The ending of the id of a command that takes back the events of a call. */
const UNDONE = '/undone';

/** The context for reads without a caller. */
const NOBODY: CallContext = { correlationId: '', callId: '' };

/** Events are decoded without their free text, because no decision depends on it. */
const decode = createSealedDecoder(CATALOG);

/**
 * The writer of a stream. Commands that wait when an append has ended are decided together, each on the state that the
 * previous one left, and go into the next append with the exact revision, which is held in memory: nothing is read
 * before. No decision is published before its append is on disk. A refused command fails alone; a repeated call has its
 * effect once.
 *
 * `append.ts` finds out the outcome of an append before anything else is appended. If a caller's deadline comes
 * meanwhile, the caller is told `STORE_UNAVAILABLE`; if its events are then found on record, the commands that its kind
 * of stream has for taking them back follow before anyone sees them. (If the process dies between the two, the events
 * stay.)
 */
export class StreamWriter<State, Command, Event extends AnyEvent, Context> {
  readonly stream: string;
  readonly #definition: StreamDefinition<State, Command, Event, Context>;
  readonly #options: StreamWriterOptions<State, Context>;
  readonly #clock: Clock;
  readonly #closing = new AbortController();
  readonly #listeners = new Set<(events: readonly Recorded<Event>[]) => void>();
  readonly #queue: Entry<Command, Event>[] = [];
  #inFlight: readonly Entry<Command, Event>[] = [];
  readonly #target: Target;
  /** The revisions of the newest events by id, and of the calls that took events back. */
  readonly #places: Recent<string, bigint>;
  #loaded: Loaded<State>;
  #waiting = 0;
  #conflicts = 0;
  /** Events that are decided and wait for the next append. */
  #deferred: readonly Event[] = [];
  #running: Promise<void> | undefined;
  #lost = false;

  /** The stream is assumed to be new; the first append finds out whether it is. */
  constructor(
    definition: StreamDefinition<State, Command, Event, Context>,
    stream: string,
    options: StreamWriterOptions<State, Context>,
    from: Loaded<State> = { state: definition.initial(), revision: NO_STREAM, position: null },
  ) {
    this.#definition = definition;
    this.stream = stream;
    this.#options = options;
    this.#places = new Recent(options.remembered ?? REMEMBERED);
    this.#clock = options.clock ?? systemClock;
    this.#loaded = from;
    this.#target = {
      store: options.store,
      stream,
      clock: this.#clock,
      signal: this.#closing.signal,
      onAway: options.onAway,
      onFailure: (error: unknown) => {
        if (options.hasty !== true) return;
        for (const entry of [...this.#inFlight, ...this.#queue]) entry.giveUp(error);
      },
    };
  }

  /** Reads the stream. Rejects with `STORE_UNAVAILABLE`, or with `STREAM_CORRUPT` for a corrupt record. */
  static async open<State, Command, Event extends AnyEvent, Context>(
    definition: StreamDefinition<State, Command, Event, Context>,
    stream: string,
    options: StreamWriterOptions<State, Context>,
  ): Promise<StreamWriter<State, Command, Event, Context>> {
    const writer = new StreamWriter(definition, stream, options);
    await writer.#load(true);
    return writer;
  }

  /**
   * The state on record. A kind that evolves in place may be ahead by the append in flight; a listener sees it as
   * recorded.
   */
  get state(): State {
    return this.#loaded.state;
  }

  get revision(): bigint {
    return this.#loaded.revision;
  }

  /** The position of the last event, for callers that want to read their own write. */
  get position(): Position | null {
    return this.#loaded.position;
  }

  /** The number of commands that wait. */
  get waiting(): number {
    return this.#waiting;
  }

  /** True if nothing is being written. */
  get isIdle(): boolean {
    return this.#running === undefined && !this.#lost;
  }

  /** True if the writer cannot go on. */
  get isLost(): boolean {
    return this.#lost;
  }

  /** Calls the listener with recorded events, in order. The listener must not throw. */
  follow(listener: (events: readonly Recorded<Event>[]) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Resolves with the events of the command once they are on record; with none if nothing had to change. Rejects with
   * the reason of a refusal, with `OVERLOADED`, or at the caller's deadline with `STORE_UNAVAILABLE`.
   */
  submit(command: Command, call: CallContext): Promise<readonly Recorded<Event>[]> {
    return this.#enqueue({ command }, call);
  }

  /**
   * Records events that are true whatever else happened in the stream. Each is recorded once, however often it is
   * given. If one of the events `unless` is on record, none is appended, and this resolves with that event.
   */
  async append(
    sealed: readonly NewEvent[],
    call: CallContext,
    unless: readonly string[] = [],
  ): Promise<readonly Recorded<Event>[]> {
    const { stream } = this;
    const place = { stream, revision: NO_STREAM, position: '' as Position };
    const events = sealed.map(({ metadata, ...event }) =>
      decode({ ...event, ...place, metadata: { ...metadata, hash: '' } }),
    );
    return this.#enqueue({ events: events as unknown[] as Event[], sealed, unless }, call);
  }

  /**
   * The result of `view` over the state after all earlier commands are on record and, for a shared stream, after the
   * newest writes of others. Rejects as `submit` does.
   */
  async read<T>(view: (state: State) => T, call: CallContext = NOBODY): Promise<T> {
    let seen: (() => T) | undefined;
    const look = (): void => {
      try {
        const found = view(this.state);
        seen = () => found;
      } catch (error) {
        seen = () => {
          throw error;
        };
      }
    };
    await this.#enqueue({ events: [], sealed: [], look }, call);
    return seen!();
  }

  /** Finishes accepted commands, unless the store is away, and accepts no more. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#running;
  }

  async #enqueue(work: Work<Command, Event>, call: CallContext): Promise<readonly Recorded<Event>[]> {
    if (this.#lost || this.#closing.signal.aborted) throw new BelegError('SERVICE_UNAVAILABLE');
    if (this.#waiting >= MAX_WAITING && call.deadline !== undefined) {
      throw new BelegError('OVERLOADED', { retryAfter: 1 });
    }
    const entry = new Entry(work, call, this.#clock);
    this.#queue.push(entry);
    // Begins after this turn of the event loop, so that commands that arrive together are written together.
    this.#running ??= new Promise((resolve) => setImmediate(resolve)).then(() => this.#run());
    this.#waiting += 1;
    try {
      return (await entry.outcome) as readonly Recorded<Event>[];
    } finally {
      this.#waiting -= 1;
    }
  }

  async #run(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        const recorded = await this.#writeNext(this.#queue);
        if (recorded.length > 0) for (const listener of this.#listeners) listener(recorded);
      }
    } catch (error) {
      this.#lost = true;
      for (const entry of this.#queue.splice(0)) entry.fail(error);
      if (!this.#closing.signal.aborted) this.#options.onLost?.(error);
    } finally {
      this.#running = undefined;
    }
  }

  /**
   * Writes the next batch and returns the recorded events, including those that take back events whose caller was told
   * that they could not be recorded. Rejects if the writer cannot go on.
   */
  async #writeNext(queue: Entry<Command, Event>[]): Promise<Recorded<Event>[]> {
    const { decisions, ahead } = await this.#decideNext(queue);
    this.#inFlight = decisions.map(({ entry }) => entry);
    let sealed: readonly (readonly NewEvent[] | null)[] = [];
    try {
      sealed = await Promise.all(decisions.map((decision) => this.#seal(decision)));
      if (isWhole(sealed)) {
        const recorded = await this.#append(decisions, sealed, ahead);
        const undo = decisions.flatMap((decision) => this.#undo(decision));
        // A decision without events may depend on events that are taken back, so it is made again afterwards.
        const mayRestOnIt = ({ events }: Decision<Command, Event>) => undo.length > 0 && events.length === 0;
        for (const decision of decisions) if (!mayRestOnIt(decision)) this.#answer(decision);
        queue.unshift(...decisions.filter(mayRestOnIt).map(({ entry }) => entry));
        while (undo.length > 0) recorded.push(...(await this.#writeNext(undo)));
        return recorded;
      }
    } catch (error) {
      const isConflict = isBelegError(error, 'WRONG_EXPECTED_REVISION');
      if (isConflict ? this.#options.shared !== true : isBelegError(error, 'STORE_UNAVAILABLE')) {
        queue.unshift(...this.#inFlight);
        throw error;
      }
      if (!isConflict) {
        // Only events of this append can be refused for good; later events wait for the next one.
        const oversized = this.#inFlight.filter((_, index) => sealed[index]?.some(isTooLarge));
        for (const entry of oversized.length > 0 ? oversized : this.#inFlight) entry.fail(error);
      } else if (++this.#conflicts >= MAX_CONFLICTS) {
        this.#conflicts = 0;
        for (const entry of this.#inFlight) entry.fail(error);
      }
    }
    queue.unshift(...this.#inFlight);
    await this.#loadAgain(queue, this.#definition.inPlace);
    return [];
  }

  /**
   * Decides each command on the state that the previous one leaves. If the record does not allow the result, the stream
   * is read again first.
   */
  async #decideNext(
    queue: Entry<Command, Event>[],
  ): Promise<{ decisions: Decision<Command, Event>[]; ahead: State }> {
    const definition = this.#definition;
    const { shared = false } = this.#options;
    const decisions: Decision<Command, Event>[] = [];
    let ahead = this.state;
    const decided = new Set<string>();
    while (queue.length > 0 && decisions.length < MAX_BATCH) {
      const entry = queue.shift()!;
      if (!entry.isWaiting) continue;
      const deferred = this.#deferred;
      const decision = this.#withDeferred(this.#decide(entry, ahead), ahead);
      if (decision.events.some(({ id }) => decided.has(id))) {
        // This is the same call again: its answer is on record after this append.
        queue.unshift(entry);
        break;
      }
      if (shared && !entry.isFresh && decision.events.length === 0 && decision.places === undefined) {
        // Without an append nobody would notice what others have written meanwhile.
        queue.unshift(entry);
        if (decided.size > 0) break;
        await this.#loadAgain(queue, false);
        ahead = this.state;
        continue;
      }
      try {
        for (const event of decision.events) {
          if (!deferred.includes(event)) ahead = definition.evolve(ahead, event);
        }
      } catch (error) {
        if (!shared || entry.isFresh) entry.fail(error);
        queue.unshift(...decisions.splice(0).map((decided) => decided.entry), entry);
        await this.#loadAgain(queue, definition.inPlace);
        ahead = this.state;
        decided.clear();
        continue;
      }
      for (const { id } of decision.events) decided.add(id);
      decisions.push(decision);
    }
    return { decisions, ahead };
  }

  /**
   * Events that only say that nothing happened wait until another event is recorded. If the process ends before, they
   * are lost.
   */
  #withDeferred(decision: Decision<Command, Event>, state: State): Decision<Command, Event> {
    const { events } = decision;
    if (events.length === 0) return decision;
    if (this.#definition.defers?.(events, state) === true) {
      this.#deferred = events;
      for (const event of events) this.#definition.evolve(state, event);
      return { ...decision, events: [] };
    }
    const before = this.#deferred;
    this.#deferred = [];
    return { ...decision, events: [...before, ...events] };
  }

  #decide(entry: Entry<Command, Event>, state: State): Decision<Command, Event> {
    try {
      const { work, call } = entry;
      const unless = 'events' in work ? (work.unless ?? []) : [];
      const instead = unless.flatMap((id) => this.#places.get(id) ?? []);
      if (instead.length > 0) return { entry, events: [], places: instead };
      const events =
        'events' in work
          ? work.events
          : eventsOf(this.#definition, work.command, state, { ...this.#options, stream: this.stream, call });
      const places = events.flatMap(({ id }) => this.#places.get(id) ?? []);
      if (places.length === 0) return { entry, events };
      // The caller gets the same reply again.
      if (this.#places.get(`${call.callId}${UNDONE}`) !== undefined)
        throw new BelegError('STORE_UNAVAILABLE', { retryAfter: 1 });
      // A decision that was divided into several appends may be on record in part.
      if (places.length < events.length)
        return { entry, events: events.filter(({ id }) => this.#places.get(id) === undefined) };
      return { entry, events: [], places };
    } catch (error) {
      return { entry, events: [], error };
    }
  }

  /** Encrypts the events; `null` if that fails. The caller has the reason by then. */
  async #seal({ entry, events }: Decision<Command, Event>): Promise<readonly NewEvent[] | null> {
    const { work } = entry;
    if ('sealed' in work) return work.sealed.filter(({ id }) => events.some((event) => event.id === id));
    try {
      return await Promise.all(events.map((event) => this.#options.codec.encode(event)));
    } catch (error) {
      entry.fail(error);
      return null;
    }
  }

  async #append(
    decisions: readonly Decision<Command, Event>[],
    sealed: Parts,
    ahead: State,
  ): Promise<Recorded<Event>[]> {
    const parts = sealed.filter(({ length }) => length > 0);
    if (parts.length === 0) return [];
    const { revision, position } = await appendParts(this.#target, this.revision, parts);
    let next = this.revision;
    const recorded = decisions.flatMap(({ events }) =>
      events.map((event) => Object.assign(event, { revision: (next += 1n) })),
    );
    this.#loaded = { state: ahead, revision, position };
    this.#conflicts = 0;
    for (const event of recorded) this.#remember(event, event.revision);
    this.#options.codec.confirm(parts.flat());
    return recorded;
  }

  #answer({ entry, events, places, error }: Decision<Command, Event>): void {
    if ('look' in entry.work) entry.work.look?.();
    if (error !== undefined) entry.fail(error);
    else if (places !== undefined)
      this.#readBack(places).then(
        (found) => entry.succeed(found),
        (fault: unknown) => entry.fail(fault),
      );
    else entry.succeed(events);
  }

  /** Makes the work that takes back events whose caller was told that they could not be recorded. */
  #undo({ entry, events }: Decision<Command, Event>): Entry<Command, Event>[] {
    if (!entry.hasGivenUp) return [];
    const { callId, deadline: _, ...call } = entry.call;
    const undo = this.#definition.undo?.(events) ?? [];
    return undo.map((command) => {
      const undone = new Entry<Command, Event>(
        { command },
        { ...call, callId: `${callId}${UNDONE}` },
        this.#clock,
      );
      // Nobody waits for the outcome of a command that takes events back.
      undone.outcome.catch(() => undefined);
      return undone;
    });
  }

  async #readBack(places: readonly bigint[]): Promise<readonly Recorded<Event>[]> {
    const found: Recorded<Event>[] = [];
    for (const from of places) {
      for await (const stored of this.#options.store.readStream(this.stream, { from, limit: 1 })) {
        const event = decode(stored) as Event | undefined;
        if (event !== undefined)
          found.push(Object.assign(event, { revision: stored.revision, repeated: true as const }));
      }
    }
    return found;
  }

  async #loadAgain(queue: readonly Entry<Command, Event>[], anew: boolean): Promise<void> {
    // Commands that arrive meanwhile may come after writes of others that this reading does not see.
    const before = [...queue];
    await whileAway(() => this.#load(anew), this.#target);
    for (const entry of before) entry.isFresh = true;
  }

  async #load(anew: boolean): Promise<void> {
    const { store, begin } = this.#options;
    this.#deferred = [];
    const empty = () => ({ state: this.#definition.initial(), revision: NO_STREAM, position: null });
    let loaded = anew ? ((await begin?.()) ?? empty()) : this.#loaded;
    for await (const stored of store.readStream(this.stream, { from: loaded.revision + 1n })) {
      const event = decode(stored) as Event | undefined;
      const { revision, position } = stored;
      const state = event === undefined ? loaded.state : this.#definition.evolve(loaded.state, event);
      loaded = { state, revision, position };
      // A stream that is read again is shown only when it is complete, because a part of it is not the present state.
      if (!anew) this.#loaded = loaded;
      this.#remember(stored, revision);
    }
    this.#loaded = loaded;
  }

  #remember({ id, metadata }: Pick<AnyEvent, 'id' | 'metadata'>, revision: bigint): void {
    this.#places.set(id, revision);
    if (metadata.$causationId.endsWith(UNDONE)) this.#places.set(metadata.$causationId, revision);
  }
}

const isWhole = (sealed: readonly (readonly NewEvent[] | null)[]): sealed is Parts =>
  sealed.every((events) => events !== null);
