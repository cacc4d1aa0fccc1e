import type { Codec } from '../../events/define.ts';
import { isBelegError, BelegError } from '../../events/errors.ts';
import { NO_STREAM, type EventStore } from '../../events/store/store.ts';
import { Turns } from '../../events/turns.ts';
import type { CallContext } from '../../events/messages/define.ts';
import { createEvents } from '../events.ts';

interface Draft {
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** How a stream is decided on. */
export interface Decider<State, Command, Event extends Draft> {
  readonly initialState: State;
  readonly decide: (command: Command, state: State) => readonly Event[];
  readonly evolve: (state: State, event: Event) => State;
}

export interface RecordOptions {
  readonly store: EventStore;
  readonly codec: Codec;
  readonly now: () => Date;
}

/** An append that an earlier one, of unknown outcome, has forestalled is made anew; more often than this is no accident. */
const MAX_TRIES = 4;

/**
 * The one writer of a stream. An append that failed with `STORE_UNAVAILABLE` may have landed, or land late: the next
 * command reads on first, and takes for its own what it has tried. Whatever else stands there is another process's.
 */
export class StreamRecord<State, Command, Event extends Draft> {
  readonly stream: string;
  readonly #decider: Decider<State, Command, Event>;
  readonly #options: RecordOptions;
  readonly #listeners = new Set<(event: Event) => void>();
  readonly #turns = new Turns();
  /** Ids of events of which it is not known whether they are on record. */
  readonly #attempted = new Set<string>();
  /** Calls whose append was said to have failed, and has landed. */
  readonly #landed = new Set<string>();
  #state: State;
  #revision = NO_STREAM;

  private constructor(stream: string, decider: Decider<State, Command, Event>, options: RecordOptions) {
    this.stream = stream;
    this.#decider = decider;
    this.#options = options;
    this.#state = decider.initialState;
  }

  /** Reads the stream. Rejects with `STORE_UNAVAILABLE`, or `STREAM_CORRUPT` for a record that does not add up. */
  static async open<State, Command, Event extends Draft>(
    stream: string,
    decider: Decider<State, Command, Event>,
    options: RecordOptions,
  ): Promise<StreamRecord<State, Command, Event>> {
    const record = new StreamRecord(stream, decider, options);
    await record.#readOn(() => true);
    return record;
  }

  /** As recorded. */
  get state(): State {
    return this.#state;
  }

  /** Told of each event once it is on record. */
  follow(listener: (event: Event) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** What is so far not known to be on record, or not, is known then. Rejects as `submit` does. */
  refresh(): Promise<void> {
    return this.#turns.run(this.stream, () => this.#readWhatWasTried());
  }

  /**
   * Decides and appends, one command after the other; the same call again is done once. Rejects with what speaks against
   * the command, with `STORE_UNAVAILABLE`, or with `WRONG_EXPECTED_REVISION` where another process has written.
   */
  submit(command: Command, call: CallContext): Promise<void> {
    return this.#turns.run(this.stream, async () => {
      for (let tries = 1; ; tries++) {
        await this.#readWhatWasTried();
        if (this.#landed.delete(call.callId)) return;
        try {
          await this.#append(this.#decider.decide(command, this.#state), call);
          return;
        } catch (error) {
          if (!isBelegError(error, 'WRONG_EXPECTED_REVISION') || tries === MAX_TRIES) throw error;
        }
      }
    });
  }

  async #append(drafts: readonly Event[], call: CallContext): Promise<void> {
    if (drafts.length === 0) return;
    const { store, codec, now } = this.#options;
    const { stream } = this;
    const events = createEvents(
      drafts,
      {
        stream,
        at: now().toISOString(),
        correlationId: call.correlationId,
        causationId: call.callId,
        traceparent: call.trace?.traceparent,
        key: stream,
      },
      { redact: false },
    );
    const encoded = await Promise.all(events.map((event) => codec.encode(event)));
    for (const { id } of encoded) this.#attempted.add(id);
    const { revision } = await store.append(stream, this.#revision, encoded);
    // Nothing that expected an earlier revision can land any more.
    this.#attempted.clear();
    this.#revision = revision;
    for (const draft of drafts) this.#take(draft);
  }

  async #readWhatWasTried(): Promise<void> {
    if (this.#attempted.size > 0) await this.#readOn((id) => this.#attempted.has(id));
  }

  async #readOn(isOwn: (id: string) => boolean): Promise<void> {
    const { store, codec } = this.#options;
    for await (const stored of store.readStream(this.stream, { from: this.#revision + 1n })) {
      if (!isOwn(stored.id)) {
        throw new BelegError('WRONG_EXPECTED_REVISION', { detail: 'another process has written' });
      }
      const event = (await codec.decode(stored)) as Event | undefined;
      this.#revision = stored.revision;
      if (this.#attempted.has(stored.id)) this.#landed.add(stored.metadata.$causationId);
      if (event !== undefined) this.#take({ type: event.type, data: event.data } as Event);
    }
  }

  #take(event: Event): void {
    this.#state = this.#decider.evolve(this.#state, event);
    for (const listener of this.#listeners) listener(event);
  }
}
