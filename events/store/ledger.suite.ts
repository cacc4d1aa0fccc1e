import { BelegError } from '../errors.ts';
import { chainHash, GENESIS_HASH } from './chain.ts';
import { prepareAppend } from './prepare-append.ts';
import type {
  AppendResult,
  NewEvent,
  Position,
  ReadAllOptions,
  ReadStreamOptions,
  RecordedEvent,
} from './store.ts';

/** The events on disk at the store: each append is there as a whole or not at all, by the contract of `EventStore`. */
export class Ledger {
  readonly all: RecordedEvent[] = [];
  readonly streams = new Map<string, RecordedEvent[]>();
  readonly onCommit = new Set<() => void>();

  append(stream: string, expected: bigint, events: readonly NewEvent[]): AppendResult {
    const prepared = prepareAppend(stream, events);

    const recorded = this.streams.get(stream) ?? [];
    const from = Number(expected) + 1;
    let hash = recorded[from - 1]?.metadata.hash ?? GENESIS_HASH;
    const proposed = events.map((event, n) => {
      const revision = BigInt(from + n);
      hash = chainHash(hash, { stream, revision, ...prepared.events[n]! });
      return { ...event, metadata: { ...event.metadata, hash }, stream, revision };
    });
    if (from === recorded.length) {
      for (const event of proposed) {
        const position = String(this.all.length + 1).padStart(16, '0') as Position;
        const stored = freeze({ ...event, position });
        recorded.push(stored);
        this.all.push(stored);
      }
      this.streams.set(stream, recorded);
      for (const tell of this.onCommit) tell();
    } else if (proposed.some(({ metadata }, n) => recorded[from + n]?.metadata.hash !== metadata.hash)) {
      throw new BelegError('WRONG_EXPECTED_REVISION');
    }
    const last = recorded[from + events.length - 1]!;
    return { revision: last.revision, position: last.position };
  }

  get end(): Position | undefined {
    return this.all.at(-1)?.position;
  }

  /** A snapshot at the time of the call. */
  stream(name: string, { direction, from, limit = Infinity }: ReadStreamOptions = {}): RecordedEvent[] {
    const events = this.streams.get(name) ?? [];
    if (direction === 'backwards') {
      const last = from === undefined ? events.length : Number(from) + 1;
      return events.slice(0, Math.max(last, 0)).reverse().slice(0, limit);
    }
    const first = Math.max(Number(from ?? 0n), 0);
    return events.slice(first, first + limit);
  }

  /** A snapshot at the time of the call. */
  events({ direction, after, limit = Infinity, types }: ReadAllOptions = {}): RecordedEvent[] {
    const place = after === undefined ? undefined : Number(after);
    const inRange =
      direction === 'backwards'
        ? this.all.slice(0, place === undefined ? undefined : Math.max(place - 1, 0)).reverse()
        : this.all.slice(place ?? 0);
    return inRange.filter(({ type }) => types?.includes(type) ?? true).slice(0, limit);
  }

  /** The first event of some types behind a place, and how far that was looked for. */
  next(
    after: number,
    types: readonly string[] | undefined,
  ): { event: RecordedEvent | undefined; looked: number } {
    for (let place = after; place < this.all.length; place++) {
      const event = this.all[place]!;
      if (types?.includes(event.type) ?? true) return { event, looked: place + 1 };
    }
    return { event: undefined, looked: this.all.length };
  }
}

/** Frozen, because readers get these objects and no copies. */
function freeze<T>(value: T): T {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) freeze(part);
  return Object.freeze(value);
}
