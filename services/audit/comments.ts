import { COMMENTS_STREAM, CommentRecorded } from '../../events/catalog/feedback.ts';
import type { Codec } from '../../events/define.ts';
import { NO_STREAM, type EventStore, type NewEvent } from '../../events/store/store.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { confirmKeys, retryOnConflict } from '../append.ts';
import { stateHashOf, type StateHashes } from '../state-hashes.ts';
import type { AuditLines } from './lines.ts';

/** Comments of one append: 48 of the longest, sealed, stay below the 1 MiB of an append. */
const BATCH = 48;
/** Comments whose calls are remembered, so that a repeated call gets its first comment's id again. */
const REMEMBERED = 10_000;

export interface CommentToRecord {
  readonly requestId: string;
  readonly comment: string;
  readonly correlationId: string;
  readonly callId: string;
  readonly traceparent?: string | undefined;
  /** ISO 8601. */
  readonly at: string;
}

interface Waiting {
  readonly event: ReturnType<typeof toEvent>;
  readonly encoded: NewEvent;
  readonly resolve: (commentId: number) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The one writer of the stream `comments`. It queues, appends a batch at a time and derives each id from the place
 * in the stream: revision + 1, so that ids run 1, 2, 3 … without a gap, however many come at once.
 *
 * Where another process has written in between (each believes it holds the lease), the append fails by its expected
 * revision, the stream is read again, and a call that the other one recorded is found by its event's id.
 */
export class CommentWriter {
  readonly #store: EventStore;
  readonly #codec: Codec;
  readonly #vault: Vault;
  readonly #lines: AuditLines;
  #waiting: Waiting[] = [];
  #unsettled = 0;
  #writing = false;
  /** Event id → comment id of the newest comments. `undefined` until read, and after an append of unknown outcome. */
  #known: Map<string, number> | undefined;
  #revision = NO_STREAM;

  constructor(options: { store: EventStore; codec: Codec; vault: Vault; lines: AuditLines }) {
    this.#store = options.store;
    this.#codec = options.codec;
    this.#vault = options.vault;
    this.#lines = options.lines;
  }

  /** Resolves with the comment's id once it is durable; a repeated call id gives the first one's. */
  async record(comment: CommentToRecord): Promise<number> {
    const event = toEvent(comment);
    const encoded = await this.#codec.encode(event);
    const { promise, resolve, reject } = Promise.withResolvers<number>();
    this.#unsettled += 1;
    this.#waiting.push({ event, encoded, resolve, reject });
    if (!this.#writing) void this.#writeAll();
    return promise;
  }

  /** Of what is known: nothing before the first comment of this writer. */
  stateHashes(): StateHashes {
    if (this.#known === undefined) return {};
    const last = [...this.#known.keys()].at(-1) ?? null;
    return stateHashOf(COMMENTS_STREAM, { comments: Number(this.#revision) + 1, last });
  }

  /** Comments that are not written yet. */
  get waiting(): number {
    return this.#unsettled;
  }

  /** Never rejects: each comment hears of its own fate. */
  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH);
      try {
        const known = await retryOnConflict(() => this.#write(batch));
        for (const { event, resolve } of batch) resolve(known.get(event.id)!);
        this.#forget();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      this.#unsettled -= batch.length;
    }
    this.#writing = false;
  }

  async #write(batch: readonly Waiting[]): Promise<ReadonlyMap<string, number>> {
    const known = (this.#known ??= await this.#read());
    // A call that is repeated while its first still waits makes one event.
    const fresh = new Map(batch.map((waiting) => [waiting.event.id, waiting]));
    for (const id of fresh.keys()) if (known.has(id)) fresh.delete(id);
    if (fresh.size === 0) return known;
    const encoded = [...fresh.values()].map((waiting) => waiting.encoded);
    try {
      const { revision } = await this.#store.append(COMMENTS_STREAM, this.#revision, encoded);
      this.#revision = revision;
    } catch (error) {
      // The append may stand all the same: read again before the next id is given out.
      this.#known = undefined;
      throw error;
    }
    confirmKeys(this.#vault, encoded);
    let revision = this.#revision - BigInt(fresh.size);
    for (const { event } of fresh.values()) {
      revision += 1n;
      known.set(event.id, Number(revision) + 1);
      this.#lines(event, revision);
    }
    return known;
  }

  /** Not before a batch has its ids: a repeated call may be among the oldest that are known. */
  #forget(): void {
    for (const id of this.#known?.keys() ?? []) {
      if (this.#known!.size <= REMEMBERED) break;
      this.#known!.delete(id);
    }
  }

  async #read(): Promise<Map<string, number>> {
    const newest: [string, number][] = [];
    this.#revision = NO_STREAM;
    const tail = this.#store.readStream(COMMENTS_STREAM, { direction: 'backwards', limit: REMEMBERED });
    for await (const event of tail) {
      if (newest.length === 0) this.#revision = event.revision;
      newest.push([event.id, Number(event.revision) + 1]);
    }
    return new Map(newest.reverse());
  }
}

/** Never redacted: the text of a comment is what the caller asked to store. */
function toEvent(comment: CommentToRecord) {
  return CommentRecorded.create(
    { request_id: comment.requestId, comment: comment.comment },
    {
      stream: COMMENTS_STREAM,
      at: comment.at,
      correlationId: comment.correlationId,
      causationId: comment.callId,
      traceparent: comment.traceparent,
      key: comment.requestId,
    },
  );
}
