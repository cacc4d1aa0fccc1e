import { chainHash } from '../store/chain.ts';
import { scanRecord } from '../store/scan-record.ts';
import type { StoredEvent, StoreFault, RecordReader } from '../store/store.ts';
import { Findings, type Finding } from './finding-words.ts';
import type { VerifierKey } from './keys.ts';
import { readCheckpoints, recordedCheckpoint } from './known-checkpoints.ts';
import { StreamHeads } from './stream-heads.ts';
import { originOf } from './tree-head.ts';
import { TreeComparison } from './tree-comparison.ts';
import { verifyStoredChain } from './verify-stream.ts';

export interface VerifyOptions {
  /** The lines of the checkpoint file that is kept outside the record. Each call reads them from the first one on. */
  readonly outside?: (() => AsyncIterable<string>) | undefined;
  /**
   * The key that must have signed every checkpoint from the first signed one on. Without a key, signatures are not
   * checked.
   */
  readonly key?: VerifierKey | undefined;
  /** The size and root (hexadecimal) of the first events, as noted elsewhere. */
  readonly expect?: { readonly size: number; readonly root: string } | undefined;
  /** Called after each page. `total` is `null` if the store does not count its events. */
  readonly onProgress?: ((done: number, total: number | null) => void) | undefined;
}

/**
 * Verifies a record in one pass: every chain, the Merkle tree at each size for which a checkpoint is known, and that
 * each stream reaches the heads that checkpoints list. Only streams with faults are read again, to name the faults.
 * Memory grows with the number of streams (some hundred bytes each), not of events. Services may write meanwhile: the
 * record as it was at the beginning is verified.
 *
 * An event that was changed, removed or moved is found if a known checkpoint covers it (see `outside`, `expect`), or if
 * the chains still show the change. Events after the newest known checkpoint are protected by the chains only.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`.
 */
