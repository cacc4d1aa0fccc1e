import type { StoredEvent } from './stored-event.ts';
import type { Expected } from './expected.ts';

export type Decision =
  | { kind: 'write' }
  /** Exactly these events already exist there. */
  | { kind: 'repeated'; last: StoredEvent }
  | { kind: 'wrongVersion'; current: bigint }
  | { kind: 'deleted' };

export interface CommitRequest {
  stream: string;
  expected: Expected;
  ids: readonly string[];
  current: bigint;
  hasMetadata: boolean;
  tombstoned: boolean;
  softDeleted: boolean;
  eventAt(revision: bigint): StoredEvent | undefined;
  recent: RecentIds;
}

const MAX_RECENT_IDS = 10_000;

/** The latest events by id, bounded and lost at a restart as in the server: idempotency with ANY is weak. */
export class RecentIds {
  readonly #events = new Map<string, StoredEvent>();

  add(event: StoredEvent): void {
    this.#events.delete(event.id);
    this.#events.set(event.id, event);
    if (this.#events.size > MAX_RECENT_IDS) this.#events.delete(this.#events.keys().next().value!);
  }

  find(id: string, stream: string): StoredEvent | undefined {
    const event = this.#events.get(id);
    return event?.stream === stream ? event : undefined;
  }
}

/** Whether a write is accepted, was already done, or is refused, by the server's rules. */
export function checkCommit(request: CommitRequest): Decision {
  const { expected, current } = request;
  if (request.tombstoned) return { kind: 'deleted' };
  if (expected === 'any') return checkRecent(request);
  if (expected === 'stream_exists') {
    if (request.softDeleted) return { kind: 'deleted' };
    if (current < 0n && !request.hasMetadata) return { kind: 'wrongVersion', current };
    return checkRecent(request);
  }
  const exact = expected === 'no_stream' ? -1n : expected;
  if (exact === current) return { kind: 'write' };
  if (exact > current) return { kind: 'wrongVersion', current };
  return checkStanding(request, exact);
}

/**
 * Without an expected revision appends are recognised by ids. A known first id with an unknown later one is refused.
 */
function checkRecent({ ids, stream, current, recent }: CommitRequest): Decision {
  let last: StoredEvent | undefined;
  for (const id of ids) {
    const known = recent.find(id, stream);
    if (known === undefined)
      return last === undefined ? { kind: 'write' } : { kind: 'wrongVersion', current };
    last = known;
  }
  return last === undefined ? { kind: 'write' } : { kind: 'repeated', last };
}

/** The stream is past the expected revision: this is only accepted if exactly these events come after it. */
function checkStanding(request: CommitRequest, exact: bigint): Decision {
  let revision = exact;
  let last: StoredEvent | undefined;
  for (const id of request.ids) {
    const standing = request.eventAt(++revision);
    if (standing?.id === id) {
      last = standing;
      continue;
    }
    const first = last === undefined;
    if (first && exact === -1n && request.softDeleted) return { kind: 'write' };
    return { kind: 'wrongVersion', current: request.current };
  }
  return last === undefined ? { kind: 'wrongVersion', current: request.current } : { kind: 'repeated', last };
}
