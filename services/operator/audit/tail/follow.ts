import { setTimeout as delay } from 'node:timers/promises';
import { BelegError, isBelegError } from '../../../../events/errors.ts';
import type { Position, RecordedEvent } from '../../../../events/store/store.ts';
import type { OpenRecord } from '../../../record.ts';
import type { Selection } from '../commands.ts';
import { createSelector, readSelected, type Selector } from '../selection.ts';

/** How many of the newest are shown first where no time is given. */
const NEWEST = 10;
const RETRY_MS = 1_000;

export interface FollowOptions {
  /** False: ends where the record ends. */
  readonly follow: boolean;
  /** Ends it, also amid a wait. */
  readonly signal: AbortSignal;
  /** Told once when the record is away, and once when it is back. */
  readonly onAway?: (error: unknown) => void;
  readonly onBack?: () => void;
  readonly retryMs?: number;
}

type Source = Pick<OpenRecord, 'store' | 'since'>;

/** The newest events of a selection, or those from its time on; then those that come, each once, in order. */
export async function* follow(
  record: Source,
  selection: Selection,
  options: FollowOptions,
): AsyncGenerator<RecordedEvent> {
  const selector = createSelector(selection);
  if (selection.from !== undefined) {
    if (options.follow) yield* live(record, selector, await record.since?.(selection.from), options);
    else yield* readSelected(record, selection);
    return;
  }
  const end = await endOf(record);
  if (end === undefined) {
    if (options.follow) yield* live(record, selector, undefined, options);
    return;
  }
  yield* await newest(record, selection, selector, end);
  if (options.follow) yield* live(record, selector, end, options);
}

async function endOf({ store }: Source): Promise<Position | undefined> {
  for await (const { position } of store.readAll({ direction: 'backwards', limit: 1 })) return position;
  return undefined;
}

async function newest(
  { store }: Source,
  { stream }: Selection,
  { filter, includes }: Selector,
  end: Position,
): Promise<RecordedEvent[]> {
  const found: RecordedEvent[] = [];
  const events =
    stream === undefined
      ? store.readAll({ direction: 'backwards', filter })
      : store.readStream(stream, { direction: 'backwards' });
  for await (const event of events) {
    // What has come meanwhile comes again with what is live.
    if (event.position <= end && includes(event)) found.push(event);
    if (found.length === NEWEST) break;
  }
  return found.reverse();
}

async function* live(
  { store }: Source,
  { filter, includes }: Selector,
  start: Position | undefined,
  { signal, onAway, onBack, retryMs = RETRY_MS }: FollowOptions,
): AsyncGenerator<RecordedEvent> {
  let after = start;
  let away = false;
  while (!signal.aborted) {
    try {
      const subscription = store.subscribe({ filter, ...(after === undefined ? {} : { after }) });
      const end = () => void subscription.close();
      signal.addEventListener('abort', end, { once: true });
      try {
        for await (const item of subscription) {
          if (signal.aborted) return;
          if (away) onBack?.();
          away = false;
          if (item.kind === 'caughtUp') continue;
          after = item.kind === 'event' ? item.event.position : item.position;
          if (item.kind === 'event' && includes(item.event)) yield item.event;
        }
      } finally {
        signal.removeEventListener('abort', end);
        end();
      }
      if (!signal.aborted) throw new BelegError('STORE_UNAVAILABLE');
    } catch (error) {
      if (!isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
      if (!away) onAway?.(error);
      away = true;
      await delay(retryMs, undefined, { signal }).catch(() => undefined);
    }
  }
}
