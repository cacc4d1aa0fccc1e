import type { z } from 'zod';
import { CHECKPOINTS_STREAM, RecordCheckpointed } from '../catalog/audit.ts';
import { BelegError } from '../errors.ts';
import type { RecordedEvent, RecordReader } from '../store/store.ts';
import type { SigningKey } from './keys.ts';
import { GrowingTree, leafHash } from './merkle.ts';
import { parseNote, signNote } from './signed-note.ts';
import { formatTreeHead, headsHash, originOf, parseTreeHead, type Head } from './tree-head.ts';

/** The data of `RecordCheckpointed`. */
export type Checkpoint = z.output<typeof RecordCheckpointed.schema>;

/**
 * The checkpoint in a recorded `RecordCheckpointed`.
 *
 * @throws {BelegError} `STREAM_CORRUPT` if its data is not valid.
 */
export function readCheckpoint(event: RecordedEvent): Checkpoint {
  const parsed = RecordCheckpointed.schema.safeParse(event.data);
  if (event.type !== RecordCheckpointed.type || !parsed.success) {
    throw new BelegError('STREAM_CORRUPT', {
      detail: `event ${event.revision} of ${event.stream} is not a checkpoint`,
    });
  }
  return parsed.data;
}

export type NewestCheckpoint = Awaited<ReturnType<typeof newestCheckpoint>>;

/**
 * The newest checkpoint of a record; `null` before the first one. Rejects with `STREAM_CORRUPT`, and with the faults of
 * the store.
 */
export async function newestCheckpoint(store: Pick<RecordReader, 'readStream'>) {
  for await (const event of store.readStream(CHECKPOINTS_STREAM, { direction: 'backwards', limit: 1 })) {
    return { event, checkpoint: readCheckpoint(event) };
  }
  return null;
}

/** The leaf of an event in the Merkle log: its chain hash, as 32 bytes, hashed as RFC 6962 hashes leaves. */
export function eventLeaf(event: RecordedEvent): Buffer {
  return leafHash(Buffer.from(event.metadata.hash, 'hex'));
}

/**
 * The record as a Merkle log that grows: takes events in the order of `$all` and makes checkpoints over them. Pure.
 *
 * @example
 * const log = new CheckpointLog(null);
 * for (const event of events) log.add(event);
 * if (log.uncovered > 0) append(log.checkpoint(key));
 */
export class CheckpointLog {
  readonly #tree: GrowingTree;
  #origin: string;
  #last: RecordedEvent | null = null;
  #heads = new Map<string, Head>();
  #uncovered = 0;

  /**
   * Continues after a checkpoint, with the event after its `position`; with `null`, from the record's first event.
   *
   * @throws {BelegError} `STREAM_CORRUPT` for a checkpoint that contradicts itself.
   */
  constructor(last: Checkpoint | null) {
    try {
      this.#tree = last === null ? new GrowingTree() : treeWith(last);
      this.#origin = last === null ? '' : parseTreeHead(parseNote(last.note).text).origin;
    } catch (cause) {
      throw new BelegError('STREAM_CORRUPT', {
        detail: 'the hashes of the last checkpoint do not match its root',
        cause,
      });
    }
  }

  /**
   * The number of events since the last checkpoint that justify a new one. Checkpoints are leaves as well but do not
   * count, because otherwise each would cause another.
   */
  get uncovered(): number {
    return this.#uncovered;
  }

  add(event: RecordedEvent): void {
    if (this.#tree.size === 0) this.#origin = originOf(event.metadata.hash);
    this.#tree.append(eventLeaf(event));
    const { stream, revision, metadata } = event;
    this.#heads.set(stream, { stream, revision: Number(revision), hash: metadata.hash });
    this.#last = event;
    if (stream !== CHECKPOINTS_STREAM) this.#uncovered += 1;
  }

  /**
   * Makes a checkpoint over the events added since the last one; there must be at least one. Equal events give equal
   * checkpoints.
   *
   * @param key signs the checkpoint; with `null` it is not signed.
   */
  checkpoint(key: SigningKey | null): Checkpoint {
    if (this.#last === null) throw new RangeError('there are no new events since the last checkpoint');
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
    return checkpoint;
  }
}

/**
 * The tree of a checkpoint.
 *
 * @throws {RangeError} if its frontier does not give its root.
 */
export function treeWith({
  size,
  root,
  frontier,
}: Pick<Checkpoint, 'size' | 'root' | 'frontier'>): GrowingTree {
  const tree = new GrowingTree({ size, frontier: frontier.map((hash) => Buffer.from(hash, 'hex')) });
  if (tree.root().toString('hex') !== root)
    throw new RangeError('the hashes of the frontier do not match the root');
  return tree;
}
