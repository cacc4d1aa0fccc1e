import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHECKPOINTS } from '../../../actors/streams/knowledge.ts';
import { CHECKPOINTS_STREAM } from '../../../events/catalog/audit.ts';
import { BelegError } from '../../../events/errors.ts';
import {
  CheckpointLog,
  newestCheckpoint,
  type Checkpoint,
  type NewestCheckpoint,
} from '../../../events/proof/checkpoint.ts';
import type { SigningKey } from '../../../events/proof/keys.ts';
import { StreamWriter, type WriterOf } from '../../streams/writer.ts';
import {
  hasPlace,
  NO_STREAM,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../events/store/store.ts';
import type { Clock } from '../../clock.ts';
import type { ServiceParts } from '../../service-parts.ts';

/** An event waits no longer than this for a checkpoint, in milliseconds. */
export const DUE_AFTER_MS = 5 * 60_000;

export interface CheckpointRunOptions extends Pick<ServiceParts, 'store' | 'codec' | 'now'> {
  /** `null`: checkpoints are not signed. */
  key: SigningKey | null;
  /** Events after which one is due. */
  every: number;
  clock: Pick<Clock, 'after'>;
  /** Called when a checkpoint is on record, to write it elsewhere too. Rejects where the store is away. */
  onRecorded: () => Promise<void>;
}

/**
 * Follows the record from its newest checkpoint on and makes those that are due. What fails ends it, for good: the next
 * run begins with what is on record then. The exact expected revision keeps two runs from making two logs.
 */
export class CheckpointRun {
  readonly #options: CheckpointRunOptions;
  readonly #log: CheckpointLog;
  readonly #over = new AbortController();
  #waiting: { position: string; resolve: () => void; reject: (reason: unknown) => void }[] = [];
  readonly #writer: WriterOf<typeof CHECKPOINTS>;
  #newest: Checkpoint | null;
  /** How far the log has come; '' before the first event. */
  #position: string;
  #lastId = '';
  /** When the first event that waits for a checkpoint happened, in milliseconds since 1970. */
  #since = 0;
  #live = false;
  #cancelTimer: (() => void) | null = null;
  /** One after the other; after a failure none. */
  #recording: Promise<void> = Promise.resolve();

  private constructor(options: CheckpointRunOptions, newest: NewestCheckpoint | null, position: string) {
    this.#options = options;
    this.#newest = newest?.checkpoint ?? null;
    this.#log = new CheckpointLog(this.#newest);
    const { store, codec, now } = options;
    // From the newest on: what came before is long, and says no more.
    this.#writer = new StreamWriter(
      CHECKPOINTS,
      CHECKPOINTS_STREAM,
      { store, codec, now, context: undefined, hasty: true },
      {
        state: { checkpoints: 0, newest: this.#newest },
        revision: newest?.event.revision ?? NO_STREAM,
        position: null,
      },
    );
    this.#position = position;
  }

  /** Rejects with `STREAM_CORRUPT` where the newest checkpoint is none, and with the faults of the store. */
  static async open(options: CheckpointRunOptions): Promise<CheckpointRun> {
    const newest = await newestCheckpoint(options.store);
    const run = new CheckpointRun(options, newest, await placeAfter(newest, options.store));
    await options.onRecorded();
    return run;
  }

  /** Events that the newest checkpoint covers. */
  get size(): number {
    return this.#newest?.size ?? 0;
  }

  /** Events that wait for a checkpoint. */
  get uncovered(): number {
    return this.#log.uncovered;
  }

  /** The last event that it has taken; '' before the first. */
  get position(): string {
    return this.#position;
  }

  get live(): boolean {
    return this.#live && !this.#over.signal.aborted;
  }

  /** Resolves when `signal` has aborted; rejects with what failed. */
  async follow(signal: AbortSignal): Promise<void> {
    const after = this.#position as Position;
    const subscription = this.#options.store.subscribe(after === '' ? {} : { after });
    const end = (): void => this.#over.abort(new BelegError('SERVICE_UNAVAILABLE'));
    this.#over.signal.addEventListener('abort', () => {
      for (const { reject } of this.#waiting) reject(this.#over.signal.reason);
      void subscription.close();
    });
    signal.addEventListener('abort', end, { once: true });
    if (signal.aborted) end();
    try {
      for await (const item of subscription) {
        if (this.#over.signal.aborted) break;
        if (item.kind === 'event') await this.#take(item.event);
        if (item.kind === 'caughtUp') this.#live = true;
        this.#setTimer();
      }
      this.#over.abort(new BelegError('STORE_UNAVAILABLE', { detail: 'the subscription has ended' }));
    } catch (error) {
      this.#over.abort(error);
    } finally {
      signal.removeEventListener('abort', end);
      this.#clearTimer();
      await Promise.allSettled([subscription.close(), this.#recording, this.#writer.close()]);
    }
    if (!signal.aborted) throw this.#over.signal.reason;
  }

  /** A checkpoint of all that is on record now. Rejects when the run ends before that. */
  async make() {
    const before = this.size;
    for await (const { position } of this.#options.store.readAll({ direction: 'backwards', limit: 1 })) {
      await this.#reach(position);
    }
    await this.#record();
    /** Nothing had happened since that one. */
    const repeated = this.size === before;
    // Whoever asks for one may have mended what kept the last one from being written.
    if (repeated) await this.#options.onRecorded();
    // No checkpoint: the record is empty.
    return { checkpoint: this.#newest, repeated };
  }

  async #take(event: RecordedEvent): Promise<void> {
    const before = this.#log.uncovered;
    this.#log.add(event);
    this.#position = event.position;
    this.#lastId = event.id;
    if (before === 0) {
      // What happens now is not older than its arrival, whatever the clock says that wrote it down.
      this.#since = this.#live ? this.#options.now().getTime() : Date.parse(event.metadata.at);
    }
    for (const { resolve } of this.#waiting.filter(({ position }) => position <= event.position)) resolve();
    this.#waiting = this.#waiting.filter(({ position }) => position > event.position);
    if (this.#log.uncovered >= this.#options.every) await this.#record();
  }

  #record(): Promise<void> {
    this.#recording = this.#recording.then(() => this.#recordNow());
    this.#recording.catch((error: unknown) => this.#over.abort(error));
    return this.#recording;
  }

  async #recordNow(): Promise<void> {
    this.#over.signal.throwIfAborted();
    if (this.#log.uncovered === 0) return;
    this.#clearTimer();
    const { key, onRecorded } = this.#options;
    const callId = this.#lastId;
    const checkpoint = this.#log.checkpoint(key);
    // A long list of heads is some milliseconds of work here and again in the append: others get their turn between.
    await nextTurn();
    await this.#writer.submit(checkpoint, { correlationId: `checkpoint-${checkpoint.size}`, callId });
    this.#newest = checkpoint;
    await onRecorded();
  }

  /** During a catch-up the number of events decides alone. */
  #setTimer(): void {
    if (!this.#live || this.#log.uncovered === 0 || this.#cancelTimer !== null) return;
    const { now, clock } = this.#options;
    const ms = this.#since + DUE_AFTER_MS - now().getTime();
    this.#cancelTimer = clock.after(Math.min(Math.max(ms, 0), DUE_AFTER_MS), () => {
      this.#cancelTimer = null;
      // A failure ends the run, which tells.
      this.#record().catch(() => undefined);
    });
  }

  #clearTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
  }

  #reach(position: string): Promise<void> {
    this.#over.signal.throwIfAborted();
    if (this.#position >= position) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiting.push({ position, resolve, reject }));
  }
}

/**
 * Where the events end that a checkpoint covers. Where it says a place that the record does not have (the record was
 * carried over from elsewhere), they are counted.
 */
async function placeAfter(newest: NewestCheckpoint | null, store: EventStore): Promise<string> {
  if (newest === null) return '';
  const { position, size } = newest.checkpoint;
  if (hasPlace(await store.end(), position)) return position;
  let counted = 0;
  let place = '';
  for await (const event of store.readAll({ limit: size })) {
    counted += 1;
    place = event.position;
  }
  if (counted === size) return place;
  throw new BelegError('STREAM_CORRUPT', {
    detail: 'the last checkpoint covers more events than the record has',
  });
}
