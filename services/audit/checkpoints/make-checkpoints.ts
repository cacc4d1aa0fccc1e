import { setImmediate as nextTurn } from 'node:timers/promises';
import { CHECKPOINTS } from '../../../actors/streams/knowledge.ts';
import { CHECKPOINTS_STREAM } from '../../../events/catalog/audit.ts';
import { BelegError } from '../../../events/errors.ts';
import { CheckpointLog, newestCheckpoint, type NewestCheckpoint } from '../../../events/proof/checkpoint.ts';
import type { SigningKey } from '../../../events/proof/keys.ts';
import { StreamWriter } from '../../foundation/streams/writer.ts';
import {
  hasPlace,
  NO_STREAM,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../../events/store/store.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { ServiceParts } from '../../foundation/service-parts.ts';

/** An event waits no longer than this for a checkpoint, in milliseconds. */
export const DUE_AFTER_MS = 5 * 60_000;

interface CheckpointRunOptions extends Pick<ServiceParts, 'store' | 'codec' | 'now'> {
  /** The key that signs checkpoints; `null` if they are not signed. */
  key: SigningKey | null;
  /** The number of events after which a checkpoint is due. */
  every: number;
  clock: Pick<Clock, 'after'>;
  /** Called when a checkpoint is on record, so that it is written elsewhere too. Rejects if the store is away. */
  onRecorded: () => Promise<void>;
}

export type CheckpointRun = Awaited<ReturnType<typeof openCheckpointRun>>;

/**
 * Follows the record from its newest checkpoint on and makes checkpoints when they are due. Any failure ends the run
 * for good: the next run begins with the record as it is then. The exact expected revision keeps two runs from
 * recording two different logs.
 *
 * Rejects with `STREAM_CORRUPT` if the newest checkpoint is not valid, and with the faults of the store.
 */
export async function openCheckpointRun(options: CheckpointRunOptions) {
  const { store, codec, now, key, every, clock, onRecorded } = options;
  const found = await newestCheckpoint(store);
  let newest = found?.checkpoint ?? null;
  /** The position that the log has reached; '' before the first event. */
  let position = await placeAfter(found, store);
  const log = new CheckpointLog(newest);
  // The writer begins at the newest event, because the stream is long and earlier events are not needed.
  const writer = new StreamWriter(
    CHECKPOINTS,
    CHECKPOINTS_STREAM,
    { store, codec, now, context: undefined, hasty: true },
    { state: { checkpoints: 0, newest }, revision: found?.event.revision ?? NO_STREAM, position: null },
  );
  const over = new AbortController();
  let waiting: (PromiseWithResolvers<void> & { readonly place: string })[] = [];
  let lastId = '';
  /** When the first event that waits for a checkpoint happened, in milliseconds since 1970. */
  let since = 0;
  let isLive = false;
  let cancelTimer: (() => void) | null = null;
  /** Checkpoints are recorded one after the other, and none after a failure. */
  let recording: Promise<void> = Promise.resolve();

  async function take(event: RecordedEvent): Promise<void> {
    const before = log.uncovered;
    log.add(event);
    position = event.position;
    lastId = event.id;
    if (before === 0) {
      // An event that arrives live is new, whatever the clock of its process said.
      since = isLive ? now().getTime() : Date.parse(event.metadata.at);
    }
    const { reached = [], ahead = [] } = Object.groupBy(waiting, ({ place }) =>
      place <= event.position ? 'reached' : 'ahead',
    );
    for (const { resolve } of reached) resolve();
    waiting = ahead;
    if (log.uncovered >= every) await record();
  }

  function record(): Promise<void> {
    recording = recording.then(recordNow);
    recording.catch((error: unknown) => over.abort(error));
    return recording;
  }

  async function recordNow(): Promise<void> {
    over.signal.throwIfAborted();
    if (log.uncovered === 0) return;
    clearTimer();
    const callId = lastId;
    const checkpoint = log.checkpoint(key);
    // A long list of heads takes some milliseconds here and again in the append, so others get a turn in between.
    await nextTurn();
    await writer.submit(checkpoint, { correlationId: `checkpoint-${checkpoint.size}`, callId });
    newest = checkpoint;
    await onRecorded();
  }

  /** Sets the timer for the next checkpoint. While the run catches up, only the number of events counts. */
  function setTimer(): void {
    if (!isLive || log.uncovered === 0 || cancelTimer !== null) return;
    const ms = since + DUE_AFTER_MS - now().getTime();
    cancelTimer = clock.after(Math.min(Math.max(ms, 0), DUE_AFTER_MS), () => {
      cancelTimer = null;
      // A failure ends the run, which reports it.
      record().catch(() => undefined);
    });
  }

  function clearTimer(): void {
    cancelTimer?.();
    cancelTimer = null;
  }

  async function reach(place: string): Promise<void> {
    over.signal.throwIfAborted();
    if (position >= place) return;
    const reached = { place, ...Promise.withResolvers<void>() };
    waiting.push(reached);
    await reached.promise;
  }

  await onRecorded();
  const sizeNow = (): number => newest?.size ?? 0;
  return {
    /** The number of events that the newest checkpoint covers. */
    get size(): number {
      return sizeNow();
    },
    /** The number of events without a checkpoint. */
    get uncovered(): number {
      return log.uncovered;
    },
    /** The position of the last event that the run has taken; '' before the first. */
    get position(): string {
      return position;
    },
    get live(): boolean {
      return isLive && !over.signal.aborted;
    },

    /** Resolves when `signal` has aborted; rejects if the run fails. */
    async follow(signal: AbortSignal): Promise<void> {
      const subscription = store.subscribe(position === '' ? {} : { after: position as Position });
      const end = (): void => over.abort(new BelegError('SERVICE_UNAVAILABLE'));
      over.signal.addEventListener('abort', () => {
        for (const { reject } of waiting) reject(over.signal.reason);
        void subscription.close();
      });
      signal.addEventListener('abort', end, { once: true });
      if (signal.aborted) end();
      try {
        for await (const item of subscription) {
          if (over.signal.aborted) break;
          if (item.kind === 'event') await take(item.event);
          if (item.kind === 'caughtUp') isLive = true;
          setTimer();
        }
        over.abort(new BelegError('STORE_UNAVAILABLE', { detail: 'the subscription has ended' }));
      } catch (error) {
        over.abort(error);
      } finally {
        signal.removeEventListener('abort', end);
        clearTimer();
        await Promise.allSettled([subscription.close(), recording, writer.close()]);
      }
      if (!signal.aborted) throw over.signal.reason;
    },

    /**
     * Makes a checkpoint of everything that is on record now; `null` for an empty record. Rejects if the run ends
     * before.
     */
    async make() {
      const before = sizeNow();
      for await (const { position } of store.readAll({ direction: 'backwards', limit: 1 })) {
        await reach(position);
      }
      await record();
      /** Nothing has happened since that checkpoint. */
      const repeated = sizeNow() === before;
      // The caller may have removed the reason why the last checkpoint could not be written to the file.
      if (repeated) await onRecorded();
      return { checkpoint: newest, repeated };
    },
  };
}

/**
 * The position of the last event that a checkpoint covers. If the record does not have the position that the checkpoint
 * names (the record was copied from another store), the events are counted.
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
