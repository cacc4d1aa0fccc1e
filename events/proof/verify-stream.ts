import { chainHash, GENESIS_HASH } from '../store/chain.ts';
import { scanRecord, toStored, type StoredEvent } from '../store/scan.ts';
import type { RecordedEvent, RecordReader } from '../store/store.ts';
import { Findings, type Finding } from './finding.ts';
import { readCheckpoints, type CheckpointsFrom, type KnownCheckpoints } from './known-checkpoints.ts';

type ChainFault =
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

/** What a chain shows by itself, as a finding. */
export function toFinding(stream: string, fault: ChainFault): Finding {
  switch (fault.kind) {
    case 'changed':
      return { kind: fault.kind, stream, revision: Number(fault.revision), id: fault.id };
    case 'missing':
      return {
        kind: fault.kind,
        stream,
        from: Number(fault.from),
        to: Number(fault.to),
        checkpoint: null,
      };
    case 'swapped':
      return { kind: fault.kind, stream, revision: Number(fault.revision), with: Number(fault.with) };
  }
}

interface StreamReport {
  readonly stream: string;
  readonly events: number;
  /** Known ones, by where they stand. */
  readonly checkpoints: KnownCheckpoints['counts'];
  readonly signedFrom: KnownCheckpoints['signedFrom'];
  readonly findings: readonly Finding[];
  readonly more: number;
}

/**
 * Verifies the chain of one stream alone, and that it goes as far, with the same events, as every known checkpoint has
 * seen it. Whether those checkpoints are of this record, only all of it shows: see `verifyRecord`.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`
 */
export async function verifyStream(
  store: RecordReader,
  stream: string,
  { outside, key }: Omit<CheckpointsFrom, 'store'> = {},
): Promise<StreamReport> {
  const findings = new Findings();
  /** More than one of a revision where checkpoints contradict each other: those in the record may have been written anew. */
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
  for (const fault of faults) findings.add(toFinding(stream, fault));
  for (const finding of rewritten) findings.add(finding);
  const to = Math.max(-1, ...seen.keys());
  const checkpoint = Math.max(0, ...(seen.get(to)?.values() ?? []));
  if (to > last && last === -1) findings.add({ kind: 'stream-missing', stream, from: 0, to, checkpoint });
  else if (to > last) findings.add({ kind: 'missing', stream, from: last + 1, to, checkpoint });
  return {
    stream,
    events,
    checkpoints: known.counts,
    signedFrom: known.signedFrom,
    findings: findings.kept,
    more: findings.more,
  };
}
