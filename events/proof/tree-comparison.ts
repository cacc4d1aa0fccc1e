import type { StoredEvent } from '../store/store.ts';
import { treeWith, type Checkpoint } from './checkpoint.ts';
import type { KnownCheckpoint } from './known-checkpoints.ts';
import { GrowingTree, leafHash } from './merkle.ts';

/**
 * The Merkle tree of a record as it is read, compared with each checkpoint where that ends: after as many events as it
 * has, or (`byPosition`) after the event that it says was its last, which still holds where events were removed.
 */
export class TreeComparison {
  readonly #checkpoints: readonly KnownCheckpoint[];
  readonly #byPosition: boolean;
  #tree = new GrowingTree();
  #next = 0;
  /** Size of the last checkpoint that agreed, or that the tree went on from. */
  #after = 0;
  #agreesUpTo = 0;
  #agreed = 0;
  /** Size of the first that did not. */
  #differsFrom = Infinity;
  #isResumed = false;
  /** True while nothing is known of the tree, until the next checkpoint says how it was. */
  #isLost = false;

  constructor(checkpoints: readonly KnownCheckpoint[], { byPosition }: { byPosition: boolean }) {
    this.#checkpoints = checkpoints;
    this.#byPosition = byPosition;
  }

  /** Events so far; after `resume`, as the checkpoint has counted them. */
  get size(): number {
    return this.#tree.size;
  }

  /** Size of the newest checkpoint that is the tree of all events from the first on. */
  get agreesUpTo(): number {
    return this.#agreesUpTo;
  }

  /** Checkpoints that agree. */
  get agreed(): number {
    return this.#agreed;
  }

  /** Whether a checkpoint disagreed. */
  get differs(): boolean {
    return this.#isLost || this.#isResumed;
  }

  /** Whether the checkpoint and all before it are the tree of the record. Others of the same size may disagree. */
  agreesWith(size: number): boolean {
    return size <= this.#agreesUpTo && size < this.#differsFrom;
  }

  /** The root hash over all events so far, in hexadecimal. */
  root(): string {
    return this.#tree.root().toString('hex');
  }

  /** The checkpoint that ends before this event, or with the record: to be compared before the event is added. */
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
   * Compares the checkpoint that is due: what it returns says how the record between the last one and this is not what
   * this one has seen, with how many events should stand there and how many do. After one that differs, others do too:
   * they are not told unless it resumes.
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
    // Another checkpoint of the same size agrees, so the fault cannot be narrowed down to what came before it.
    const after = this.#after < size ? this.#after : 0;
    return { after, upTo: size, expected: size - after, found: this.size - after, checkpoint };
  }

  /** Goes on as if the checkpoint just compared had agreed, where the frontier gives its root. */
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
