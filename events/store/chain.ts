import { hash } from 'node:crypto';
import { toStored, type StoredEvent } from './scan.ts';
import type { RecordedEvent } from './store.ts';

/**
 * The hash chain of a stream: `hash = SHA-256(previous hash ‖ canonical bytes of the stored event)`, the previous hash
 * as its 32 raw bytes, the event as UTF-8 of canonical JSON (RFC 8785) with the members data, id, metadata, revision
 * (decimal text), stream, type. It covers ciphertext, so that erasing a key breaks nothing.
 */
export interface ChainedEvent {
  readonly stream: string;
  readonly revision: bigint | number;
  readonly id: string;
  readonly type: string;
  /** Canonical JSON. */
  readonly data: string;
  /** Canonical JSON, without the hash itself. */
  readonly metadata: string;
}

/** Before the first event of every stream: 32 zero bytes. The stream's name is in each event's bytes. */
export const GENESIS_HASH = '0'.repeat(64);

const HASH_BYTES = 32;
/** Of a UTF-16 code unit in UTF-8. */
const MOST_BYTES = 3;
const scratch = Buffer.allocUnsafeSlow(64 * 1024);

/** Lower-case hexadecimal. One call and no `Hash` object, of which a million outlive many collections. */
export function chainHash(previous: string, event: ChainedEvent): string {
  const { data, id, metadata, revision, stream, type } = event;
  const text = `{"data":${data},"id":${JSON.stringify(id)},"metadata":${metadata},"revision":"${revision}","stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}}`;
  const most = HASH_BYTES + text.length * MOST_BYTES;
  const bytes = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  const begin = bytes.write(previous, 0, HASH_BYTES, 'hex');
  return hash('sha256', bytes.subarray(0, begin + bytes.write(text, begin)), 'hex');
}

/** The hash that an event read back must have, if its predecessor's is `previous`. */
export function recordedHash(previous: string, event: RecordedEvent): string {
  return chainHash(previous, toStored(event));
}

export type ChainFault =
  /** The event does not give the hash that stands beside it, after its predecessor. */
  | { kind: 'changed'; revision: bigint; id: string }
  /** Revisions `from` … `to` are not there. */
  | { kind: 'missing'; from: bigint; to: bigint }
  /** What stands at `revision` and at `with` belongs at the other's place. */
  | { kind: 'swapped'; revision: bigint; with: bigint };

interface ChainReport {
  stream: string;
  events: number;
  /** Last revision and its hash: keep them elsewhere to notice a cut tail or a chain written anew. */
  head: { revision: bigint; hash: string };
  /** In the order of the stream; empty when it is whole. */
  faults: ChainFault[];
}

const HASH = /^[0-9a-f]{64}$/;

/** How far around a broken link an event that belongs there is looked for. */
const SWAP_WINDOW = 64;

/**
 * Walks one stream from its start and names what is wrong with it. A chain cannot notice by itself that its tail was
 * cut or that all of it was written anew: `expected`, a head noted earlier, closes that.
 */
export async function verifyChain(
  stream: string,
  events: AsyncIterable<RecordedEvent>,
  expected?: { revision: bigint; hash: string },
): Promise<ChainReport> {
  return verifyStoredChain(stream, inCanonicalForm(events), expected);
}

async function* inCanonicalForm(events: AsyncIterable<RecordedEvent>): AsyncGenerator<StoredEvent> {
  for await (const event of events) yield toStored(event);
}

/** As `verifyChain`, of events as their bytes stand in the store. */
export async function verifyStoredChain(
  stream: string,
  events: AsyncIterable<StoredEvent>,
  expected?: { revision: bigint; hash: string },
): Promise<ChainReport> {
  // Of this stream, whatever a store says that it has found under its name.
  const fits = (previous: string, event: StoredEvent, revision: number): boolean =>
    event.stream === stream && chainHash(previous, { ...event, revision }) === event.hash;
  const faults: ChainFault[] = [];
  const swapped = new Map<number, StoredEvent>();
  const ahead: StoredEvent[] = [];
  const iterator = events[Symbol.asyncIterator]();
  const pull = async (): Promise<boolean> => {
    const next = await iterator.next();
    if (next.done !== true) ahead.push(next.value);
    return next.done !== true;
  };

  let previous = GENESIS_HASH;
  /** What the event before would give: its successor tells whether that event was changed or the hash beside it. */
  let given = previous;
  let revision = -1;
  let count = 0;
  while (ahead.length > 0 || (await pull())) {
    const event = swapped.get(revision + 1) ?? ahead[0]!;
    const place = ahead.shift()!;
    count++;
    if (place.revision > revision + 1) {
      faults.push({ kind: 'missing', from: BigInt(revision + 1), to: BigInt(place.revision - 1) });
      given = event.hash;
    } else if (fits(previous, event, place.revision) || fits(given, event, place.revision)) {
      given = event.hash;
    } else if (!HASH.test(previous) && HASH.test(event.hash)) {
      // The one before has lost its hash, and is named for that: nothing can be said of this one.
      given = event.hash;
    } else {
      while (ahead.length < SWAP_WINDOW && (await pull()));
      const other = ahead.find((candidate) => fits(previous, candidate, place.revision));
      if (other === undefined) {
        faults.push({ kind: 'changed', revision: BigInt(place.revision), id: place.id });
        given = chainHash(previous, { ...event, revision: place.revision });
      } else {
        faults.push({
          kind: 'swapped',
          revision: BigInt(place.revision),
          with: BigInt(other.revision),
        });
        swapped.set(other.revision, event);
        revision = place.revision;
        previous = given = other.hash;
        continue;
      }
    }
    revision = place.revision;
    previous = event.hash;
    if (expected?.revision === BigInt(revision) && expected.hash !== previous) {
      faults.push({ kind: 'changed', revision: BigInt(revision), id: place.id });
    }
  }
  if (expected !== undefined && expected.revision > BigInt(revision)) {
    faults.push({ kind: 'missing', from: BigInt(revision + 1), to: expected.revision });
  }
  return { stream, events: count, head: { revision: BigInt(revision), hash: previous }, faults };
}
