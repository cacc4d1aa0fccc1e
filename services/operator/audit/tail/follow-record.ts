import { setTimeout as delay } from 'node:timers/promises';
import { BelegError, isBelegError } from '../../../../events/errors.ts';
import type { Selection } from '../../../../events/store/selection.ts';
import type { Position, RecordedEvent } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../foundation/record.ts';
import { includes, readSelected } from '../event-selection.ts';

/** How many of the newest are shown first where no time is given. */
const NEWEST = 10;
const RETRY_MS = 1_000;
/** A subscription to a server outlives its connections, and is silent while there is none. */
const LOOK_MS = 2_000;

export interface FollowOptions {
  /** False: ends where the record ends. */
  readonly follow: boolean;
  /** Ends it, also amid a wait. */
  readonly signal: AbortSignal;
  /** Called once when the record is away, and once when it is back. */
  readonly onAway?: (error: unknown) => void;
  readonly onBack?: () => void;
  readonly retryMs?: number;
  /** How often it is looked whether the record is there. */
  readonly lookMs?: number;
}

type Source = Pick<OpenRecord, 'store' | 'since'>;

/** The newest events of a selection, or those from its time on; then those that come, each once, in order. */
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
    // Events that arrived meanwhile are repeated by the live subscription.
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

/** Reads one event again and again, and tells what came of it. */
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
    // What is wrong otherwise is the subscription's to tell.
    if (!signal.aborted && (outcome === undefined || isBelegError(outcome, 'STORE_UNAVAILABLE')))
      tell(outcome);
  }
}