export async function verifyRecord(
  store: RecordReader,
  { outside, key, expect, onProgress }: VerifyOptions = {},
) {
  const findings = new Findings();
  const heads = new StreamHeads();
  const expected: Expected = new Map();
  /**
   * The heads that checkpoints outside the record list, if there is no key. Whoever rewrote the record may also have
   * written newer checkpoints in it, so these must not count more.
   */
  const expectedOutside: Expected = new Map();
  const known = await readCheckpoints({ store, outside, key }, findings, (head, size, source) => {
    const all = source === 'outside' && key === undefined ? expectedOutside : expected;
    const { stream, revision, hash } = head;
    // The newest checkpoint counts.
    if (size >= (all.get(stream)?.size ?? 0)) all.set(stream, { revision, hash, size });
  });
  const tree = new TreeComparison(known.trusted, { byPosition: false });
  /** The positions at which checkpoints end, as they state them. */
  const ends = new Set<string>(known.trusted.flatMap(({ position }) => position ?? []));
  let endsSeen = 0;
  const suspects = new Set<string>();
  /** The first event of each stream that comes after an event that should follow it. */
  const late = new Map<string, Pick<StoredEvent, 'revision' | 'position'>>();
  const rewritten: { stream: string; revision: number; checkpoint: number }[] = [];
  const types = new Map<string, number>();
  let ownOrigin: string | undefined;
  let expectedRoot: string | undefined;

  function takeFault(fault: StoreFault): void {
    if (fault.kind !== 'unreadable') return findings.add(fault);
    const { kind, from, to, stream = null, revision = null } = fault;
    findings.add({ kind, from, to, stream, revision });
  }

  function take(event: StoredEvent): void {
    const { stream, revision, hash, type } = event;
    ownOrigin ??= originOf(hash);
    types.set(type, (types.get(type) ?? 0) + 1);
    const head = heads.of(stream);
    if (revision <= head.revision) {
      suspects.add(stream);
      if (!late.has(stream)) late.set(stream, { revision, position: event.position });
    } else {
      if (revision !== head.revision + 1 || chainHash(head.hash, event) !== hash) suspects.add(stream);
      head.revision = revision;
      head.hash = hash;
    }
    meet(expected, event);
    meet(expectedOutside, event);
    while (tree.due(event) !== undefined) tree.compare();
    tree.add(event);
    if (tree.size === expect?.size) expectedRoot = tree.root();
    if (ends.has(event.position)) endsSeen += 1;
  }

  function meet(all: Expected, { stream, revision, hash }: StoredEvent): void {
    const seen = all.get(stream);
    if (revision !== seen?.revision) return;
    all.delete(stream);
    if (seen.hash !== hash) rewritten.push({ stream, revision, checkpoint: seen.size });
  }

  function tellOrigins(): void {
    const found = ownOrigin ?? 'empty';
    for (const [origin, source] of known.origins) {
      if (origin !== found) findings.add({ kind: 'other-record', source, origin, found });
    }
  }

  /** Reads a faulty stream again, to say what is wrong with it. */
  async function examine(stream: string): Promise<void> {
    const { faults } = await verifyStoredChain(stream, eventsOf(store, stream));
    for (const fault of faults) findings.add(fault);
    const outOfOrder = late.get(stream);
    if (faults.length > 0) return;
    if (outOfOrder === undefined) {
      findings.add({
        kind: 'damaged',
        detail: `${stream} has different events when read alone than in the whole record`,
      });
    } else {
      findings.add({ kind: 'out-of-order', stream, ...outOfOrder });
    }
  }

  /**
   * Whether a head that differs from the record was forged, because the record has the checkpoint's root. The root
   * covers hashes, and says something about events only if each event gives its hash.
   */
  const isForged = (size: number): boolean => tree.agreesWith(size) && suspects.size === 0;

  /**
   * Reports heads that checkpoints list and the record does not have. If the record has the root of such a checkpoint,
   * the checkpoint is wrong.
   */
  function tellHeads(): void {
    const told = new Set<string>();
    for (const { stream, revision, checkpoint } of rewritten) {
      if (told.has(stream)) continue;
      told.add(stream);
      if (isForged(checkpoint))
        findings.add({ kind: 'forged-heads', source: null, size: checkpoint, stream });
      else findings.add({ kind: 'rewritten', stream, revision, checkpoint });
    }
    for (const all of [expected, expectedOutside]) {
      for (const [stream, { revision: to, size: checkpoint }] of all) {
        if (told.has(stream)) continue;
        told.add(stream);
        const last = heads.get(stream)?.revision ?? -1;
        if (isForged(checkpoint))
          findings.add({ kind: 'forged-heads', source: null, size: checkpoint, stream });
        else if (last === -1) findings.add({ kind: 'stream-missing', stream, from: 0, to, checkpoint });
        // Earlier gaps show in the chain and were reported with it.
        else if (last < to) findings.add({ kind: 'missing', stream, from: last + 1, to, checkpoint });
      }
    }
  }

  /** Reads the record once more to say between which checkpoints it was changed. */
  async function tellDifferences(): Promise<void> {
    const isExplained = findings.kept.some(({ kind }) => EXPLANATIONS.has(kind));
    // A record that was moved to another store has other positions.
    const byPosition = endsSeen * 2 >= ends.size;
    const tree = new TreeComparison(known.trusted, { byPosition });
    const revisions = new Map<string, number>();
    const compare = async (before: StoredEvent | undefined): Promise<void> => {
      while (tree.due(before) !== undefined) {
        const difference = tree.compare();
        if (difference === undefined) continue;
        const { after, upTo, expected, found, checkpoint } = difference;
        const recorded = await recordedCheckpoint(store, checkpoint);
        const streams = (recorded?.heads ?? [])
          .filter(({ stream, revision }) => revisions.get(stream) !== revision)
          .map(({ stream }) => stream);
        findings.add(
          expected === found && !isExplained
            ? { kind: 'order', after, upTo, streams }
            : { kind: 'tree', after, upTo, expected, found },
        );
        if (recorded !== undefined) tree.resume(checkpoint, recorded.frontier);
      }
    };
    for await (const { events } of scanRecord(store)) {
      for (const event of events) {
        if (tree.due(event) !== undefined) await compare(event);
        tree.add(event);
        revisions.set(event.stream, event.revision);
      }
    }
    await compare(undefined);
  }

  function tellExpected(): void {
    if (expect === undefined || expectedRoot === expect.root) return;
    const { size, agreesUpTo } = tree;
    findings.add({ kind: 'expected', ...expect, events: size, agreesUpTo });
  }

  let done = 0;
  for await (const { events, faults, total } of scanRecord(store)) {
    for (const fault of faults) takeFault(fault);
    for (const event of events) take(event);
    done += events.length;
    onProgress?.(done, total);
  }
  while (tree.due(undefined) !== undefined) tree.compare();
  tellOrigins();
  for (const stream of suspects) await examine(stream);
  tellHeads();
  if (tree.differs) await tellDifferences();
  tellExpected();
  return {
    events: tree.size,
    streams: heads.size,
    /** How many events there are of each type. */
    types: types as ReadonlyMap<string, number>,
    /** The root hash over all events, in hexadecimal. */
    root: tree.root(),
    checkpoints: { ...known.counts, agreed: tree.agreed, agreesUpTo: tree.agreesUpTo },
    signedFrom: known.signedFrom,
    /** The findings; empty if the record is whole. */
    findings: findings.kept,
    /** The number of findings beyond those that are kept. */
    more: findings.more,
  };
}

/** The kinds of finding that explain why the tree differs. */
const EXPLANATIONS: ReadonlySet<Finding['kind']> = new Set([
  'changed',
  'missing',
  'stream-missing',
  'swapped',
  'rewritten',
  'out-of-order',
  'unreadable',
  'gap',
  'damaged',
]);

/**
 * For each stream, the head that the checkpoint of `size` events lists. An entry is removed when its event was read.
 */
type Expected = Map<string, { readonly revision: number; readonly hash: string; readonly size: number }>;

async function* eventsOf(store: RecordReader, stream: string): AsyncGenerator<StoredEvent> {
  for await (const { events } of scanRecord(store, stream)) yield* events;
}
