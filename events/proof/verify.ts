import { chainHash } from '../store/chain.ts';
import { scanRecord, type StoredEvent, type StoreFault } from '../store/scan.ts';
import type { RecordReader } from '../store/store.ts';
import { Findings, type Finding } from './finding.ts';
import type { VerifierKey } from './keys.ts';
import { readCheckpoints, recordedCheckpoint, type KnownCheckpoints } from './known-checkpoints.ts';
import { StreamHeads } from './stream-heads.ts';
import { originOf } from './tree-head.ts';
import { TreeComparison } from './tree-comparison.ts';
import { verifyStoredChain } from './verify-stream.ts';

export interface VerifyOptions {
  /** Lines of the checkpoint file kept outside the record, each time from the first. */
  readonly outside?: (() => AsyncIterable<string>) | undefined;
  /** Who must have signed every checkpoint from the first signed one on. Without one, signatures are not looked at. */
  readonly key?: VerifierKey | undefined;
  /** What was noted somewhere else of the first `size` events; the root in hexadecimal. */
  readonly expect?: { readonly size: number; readonly root: string } | undefined;
  /** After each page; `total` is `null` where the store does not count its events. */
  readonly onProgress?: ((done: number, total: number | null) => void) | undefined;
}

/**
 * Verifies a record in one pass: every chain, the Merkle tree at each size for which a checkpoint is known, and that
 * each stream goes as far as checkpoints have seen it. Only streams that do not add up are read again, to name what is
 * wrong. Memory grows with the number of streams (some hundred bytes each), not with the events. Services may write
 * meanwhile: what was there at the beginning is verified.
 *
 * Found is whatever was changed, removed or moved and is covered by a checkpoint that is known (see `outside`, `expect`)
 * or whose traces the chains still show. Of what came after the newest one, only the chains tell.
 *
 * @throws {BelegError} `STORE_UNAVAILABLE`
 */
export async function verifyRecord(store: RecordReader, options: VerifyOptions = {}) {
  const verification = new Verification(store, options);
  await verification.readCheckpoints();
  let done = 0;
  for await (const { events, faults, total } of scanRecord(store)) {
    for (const fault of faults) verification.takeFault(fault);
    for (const event of events) verification.take(event);
    done += events.length;
    options.onProgress?.(done, total);
  }
  return verification.end();
}

/** Kinds that say by themselves why the tree differs. */
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

/** By stream, what a checkpoint of this size has seen of it, until that comes. */
type Expected = Map<string, { readonly revision: number; readonly hash: string; readonly size: number }>;

