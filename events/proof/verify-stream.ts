import { chainHash, GENESIS_HASH } from '../store/chain.ts';
import { scanRecord, toStored } from '../store/scan-record.ts';
import type { StoredEvent, RecordedEvent, RecordReader } from '../store/store.ts';
import { Findings, type Finding } from './finding-words.ts';
import { readCheckpoints, type CheckpointsFrom } from './known-checkpoints.ts';

const HASH = /^[0-9a-f]{64}$/;

/** The number of events before and after a broken link among which the missing event is searched for. */
const SWAP_WINDOW = 64;

/**
 * Walks one stream from its start and names its faults. A chain cannot show that its tail was cut or that all of it was
 * rewritten; checkpoints can, see `verifyStream`.
 */
export async function verifyChain(stream: string, events: AsyncIterable<RecordedEvent>) {
  return verifyStoredChain(stream, inCanonicalForm(events));
}

async function* inCanonicalForm(events: AsyncIterable<RecordedEvent>): AsyncGenerator<StoredEvent> {
  for await (const event of events) yield toStored(event);
}

/** `verifyChain` for events with their stored bytes. */
export async function verifyStoredChain(stream: string, events: AsyncIterable<StoredEvent>) {
  // The event must belong to this stream, even if the store returned it under the stream's name.
  const fits = (previous: string, event: StoredEvent, revision: number): boolean =>
    event.stream === stream && chainHash(previous, { ...event, revision }) === event.hash;
  const faults: Finding[] = [];
  const swapped = new Map<number, StoredEvent>();
  const ahead: StoredEvent[] = [];
  const iterator = events[Symbol.asyncIterator]();
  const pull = async (): Promise<boolean> => {
    const next = await iterator.next();
    if (next.done !== true) ahead.push(next.value);
    return next.done !== true;
  };

  let previous = GENESIS_HASH;
  /**
   * The hash that follows from the previous event. The next event shows whether the event was changed or the hash
   * stored with it.
   */
  let given = previous;
  let revision = -1;
  let count = 0;
  while (ahead.length > 0 || (await pull())) {
    const event = swapped.get(revision + 1) ?? ahead[0]!;
    const place = ahead.shift()!;
    count++;
    if (place.revision > revision + 1) {
      faults.push({ kind: 'missing', stream, from: revision + 1, to: place.revision - 1, checkpoint: null });
      given = event.hash;
    } else if (fits(previous, event, place.revision) || fits(given, event, place.revision)) {
      given = event.hash;
    } else if (!HASH.test(previous) && HASH.test(event.hash)) {
      // The previous event has no valid hash, which was reported for that event. So nothing can be said of this one.
      given = event.hash;
    } else {
      while (ahead.length < SWAP_WINDOW && (await pull()));
      const other = ahead.find((candidate) => fits(previous, candidate, place.revision));
      if (other === undefined) {
        faults.push({ kind: 'changed', stream, revision: place.revision, id: place.id });
        given = chainHash(previous, { ...event, revision: place.revision });
      } else {
        faults.push({ kind: 'swapped', stream, revision: place.revision, with: other.revision });
        swapped.set(other.revision, event);
        revision = place.revision;
        previous = given = other.hash;
        continue;
      }
    }
    revision = place.revision;
    previous = event.hash;
  }
  /** `faults` are in the order of the stream; there are none if it is whole. */
  return { events: count, faults };
}

/**
 * Verifies the chain of one stream, and that it contains the events that every known checkpoint covers. Only the whole
 * record shows whether the checkpoints belong to it: see `verifyRecord`.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export async function verifyStream(
  store: RecordReader,
  stream: string,
  { outside, key }: Omit<CheckpointsFrom, 'store'> = {},
) {
  const findings = new Findings();
  /**
   * The hash at each revision, as the checkpoints state it. There are several hashes if checkpoints contradict each
   * other: those in the record may have been rewritten.
   */
  const seen = new Map<number, Map<string, number>>();
  const known = await readCheckpoints({ store, outside, key }, findings, (head, checkpoint) => {
    if (head.stream !== stream) return;
    const hashes = seen.get(head.revision) ?? new Map<string, number>();
    if (!hashes.has(head.hash)) seen.set(head.revision, hashes.set(head.hash, checkpoint));
  });
  let last = -1;
  const rewritten: Finding[] = [];
  async function* compared(): AsyncGenerator<StoredEvent> {
    for await (const { events, faults } of scanRecord(store, stream)) {
      for (const fault of faults) {
        findings.add(fault.kind === 'unreadable' ? { stream, revision: null, ...fault } : fault);
      }
      for (const event of events) {
        const { revision } = event;
        for (const [hash, checkpoint] of seen.get(revision) ?? []) {
          if (hash === event.hash || rewritten.length > 0) continue;
          rewritten.push({ kind: 'rewritten', stream, revision, checkpoint });
        }
        last = Math.max(last, event.revision);
        yield event;
      }
    }
  }
  const { events, faults } = await verifyStoredChain(stream, compared());
  for (const fault of faults) findings.add(fault);
  for (const finding of rewritten) findings.add(finding);
  const to = Math.max(-1, ...seen.keys());
  const checkpoint = Math.max(0, ...(seen.get(to)?.values() ?? []));
  if (to > last && last === -1) findings.add({ kind: 'stream-missing', stream, from: 0, to, checkpoint });
  else if (to > last) findings.add({ kind: 'missing', stream, from: last + 1, to, checkpoint });
  return {
    stream,
    events,
    /** The numbers of known checkpoints, by the place where they are kept. */
    checkpoints: known.counts,
    signedFrom: known.signedFrom,
    findings: findings.kept,
    more: findings.more,
  };
}
