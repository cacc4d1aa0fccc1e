import { evolve } from '../../../actors/trading/evolve.ts';
import { initialState, type AccountState } from '../../../actors/trading/state.ts';
import type { AccountEvent } from '../../../events/catalog/catalog.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import type { Codec } from '../../../events/define.ts';
import { NO_STREAM, type EventStore, type NewEvent, type Position } from '../../../events/store/store.ts';
import type { Snapshots } from './snapshots.ts';

/** An account as far as its stream goes. */
export interface Loaded {
  readonly state: AccountState;
  readonly revision: bigint;
  /** Of its last event; `null` for an account without any. */
  readonly position: Position | null;
}

export interface AccountLogOptions {
  readonly store: EventStore;
  readonly codec: Codec;
  readonly account: string;
  readonly snapshots: Snapshots;
}

/** The stream of one account: read from the last snapshot on, written with an exact revision. */
export class AccountLog {
  readonly stream: string;
  readonly #options: AccountLogOptions;

  constructor(options: AccountLogOptions) {
    this.#options = options;
    this.stream = accountStream(options.account);
  }

  /**
   * Folds the stream; `onEvent` sees the events after `since`. Rejects with `STORE_UNAVAILABLE`, or `STREAM_CORRUPT` for
   * events that cannot follow each other.
   */
  async load(
    since: bigint = NO_STREAM,
    onEvent: (event: AccountEvent) => void = () => undefined,
  ): Promise<Loaded> {
    const { store, codec } = this.#options;
    let { state, revision, position } = (await this.#fromSnapshot(since)) ?? {
      state: initialState(),
      revision: NO_STREAM,
      position: null,
    };
    for await (const recorded of store.readStream(this.stream, { from: revision + 1n })) {
      const event = (await codec.decode(recorded)) as AccountEvent | undefined;
      ({ revision, position } = recorded);
      if (event === undefined) continue;
      state = evolve(state, event);
      if (revision > since) onEvent(event);
    }
    return { state, revision, position };
  }

  encode(events: readonly AccountEvent[]): Promise<NewEvent[]> {
    return Promise.all(events.map((event) => this.#options.codec.encode(event)));
  }

  append(expectedRevision: bigint, events: readonly NewEvent[]) {
    return this.#options.store.append(this.stream, expectedRevision, events);
  }

  /** Rejects with `STORE_UNAVAILABLE` while nothing can be written. */
  ping(): Promise<void> {
    return this.#options.store.ping();
  }

  /** A snapshot counts where this stream has the very event that it was taken after. */
  async #fromSnapshot(since: bigint): Promise<Loaded | undefined> {
    const { store, snapshots } = this.#options;
    const snapshot = await snapshots.read();
    if (snapshot === undefined || (since !== NO_STREAM && snapshot.revision > since)) return undefined;
    const { state, revision, eventId } = snapshot;
    for await (const event of store.readStream(this.stream, { from: revision, limit: 1 })) {
      if (event.id === eventId) return { state, revision, position: event.position };
    }
    return undefined;
  }
}
