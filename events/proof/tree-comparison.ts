import type { StoredEvent } from '../store/store.ts';
import { treeWith, type Checkpoint } from './checkpoint.ts';
import type { KnownCheckpoint } from './known-checkpoints.ts';
import { GrowingTree, leafHash } from './merkle.ts';

/**
 * The Merkle tree of a record as it is read. It is compared with each checkpoint at the checkpoint's end: after as many
 * events as the checkpoint has, or (`byPosition`) after the event that the checkpoint names as its last, which still
 * works if events were removed.
 */
export class TreeComparison {
  readonly #checkpoints: readonly KnownCheckpoint[];
  readonly #byPosition: boolean;
  #tree = new GrowingTree();
  #next = 0;
  /** The size of the checkpoint after which a fault is searched: the last that agreed, or the one from which `resume` went on. */
  #after = 0;
  #agreesUpTo = 0;
  #agreed = 0;
  /** The size of the first checkpoint that disagreed. */
  #differsFrom = Infinity;
  #isResumed = false;
  /** Whether the tree is unknown until the next checkpoint states it. */
  #isLost = false;

  constructor(checkpoints: readonly KnownCheckpoint[], { byPosition }: { byPosition: boolean }) {
    this.#checkpoints = checkpoints;
    this.#byPosition = byPosition;
  }

  /** The number of events so far; after `resume`, counted on from the checkpoint. */
  get size(): number {
    return this.#tree.size;
  }

  /** The size of the newest checkpoint whose tree is that of all events from the first on. */
  get agreesUpTo(): number {
    return this.#agreesUpTo;
  }

  /** The number of checkpoints that agree. */
  get agreed(): number {
    return this.#agreed;
  }

  /** Whether any checkpoint disagreed. */
  get differs(): boolean {
    return this.#isLost || this.#isResumed;
  }

  /**
   * Whether this checkpoint and all before it match the record. A second checkpoint of the same size may still
   * disagree.
   */
  agreesWith(size: number): boolean {
    return size <= this.#agreesUpTo && size < this.#differsFrom;
  }

  /** The root hash over all events so far, in hexadecimal. */
  root(): string {
    return this.#tree.root().toString('hex');
  }

  /**
   * The next checkpoint to compare: one that ends before this event, or at the end of the record. Compare it before the
   * event is added.
   */
  due(event: StoredEvent | undefined): KnownCheckpoint | undefined {
    const next = this.#checkpoints[this.#next];
    if (next === undefined || event === undefined) return next;
    const isDue =
      this.#byPosition && next.position !== null ? event.position > next.position : this.size >= next.size;
    return isDue ? next : undefined;
  }

  add(event: StoredEvent): void {
    this.#tree.append(leafHash(Buffer.from(event.hash, 'hex')));
  }

  /**
   * Compares the checkpoint that is due. If it disagrees, the result has the sizes between which the fault lies, the
   * expected number of events, and the actual number. Later checkpoints disagree as well and are not reported unless
   * the tree is resumed.
   */
  compare() {
    const checkpoint = this.#checkpoints[this.#next++]!;
    const { size, root } = checkpoint;
    if (this.size === size && this.root() === root) {
      this.#agreed += 1;
      this.#after = size;
      if (!this.#isResumed) this.#agreesUpTo = size;
      return undefined;
    }
    this.#differsFrom = Math.min(this.#differsFrom, size);
    if (this.#isLost) return undefined;
    this.#isLost = true;
    // If another checkpoint of the same size agrees, the fault cannot be narrowed down to earlier events.
    const after = this.#after < size ? this.#after : 0;
    return { after, upTo: size, expected: size - after, found: this.size - after, checkpoint };
  }

  /** Continues as if the last compared checkpoint had agreed, provided that its frontier gives its root. */
  resume({ size, root }: KnownCheckpoint, frontier: Checkpoint['frontier']): void {
    try {
      this.#tree = treeWith({ size, root, frontier });
    } catch {
      return;
    }
    this.#after = size;
    this.#isResumed = true;
    this.#isLost = false;
  }
}
