import type { StoredEvent } from '../store/scan.ts';
import type { KnownCheckpoint } from './known-checkpoints.ts';
import { GrowingTree, leafHash } from './merkle.ts';

/** Between two checkpoints the record is not what the second has seen. */
export interface Difference {
  readonly after: number;
  readonly upTo: number;
  /** How many events should stand there, and how many do. */
  readonly expected: number;
  readonly found: number;
  readonly checkpoint: KnownCheckpoint;
}

/**
 * The Merkle tree of a record as it is read, compared with each checkpoint where that ends. A checkpoint agrees only
 * where all events from the first one on, in number and order, give its root. After one that does not, the tree goes
 * on from what that checkpoint says the tree was: so a second difference shows as well, and where it is.
 */
export class TreeComparison {
  #tree = new GrowingTree();
  #size = 0;
  #next = 0;
  #after = 0;
  #agreesUpTo = 0;
  #agreed = 0;
  /** The tree was continued from a checkpoint's word, not from the first event. */
  #resumed = false;
  /** It could not be: nothing is known until a checkpoint says how it stood. */
  #lost = false;
  readonly #checkpoints: readonly KnownCheckpoint[];
  /** The next checkpoint whose end is known by its position. */
  #placed: number;

  constructor(checkpoints: readonly KnownCheckpoint[]) {
    this.#checkpoints = checkpoints;
    this.#placed = this.#placedFrom(0);
  }

  /** Events added. */
  get size(): number {
    return this.#size;
  }

  /** Size of the newest checkpoint up to which all is as it was. */
  get agreesUpTo(): number {
    return this.#agreesUpTo;
  }

  /** Checkpoints that agree. */
  get agreed(): number {
    return this.#agreed;
  }

  /** Root of all events so far; `null` where the tree went on from a checkpoint's word. */
  get root(): string | null {
    return this.#resumed ? null : this.#tree.root().toString('hex');
  }

  /** Checkpoints that end before this event. Call `compare` for each before `add`. */
  due(event: StoredEvent): number {
    const placed = this.#checkpoints[this.#placed];
    if (placed !== undefined && event.position > placed.position!) return this.#placed - this.#next + 1;
    const next = this.#checkpoints[this.#next];
    return next?.position === null && this.#tree.size >= next.size ? 1 : 0;
  }

  /** Checkpoints that were not compared yet, at the end. */
  get left(): number {
    return this.#checkpoints.length - this.#next;
  }

  add(event: StoredEvent): void {
    this.#tree.append(leafHash(Buffer.from(event.hash, 'hex')));
    this.#size += 1;
  }

  /** The next checkpoint with the tree as it stands. */
  compare(): Difference | undefined {
    const checkpoint = this.#checkpoints[this.#next++]!;
    if (this.#next > this.#placed) this.#placed = this.#placedFrom(this.#next);
    const { size, root } = checkpoint;
    const found = this.#tree.size;
    const after = this.#after;
    if (found === size && this.#tree.root().toString('hex') === root) {
      this.#agreed += 1;
      this.#after = size;
      if (!this.#resumed) this.#agreesUpTo = size;
      this.#lost = false;
      return undefined;
    }
    const wasLost = this.#lost;
    this.#lost = true;
    return wasLost
      ? undefined
      : { after, upTo: size, expected: size - after, found: found - after, checkpoint };
  }

  /** Goes on as if the checkpoint just compared had agreed. False where the frontier does not give its root. */
  resume(checkpoint: KnownCheckpoint, frontier: readonly string[]): boolean {
    let tree: GrowingTree;
    try {
      tree = new GrowingTree({
        size: checkpoint.size,
        frontier: frontier.map((hash) => Buffer.from(hash, 'hex')),
      });
    } catch (error) {
      if (error instanceof RangeError) return false;
      throw error;
    }
    if (tree.root().toString('hex') !== checkpoint.root) return false;
    this.#tree = tree;
    this.#after = checkpoint.size;
    this.#resumed = true;
    this.#lost = false;
    return true;
  }

  #placedFrom(index: number): number {
    let placed = index;
    while (placed < this.#checkpoints.length && this.#checkpoints[placed]!.position === null) placed += 1;
    return placed;
  }
}
