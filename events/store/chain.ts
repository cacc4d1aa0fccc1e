import { createHash } from 'node:crypto';
import { canonicalJson } from '../json.ts';
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

/** Lower-case hexadecimal. */
export function chainHash(previous: string, event: ChainedEvent): string {
  const { data, id, metadata, revision, stream, type } = event;
  return createHash('sha256')
    .update(previous, 'hex')
    .update(
      `{"data":${data},"id":${JSON.stringify(id)},"metadata":${metadata},"revision":"${revision}","stream":${JSON.stringify(stream)},"type":${JSON.stringify(type)}}`,
    )
    .digest('hex');
}

/** The hash that an event read back must have, if its predecessor's is `previous`. */
export function recordedHash(previous: string, event: RecordedEvent, revision = event.revision): string {
  const { hash: _, ...metadata } = event.metadata;
  return chainHash(previous, {
    stream: event.stream,
    revision,
    id: event.id,
    type: event.type,
    data: canonicalJson(event.data),
    metadata: canonicalJson(metadata),
  });
}

export type ChainFault =
  /** The event does not give the hash that stands beside it, after its predecessor. */
  | { kind: 'changed'; revision: bigint; id: string }
  /** Revisions `from` … `to` are not there. */
  | { kind: 'missing'; from: bigint; to: bigint }
  /** What stands at `revision` and at `with` belongs at the other's place. */
  | { kind: 'swapped'; revision: bigint; with: bigint };

export interface ChainReport {
  stream: string;
  events: number;
  /** Last revision and its hash: keep them elsewhere to notice a cut tail or a chain written anew. */
  head: { revision: bigint; hash: string };
  /** In the order of the stream; empty when it is whole. */
  faults: ChainFault[];
}

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
  const faults: ChainFault[] = [];
  const swapped = new Map<bigint, RecordedEvent>();
  const ahead: RecordedEvent[] = [];
  const iterator = events[Symbol.asyncIterator]();
  const pull = async (): Promise<boolean> => {
    const next = await iterator.next();
    if (next.done !== true) ahead.push(next.value);
    return next.done !== true;
  };

  let previous = GENESIS_HASH;
  let revision = -1n;
  let count = 0;
  while (ahead.length > 0 || (await pull())) {
    const event = swapped.get(revision + 1n) ?? ahead[0]!;
    const place = ahead.shift()!;
    count++;
    if (place.revision > revision + 1n) {
      faults.push({ kind: 'missing', from: revision + 1n, to: place.revision - 1n });
    } else if (recordedHash(previous, event, place.revision) !== event.metadata.hash) {
      while (ahead.length < SWAP_WINDOW && (await pull()));
      const other = ahead.find(
        (candidate) => recordedHash(previous, candidate, place.revision) === candidate.metadata.hash,
      );
      if (other === undefined) {
        faults.push({ kind: 'changed', revision: place.revision, id: place.id });
      } else {
        faults.push({ kind: 'swapped', revision: place.revision, with: other.revision });
        swapped.set(other.revision, event);
        revision = place.revision;
        previous = other.metadata.hash;
        continue;
      }
    }
    revision = place.revision;
    previous = event.metadata.hash;
    if (expected?.revision === revision && expected.hash !== previous) {
      faults.push({ kind: 'changed', revision, id: place.id });
    }
  }
  if (expected !== undefined && expected.revision > revision) {
    faults.push({ kind: 'missing', from: revision + 1n, to: expected.revision });
  }
  return { stream, events: count, head: { revision, hash: previous }, faults };
}
