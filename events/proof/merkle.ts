import { hash } from 'node:crypto';

/**
 * The Merkle tree of RFC 6962 (section 2.1; RFC 9162 has the same): SHA-256, with a first byte that tells leaves from
 * inner nodes, so that neither can pass for the other.
 */
export const HASH_BYTES = 32;

const sha256 = (data: Uint8Array): Buffer => hash('sha256', data, 'buffer');

/** The root hash of the tree without leaves. */
export const EMPTY_ROOT: Buffer = sha256(new Uint8Array());

/** The hash of a leaf: `SHA-256(0x00 ‖ leaf)`. */
export function leafHash(leaf: Uint8Array): Buffer {
  const bytes = new Uint8Array(1 + leaf.length);
  bytes.set(leaf, 1);
  return sha256(bytes);
}

const pair = new Uint8Array(1 + 2 * HASH_BYTES);
pair[0] = 0x01;

/** The hash of an inner node: `SHA-256(0x01 ‖ left ‖ right)`. */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  pair.set(left, 1);
  pair.set(right, 1 + HASH_BYTES);
  return sha256(pair);
}

/** The number of perfect subtrees in a tree of this many leaves, which is the number of ones in its binary digits. */
export function frontierLength(size: number): number {
  let ones = 0;
  for (let rest = size; rest > 0; rest = Math.floor(rest / 2)) ones += rest % 2;
  return ones;
}

/**
 * A tree that grows and keeps only the roots of its perfect subtrees (32 bytes for each binary digit of its size).
 * Appending a leaf costs two hashes on average.
 *
 * @example
 * const tree = new GrowingTree();
 * tree.append(leafHash(bytes));
 * tree.root();
 */
export class GrowingTree {
  #size: number;
  readonly #frontier: Uint8Array[];

  /**
   * Continues a tree.
   *
   * @throws {RangeError} for a frontier that no tree of this size has.
   */
  constructor(from: { readonly size: number; readonly frontier: readonly Uint8Array[] } = EMPTY) {
    const { size, frontier } = from;
    if (!Number.isSafeInteger(size) || size < 0 || frontier.length !== frontierLength(size)) {
      throw new RangeError(`${frontier.length} hashes cannot be the frontier of a tree with ${size} leaves`);
    }
    if (frontier.some(({ length }) => length !== HASH_BYTES)) {
      throw new RangeError(`a hash must have ${HASH_BYTES} bytes`);
    }
    this.#size = size;
    this.#frontier = [...frontier];
  }

  get size(): number {
    return this.#size;
  }

  /** The roots of the perfect subtrees from left to right, the largest first. */
  get frontier(): readonly Uint8Array[] {
    return [...this.#frontier];
  }

  /** Takes the leaf's hash, not the leaf. */
  append(leaf: Uint8Array): void {
    let node = leaf;
    // Merges subtrees like the carries when 1 is added to a binary number.
    for (let rest = this.#size; rest % 2 === 1; rest = (rest - 1) / 2) {
      node = nodeHash(this.#frontier.pop()!, node);
    }
    this.#frontier.push(node);
    this.#size += 1;
  }

  root(): Buffer {
    if (this.#size === 0) return EMPTY_ROOT;
    return Buffer.from(this.#frontier.reduceRight((right, left) => nodeHash(left, right)));
  }
}

const EMPTY = { size: 0, frontier: [] };
