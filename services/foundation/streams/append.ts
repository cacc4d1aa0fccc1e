import { SpanKind } from '@opentelemetry/api';
import { isBelegError } from '../../../events/errors.ts';
import { backoff, RETRY_PAUSES } from '../../../events/retry-pauses.ts';
import { bytesOf } from '../../../events/store/prepare-append.ts';
import {
  MAX_APPEND_BYTES,
  type AppendResult,
  type EventStore,
  type NewEvent,
} from '../../../events/store/store.ts';
import { noteFailure, startSpan, type TraceContext } from '../../../events/trace.ts';
import type { Clock } from '../clock.ts';

interface Patience {
  readonly clock: Clock;
  /** After this has aborted, a failed append is tried once more at once, and not again. */
  readonly signal: AbortSignal;
  /** Called with each failure after which the outcome is unknown. */
  readonly onFailure?: (error: unknown) => void;
  /** Called once each time that the store goes away; what it returns is called when the store answers again. */
  readonly onAway?: ((error: unknown) => () => void) | undefined;
}

/** The stream to append to, and how long to try. */
export interface Target extends Patience {
  readonly store: Pick<EventStore, 'append'>;
  readonly stream: string;
}

/** Events in the order in which they are appended, grouped by the decision that they belong to. */
export type Parts = readonly (readonly NewEvent[])[];

/**
 * Appends all parts at once, or in several appends if they are too large; a part is divided only if it is too large by
 * itself. Rejects as `appendUntilKnown` does, and with `APPEND_TOO_LARGE` before anything is written if a single event
 * is too large.
 */
export async function appendParts(target: Target, expected: bigint, parts: Parts): Promise<AppendResult> {
  const events = parts.flat();
  try {
    return await appendUntilKnown(target, expected, events);
  } catch (error) {
    if (!isBelegError(error, 'APPEND_TOO_LARGE') || events.length === 1 || events.some(isTooLarge))
      throw error;
  }
  const [first, rest] = halved(parts);
  const { revision } = await appendParts(target, expected, first);
  return appendParts(target, revision, rest);
}

/** Whether an event is too large for any append. */
export const isTooLarge = (event: NewEvent): boolean => bytesOf(event) > MAX_APPEND_BYTES;

/**
 * Appends until the outcome is known. An append that failed with `STORE_UNAVAILABLE` may have been written, or may
 * still be. So the identical append is repeated until the store has said whether the events are there (see
 * `EventStore`). Nothing else may be appended to the stream meanwhile.
 *
 * Rejects with `WRONG_EXPECTED_REVISION` if other events are there, so that these never will be, and with
 * `STORE_UNAVAILABLE` only after `signal` has aborted: then the outcome stays unknown.
 *
 * Each attempt is a span of the trace that its first event belongs to, with links to the traces of the others.
 */
function appendUntilKnown(
  target: Target,
  expectedRevision: bigint,
  events: readonly NewEvent[],
): Promise<AppendResult> {
  const parents = new Set(events.flatMap(({ metadata }) => metadata.traceparent ?? []));
  const [parent, ...links] = [...parents].map((traceparent): TraceContext => ({ traceparent }));
  const attributes = { 'db.operation.name': 'append', 'db.operation.batch.size': events.length };
  return whileAway(async () => {
    const span = startSpan('append', { kind: SpanKind.CLIENT, parent, links, attributes });
    try {
      return await target.store.append(target.stream, expectedRevision, events);
    } catch (error) {
      noteFailure(span, error);
      throw error;
    } finally {
      span.end();
    }
  }, target);
}

/** Divides parts into two halves: between two parts, or within the part if there is only one. */
function halved(parts: Parts): [Parts, Parts] {
  const [only = []] = parts;
  if (parts.length === 1) {
    const half = Math.ceil(only.length / 2);
    return [[only.slice(0, half)], [only.slice(half)]];
  }
  const half = Math.ceil(parts.length / 2);
  return [parts.slice(0, half), parts.slice(half)];
}

/** Repeats an attempt while the store is away. */
export async function whileAway<T>(attempt: () => Promise<T>, patience: Patience): Promise<T> {
  const { clock, signal, onFailure, onAway } = patience;
  let onBack: (() => void) | undefined;
  for (let failures = 1; ; failures++) {
    const isLast = signal.aborted && failures > 1;
    try {
      const done = await attempt();
      onBack?.();
      return done;
    } catch (error) {
      if (isLast || !isBelegError(error, 'STORE_UNAVAILABLE')) throw error;
      onFailure?.(error);
      onBack ??= onAway?.(error);
    }
    await pause(clock, backoff(failures, RETRY_PAUSES.append), signal);
  }
}

/** A pause that ends early if `signal` aborts. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      callOff();
      signal.removeEventListener('abort', over);
      resolve();
    };
    const callOff = clock.after(ms, over);
    signal.addEventListener('abort', over);
    if (signal.aborted) over();
  });
}
