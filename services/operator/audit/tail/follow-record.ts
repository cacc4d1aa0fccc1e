import { setTimeout as delay } from 'node:timers/promises';
import { BelegError, isBelegError } from '../../../../events/errors.ts';
import type { Selection } from '../../../../events/store/selection.ts';
import type { Position, RecordedEvent } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../foundation/record.ts';
import { includes, readSelected } from '../event-selection.ts';

/** The number of newest events that are shown first if no time is given. */
const NEWEST = 10;
const RETRY_MS = 1_000;
/**
 * A subscription survives breaks of its connection and does not report them, so the record is read at this interval.
 */
const LOOK_MS = 2_000;

export interface FollowOptions {
  /** Whether to wait for new events. If false, the tail ends at the end of the record. */
  readonly follow: boolean;
  /** Ends the tail, even while it waits. */
  readonly signal: AbortSignal;
  /** Called once when the record is away, and once when it is back. */
  readonly onAway?: (error: unknown) => void;
  readonly onBack?: () => void;
  readonly retryMs?: number;
  /** The interval between two checks whether the record is available. */
  readonly lookMs?: number;
}

type Source = Pick<OpenRecord, 'store' | 'since'>;

/** Yields the newest events of a selection, or those from its time on; then new ones, each once, in order. */
export async function* follow(
  record: Source,
  selection: Selection,
  options: FollowOptions,
): AsyncGenerator<RecordedEvent> {
  if (selection.from !== undefined && !options.follow) {
    yield* readSelected(record, selection);
    return;
  }
  const start = await (selection.from === undefined ? record.store.end() : record.since?.(selection.from));
  if (selection.from === undefined && start !== undefined) yield* await newest(record, selection, start);
  if (options.follow) yield* live(record, selection, start, options);
}

async function newest({ store }: Source, selection: Selection, end: Position): Promise<RecordedEvent[]> {
  const { stream, type: types } = selection;
  const isIncluded = includes(selection);
  const found: RecordedEvent[] = [];
  const events =
    stream === undefined
      ? store.readAll({ direction: 'backwards', types })
      : store.readStream(stream, { direction: 'backwards' });
  for await (const event of events) {
    // Events that arrived meanwhile come again in the live subscription.
    if (event.position <= end && isIncluded(event)) found.push(event);
    if (found.length === NEWEST) break;
  }
  return found.reverse();
}

async function* live(
  { store }: Source,
  selection: Selection,
  start: Position | undefined,
  { signal, onAway, onBack, retryMs = RETRY_MS, lookMs = LOOK_MS }: FollowOptions,
): AsyncGenerator<RecordedEvent> {
  const isIncluded = includes(selection);
  let after = start;
  let away = false;
  const tell = (error?: unknown): void => {
    if (away === (error !== undefined)) return;
    away = !away;
    if (away) onAway?.(error);
    else onBack?.();
  };
  while (!signal.aborted) {
    try {
      const subscription = store.subscribe({ types: selection.type, after });
      const end = () => void subscription.close();
      signal.addEventListener('abort', end, { once: true });
      const looking = new AbortController();
      void look(store, tell, { lookMs, signal: looking.signal });
      try {
        for await (const item of subscription) {
          if (signal.aborted) return;
          tell();
          if (item.kind === 'caughtUp') continue;
          after = item.kind === 'event' ? item.event.position : item.position;
          if (item.kind === 'event' && isIncluded(item.event)) yield item.event;
        }
      } finally {
        looking.abort();
        signal.removeEventListener('abort', end);
        end();
      }
      if (!signal.aborted) throw new BelegError('STORE_UNAVAILABLE');
    } catch (error) {
      if (!isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
      tell(error);
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}

/** Reads one event at intervals and reports the result. */
async function look(
  store: Source['store'],
  tell: (error?: unknown) => void,
  { lookMs, signal }: { readonly lookMs: number; readonly signal: AbortSignal },
): Promise<void> {
  for (;;) {
    await delay(lookMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const outcome = await store.end().then(
      () => undefined,
      (error: unknown) => error,
    );
    // Other faults are reported by the subscription.
    if (!signal.aborted && (outcome === undefined || isBelegError(outcome, 'STORE_UNAVAILABLE')))
      tell(outcome);
  }
}
