import {
  decide,
  evolve,
  initialState,
  type ErasureDraft,
  type ErasuresState,
} from '../../../actors/erasure/erasure.ts';
import { ERASURES_STREAM } from '../../../events/catalog/audit.ts';
import type { ErasureEvent } from '../../../events/catalog/catalog.ts';
import type { Codec, EventCause } from '../../../events/define.ts';
import { NO_STREAM, type EventStore, type Position } from '../../../events/store/store.ts';
import type { Vault } from '../../../events/vault/vault.ts';
import { retryOnConflict } from '../../append.ts';
import { createEvents } from '../../events.ts';
import { stateHashOf, type StateHashes } from '../../state-hashes.ts';
import type { AuditLines } from '../lines.ts';

/** Events of one append: with the longest reasons they stay below its 1 MiB. */
const MAX_APPEND = 250;

export interface ErasureOptions {
  store: EventStore;
  vault: Vault;
  codec: Codec;
  lines: AuditLines;
  now: () => Date;
}

export interface ErasureToRequest {
  readonly requestId: string;
  readonly reason: string;
  readonly by: 'operator' | 'retention';
  readonly correlationId: string;
  /** Another one for each request. */
  readonly callId: string;
  readonly traceparent?: string | undefined;
}

/** How far the stream goes that this process knows. */
interface Known {
  state: ErasuresState;
  revision: bigint;
  position: Position | undefined;
}

/**
 * The one writer of the stream `erasures`: intent, then the keys, then that they are gone. Each step can be done again,
 * by another process too: whatever fails, the stream is read again before the next one.
 */
export class Erasures {
  readonly #options: ErasureOptions;
  #known: Promise<Known> | undefined;

  constructor(options: ErasureOptions) {
    this.#options = options;
  }

  /**
   * Erases the text of these requests, which are on record, and of all others that were asked for and not done. Resolves
   * when their keys are gone and that is on record.
   */
  settle(requests: readonly ErasureToRequest[]): Promise<void> {
    return retryOnConflict(async () => {
      const known = await this.#load();
      try {
        await this.#request(known, requests);
        await this.#complete(known);
      } catch (error) {
        // What was sent may stand all the same.
        this.#known = undefined;
        throw error;
      }
    });
  }

  /** When it was erased (ISO 8601), as far as `settle` has read. */
  async erasedAt(requestId: string): Promise<string | undefined> {
    return (await this.#load()).state.erased.get(requestId);
  }

  /** How many events there are, and where the last one stands; `undefined` where there is none. */
  async end(): Promise<{ events: number; position: Position } | undefined> {
    const { revision, position } = await this.#load();
    return position === undefined ? undefined : { events: Number(revision) + 1, position };
  }

  /** As far as `settle` has read. */
  async stateHashes(): Promise<StateHashes> {
    const { state, position } = await this.#load();
    return position === undefined ? {} : stateHashOf(ERASURES_STREAM, state);
  }

  async #request(known: Known, requests: readonly ErasureToRequest[]): Promise<void> {
    const once = new Map(requests.map((request) => [request.requestId, request]));
    const events = [...once.values()].flatMap((request) => {
      const { requestId: request_id, reason, by } = request;
      const drafts = decide({ type: 'RequestErasure', request_id, reason, by }, known.state);
      return this.#stamp(drafts, {
        correlationId: request.correlationId,
        causationId: request.callId,
        traceparent: request.traceparent,
      });
    });
    await this.#append(known, events);
  }

  async #complete(known: Known): Promise<void> {
    const pending = [...known.state.pending];
    await Promise.all(pending.map(([requestId]) => this.#options.vault.erase(requestId)));
    const events = pending.flatMap(([request_id, { id, correlationId }]) =>
      this.#stamp(decide({ type: 'CompleteErasure', request_id }, known.state), {
        correlationId,
        causationId: id,
      }),
    );
    await this.#append(known, events);
  }

  #stamp(
    drafts: readonly ErasureDraft[],
    cause: Pick<EventCause, 'correlationId' | 'causationId' | 'traceparent'>,
  ): ErasureEvent[] {
    const at = this.#options.now().toISOString();
    // None of their text is free: no key.
    return createEvents(
      drafts,
      { ...cause, stream: ERASURES_STREAM, at, key: '' },
      { redact: false },
    ) as ErasureEvent[];
  }

  async #append(known: Known, events: readonly ErasureEvent[]): Promise<void> {
    const { store, codec, lines } = this.#options;
    for (let start = 0; start < events.length; start += MAX_APPEND) {
      const part = events.slice(start, start + MAX_APPEND);
      const encoded = await Promise.all(part.map((event) => codec.encode(event)));
      const { position } = await store.append(ERASURES_STREAM, known.revision, encoded);
      for (const event of part) {
        known.revision += 1n;
        known.state = evolve(known.state, event);
        lines(event, known.revision);
      }
      known.position = position;
    }
  }

  #load(): Promise<Known> {
    if (this.#known === undefined) {
      const reading = this.#read();
      this.#known = reading;
      reading.catch(() => (this.#known = undefined));
    }
    return this.#known;
  }

  async #read(): Promise<Known> {
    const known: Known = { state: initialState(), revision: NO_STREAM, position: undefined };
    for await (const recorded of this.#options.store.readStream(ERASURES_STREAM)) {
      const event = (await this.#options.codec.decode(recorded)) as ErasureEvent | undefined;
      if (event !== undefined) known.state = evolve(known.state, event);
      known.revision = recorded.revision;
      known.position = recorded.position;
    }
    return known;
  }
}
