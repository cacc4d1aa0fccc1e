import type { z } from 'zod';
import { CHECKPOINTS_STREAM, type RecordCheckpointed } from '../catalog/audit.ts';
import type { RecordedEvent } from '../store/store.ts';
import type { SigningKey } from './keys.ts';
import { GrowingTree, leafHash } from './merkle.ts';
import { parseNote, signNote } from './note.ts';
import { formatTreeHead, headsHash, originOf, parseTreeHead, type Head } from './tree-head.ts';

/** The data of `RecordCheckpointed`. */
export type Checkpoint = z.output<typeof RecordCheckpointed.schema>;

/** The leaf of an event in the Merkle log: its chain hash, as 32 bytes, hashed as RFC 6962 hashes leaves. */
export function eventLeaf(event: RecordedEvent): Buffer {
  return leafHash(Buffer.from(event.metadata.hash, 'hex'));
}

/**
 * The record as a Merkle log that grows: takes events as they stand in `$all` and gives checkpoints of them. Pure.
 *
 * @example
 * const log = new CheckpointLog(null);
 * for (const event of events) log.add(event);
 * if (log.isWorthwhile) append(log.checkpoint(key));
 */
export class CheckpointLog {
  readonly #tree: GrowingTree;
  #origin: string;
  #last: RecordedEvent | null = null;
  #heads = new Map<string, Head>();
  #uncovered = 0;
  #isWorthwhile = false;

  /**
   * Goes on after a checkpoint, with the event after its `position`; `null`: with the record's first event.
   *
   * @throws {Malformed} {RangeError} for a checkpoint that does not add up
   */
  constructor(last: Checkpoint | null) {
    this.#tree = new GrowingTree(
      last === null
        ? undefined
        : { size: last.size, frontier: last.frontier.map((hash) => Buffer.from(hash, 'hex')) },
    );
    this.#origin = last === null ? '' : parseTreeHead(parseNote(last.note).text).origin;
    if (last !== null && this.#tree.root().toString('hex') !== last.root) {
      throw new RangeError('the frontier of the checkpoint does not give its root');
    }
  }

  /** Events since the last checkpoint. */
  get uncovered(): number {
    return this.#uncovered;
  }

  /** Whether another checkpoint would say more than that there are checkpoints. */
  get isWorthwhile(): boolean {
    return this.#isWorthwhile;
  }

  add(event: RecordedEvent): void {
    if (this.#tree.size === 0) this.#origin = originOf(event.metadata.hash);
    this.#tree.append(eventLeaf(event));
    const { stream, revision, metadata } = event;
    this.#heads.set(stream, { stream, revision: Number(revision), hash: metadata.hash });
    this.#last = event;
    this.#uncovered += 1;
    this.#isWorthwhile ||= stream !== CHECKPOINTS_STREAM;
  }

  /**
   * Covers what was added since the last one, of which there must be something. Equal events give equal checkpoints.
   *
   * @param key `null`: not signed
   */
  checkpoint(key: SigningKey | null): Checkpoint {
    if (this.#last === null) throw new RangeError('nothing was added since the last checkpoint');
    const { size, frontier } = this.#tree;
    const root = this.#tree.root();
    const heads = [...this.#heads.values()].sort((one, other) => (one.stream < other.stream ? -1 : 1));
    const text = formatTreeHead({ origin: this.#origin, size, root, heads: headsHash(heads) });
    const checkpoint = {
      size,
      root: root.toString('hex'),
      note: signNote(text, key === null ? [] : [key]),
      position: this.#last.position,
      frontier: frontier.map((hash) => Buffer.from(hash).toString('hex')),
      heads,
    };
    this.#last = null;
    this.#heads = new Map();
    this.#uncovered = 0;
    this.#isWorthwhile = false;
    return checkpoint;
  }
}