class Verification {
  readonly #store: RecordReader;
  readonly #options: VerifyOptions;
  readonly #findings = new Findings();
  readonly #heads = new StreamHeads();
  readonly #expected: Expected = new Map();
  /**
   * What checkpoints outside the record say, where no key tells which others can be relied on: newer ones in the record
   * may be of whoever wrote it anew, and must not speak louder.
   */
  readonly #outside: Expected = new Map();
  readonly #suspects = new Set<string>();
  /** The first event of a stream that comes after one that follows it. */
  readonly #late = new Map<string, Pick<StoredEvent, 'revision' | 'position'>>();
  readonly #rewritten: { stream: string; revision: number; checkpoint: number }[] = [];
  /** Where checkpoints end, as they say themselves. */
  readonly #ends = new Set<string>();
  #endsSeen = 0;
  #known: KnownCheckpoints = {
    trusted: [],
    counts: { record: 0, outside: 0 },
    origins: new Map(),
    signedFrom: null,
  };
  #origin: string | undefined;
  #expectedRoot: string | undefined;
  #tree = new TreeComparison([], { byPosition: false });

  constructor(store: RecordReader, options: VerifyOptions) {
    this.#store = store;
    this.#options = options;
  }

  async readCheckpoints(): Promise<void> {
    const { outside, key } = this.#options;
    const from = { store: this.#store, outside, key };
    this.#known = await readCheckpoints(from, this.#findings, (head, size, source) => {
      const expected = source === 'outside' && key === undefined ? this.#outside : this.#expected;
      const { stream, revision, hash } = head;
      // The newest one's word counts.
      if (size >= (expected.get(stream)?.size ?? 0)) expected.set(stream, { revision, hash, size });
    });
    this.#tree = new TreeComparison(this.#known.trusted, { byPosition: false });
    for (const { position } of this.#known.trusted) if (position !== null) this.#ends.add(position);
  }

  takeFault(fault: StoreFault): void {
    if (fault.kind !== 'unreadable') return this.#findings.add(fault);
    const { kind, from, to, stream = null, revision = null } = fault;
    this.#findings.add({ kind, from, to, stream, revision });
  }

  take(event: StoredEvent): void {
    const { stream, revision, hash } = event;
    this.#origin ??= originOf(hash);
    const head = this.#heads.of(stream);
    if (revision <= head.revision) {
      this.#suspects.add(stream);
      if (!this.#late.has(stream)) this.#late.set(stream, { revision, position: event.position });
    } else {
      if (revision !== head.revision + 1 || chainHash(head.hash, event) !== hash) this.#suspects.add(stream);
      head.revision = revision;
      head.hash = hash;
    }
    this.#meet(this.#expected, event);
    this.#meet(this.#outside, event);
    while (this.#tree.due(event) !== undefined) this.#tree.compare();
    this.#tree.add(event);
    if (this.#tree.size === this.#options.expect?.size) this.#expectedRoot = this.#tree.root();
    if (this.#ends.has(event.position)) this.#endsSeen += 1;
  }

  #meet(all: Expected, { stream, revision, hash }: StoredEvent): void {
    const expected = all.get(stream);
    if (revision !== expected?.revision) return;
    all.delete(stream);
    if (expected.hash !== hash) this.#rewritten.push({ stream, revision, checkpoint: expected.size });
  }

  async end() {
    const tree = this.#tree;
    while (tree.due(undefined) !== undefined) tree.compare();
    this.#tellOrigins();
    for (const stream of this.#suspects) await this.#examine(stream);
    this.#tellHeads();
    if (tree.differs) await this.#tellDifferences();
    this.#tellExpected();
    const { record, outside } = this.#known.counts;
    return {
      events: tree.size,
      streams: this.#heads.size,
      /** Of all events; hexadecimal. */
      root: tree.root(),
      checkpoints: { record, outside, agreed: tree.agreed, agreesUpTo: tree.agreesUpTo },
      signedFrom: this.#known.signedFrom,
      /** Empty for a whole record. */
      findings: this.#findings.kept,
      /** Findings beyond those. */
      more: this.#findings.more,
    };
  }

  #tellOrigins(): void {
    const found = this.#origin ?? 'empty';
    for (const [origin, source] of this.#known.origins) {
      if (origin !== found) this.#findings.add({ kind: 'other-record', source, origin, found });
    }
  }

  /** Reads a stream again whose events do not add up, to say what is wrong with it. */
  async #examine(stream: string): Promise<void> {
    const { faults } = await verifyStoredChain(stream, eventsOf(this.#store, stream));
    for (const fault of faults) this.#findings.add(fault);
    const late = this.#late.get(stream);
    if (faults.length > 0) return;
    if (late === undefined) {
      this.#findings.add({
        kind: 'damaged',
        detail: `${stream} has different events when read alone than in the whole record`,
      });
    } else {
      const { revision, position } = late;
      this.#findings.add({ kind: 'out-of-order', stream, revision, position });
    }
  }

  /** What checkpoints have seen and the record does not have. Where it gives their root, it is they who are wrong. */
  #tellHeads(): void {
    // The root is of hashes: what it says of events holds where each event gives its hash.
    const isForged = (size: number): boolean => this.#tree.agreesWith(size) && this.#suspects.size === 0;
    const tellForged = (stream: string, size: number): void =>
      this.#findings.add({ kind: 'forged-heads', source: null, size, stream });
    const told = new Set<string>();
    for (const { stream, revision, checkpoint } of this.#rewritten) {
      if (told.has(stream)) continue;
      told.add(stream);
      if (isForged(checkpoint)) tellForged(stream, checkpoint);
      else this.#findings.add({ kind: 'rewritten', stream, revision, checkpoint });
    }
    for (const expected of [this.#expected, this.#outside]) {
      for (const [stream, { revision: to, size: checkpoint }] of expected) {
        if (told.has(stream)) continue;
        told.add(stream);
        const last = this.#heads.get(stream)?.revision ?? -1;
        if (isForged(checkpoint)) tellForged(stream, checkpoint);
        else if (last === -1) this.#findings.add({ kind: 'stream-missing', stream, from: 0, to, checkpoint });
        // Holes before the last one are the chain's to tell.
        else if (last < to) this.#findings.add({ kind: 'missing', stream, from: last + 1, to, checkpoint });
      }
    }
  }

  /** Reads the record once more, to say between which checkpoints it is not what it was. */
  async #tellDifferences(): Promise<void> {
    const isExplained = this.#findings.kept.some(({ kind }) => EXPLANATIONS.has(kind));
    // In a record that was moved to another store, events have other positions.
    const byPosition = this.#endsSeen * 2 >= this.#ends.size;
    const tree = new TreeComparison(this.#known.trusted, { byPosition });
    const revisions = new Map<string, number>();
    const compare = async (before: StoredEvent | undefined): Promise<void> => {
      while (tree.due(before) !== undefined) {
        const difference = tree.compare();
        if (difference === undefined) continue;
        const { after, upTo, expected, found, checkpoint } = difference;
        const recorded = await recordedCheckpoint(this.#store, checkpoint);
        const streams = (recorded?.heads ?? [])
          .filter(({ stream, revision }) => revisions.get(stream) !== revision)
          .map(({ stream }) => stream);
        this.#findings.add(
          expected === found && !isExplained
            ? { kind: 'order', after, upTo, streams }
            : { kind: 'tree', after, upTo, expected, found },
        );
        if (recorded !== undefined) tree.resume(checkpoint, recorded.frontier);
      }
    };
    for await (const { events } of scanRecord(this.#store)) {
      for (const event of events) {
        if (tree.due(event) !== undefined) await compare(event);
        tree.add(event);
        revisions.set(event.stream, event.revision);
      }
    }
    await compare(undefined);
  }

  #tellExpected(): void {
    const { expect } = this.#options;
    if (expect === undefined || this.#expectedRoot === expect.root) return;
    const { size, agreesUpTo } = this.#tree;
    this.#findings.add({ kind: 'expected', ...expect, events: size, agreesUpTo });
  }
}

async function* eventsOf(store: RecordReader, stream: string): AsyncGenerator<StoredEvent> {
  for await (const { events } of scanRecord(store, stream)) yield* events;
}
