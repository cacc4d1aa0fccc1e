import { EMPTY_ROOT, HASH_BYTES, nodeHash } from './merkle.ts';

/**
 * A whole Merkle tree, for proofs: the root of every perfect subtree, level by level, 64 bytes a leaf. A proof is then
 * a list of hashes that exist already.
 *
 * @example
 * const tree = new MerkleTree(leafHashes);
 * tree.inclusionProof(3);
 */
export class MerkleTree {
  readonly size: number;
  /** `#levels[k]` holds the roots of the perfect subtrees of 2^k leaves, from left to right. */
  readonly #levels: readonly Uint8Array[];

  /** @param leafHashes 32 bytes for each leaf, one after the other. The array is kept, not copied. */
  constructor(leafHashes: Uint8Array) {
    if (leafHashes.length % HASH_BYTES !== 0) throw new RangeError(`a hash must have ${HASH_BYTES} bytes`);
    this.size = leafHashes.length / HASH_BYTES;
    const levels = [leafHashes];
    for (let below = leafHashes; below.length >= 2 * HASH_BYTES;) {
      const level = new Uint8Array(Math.floor(below.length / (2 * HASH_BYTES)) * HASH_BYTES);
      for (let at = 0; at < level.length; at += HASH_BYTES) {
        const left = at * 2;
        const middle = left + HASH_BYTES;
        level.set(nodeHash(below.subarray(left, middle), below.subarray(middle, middle + HASH_BYTES)), at);
      }
      levels.push((below = level));
    }
    this.#levels = levels;
  }

  /** The root hash over the first `size` leaves, by default over all. */
  root(size = this.size): Buffer {
    assertBetween(0, size, this.size);
    return size === 0 ? EMPTY_ROOT : Buffer.from(this.#hash(0, size));
  }

  /** The proof that leaf `index` is one of the first `size` leaves (RFC 6962, 2.1.1), for `verifyInclusion`. */
  inclusionProof(index: number, size = this.size): Buffer[] {
    assertBetween(1, size, this.size);
    assertBetween(0, index, size - 1);
    const proof: Buffer[] = [];
    let from = 0;
    let to = size;
    while (to - from > 1) {
      const middle = from + largestPowerBelow(to - from);
      if (index < middle) {
        proof.push(Buffer.from(this.#hash(middle, to)));
        to = middle;
      } else {
        proof.push(Buffer.from(this.#hash(from, middle)));
        from = middle;
      }
    }
    return proof.reverse();
  }

  /** The hash over the leaves from `from` to `to` (exclusive). `from` must be where a subtree of that many leaves can begin. */
  #hash(from: number, to: number): Uint8Array {
    const width = to - from;
    if (isPowerOfTwo(width)) {
      const at = (from / width) * HASH_BYTES;
      return this.#levels[Math.log2(width)]!.subarray(at, at + HASH_BYTES);
    }
    const middle = from + largestPowerBelow(width);
    return nodeHash(this.#hash(from, middle), this.#hash(middle, to));
  }
}

/** The largest power of two that is smaller than `count`, which is at least 2. */
function largestPowerBelow(count: number): number {
  let power = 1;
  while (power * 2 < count) power *= 2;
  return power;
}

/**
 * Whether a number is a power of two. The power is compared and not the logarithm, which is rounded for a large number.
 */
function isPowerOfTwo(count: number): boolean {
  return 2 ** Math.round(Math.log2(count)) === count;
}

function assertBetween(least: number, value: number, most: number): void {
  if (!Number.isSafeInteger(value) || value < least || value > most) {
    throw new RangeError(`${value} is not between ${least} and ${most}`);
  }
}

interface Inclusion {
  /** The index of the leaf, counted from 0. */
  readonly index: number;
  readonly size: number;
  readonly leafHash: Uint8Array;
  readonly proof: readonly Uint8Array[];
  readonly root: Uint8Array;
}

/** Whether the leaf is at `index` of the tree with this root (RFC 9162, 2.1.3.2). Never throws. */
export function verifyInclusion({ index, size, leafHash, proof, root }: Inclusion): boolean {
  if (!areSizes(index, size) || index >= size || !areHashes(leafHash, root, ...proof)) return false;
  let fn = index;
  let sn = size - 1;
  let node = leafHash;
  for (const sibling of proof) {
    if (sn === 0) return false;
    if (fn % 2 === 1 || fn === sn) {
      node = nodeHash(sibling, node);
      while (fn % 2 === 0 && fn !== 0) [fn, sn] = [half(fn), half(sn)];
    } else {
      node = nodeHash(node, sibling);
    }
    [fn, sn] = [half(fn), half(sn)];
  }
  return sn === 0 && equal(node, root);
}

const half = (value: number): number => Math.floor(value / 2);

const areSizes = (...sizes: number[]): boolean =>
  sizes.every((size) => Number.isSafeInteger(size) && size >= 0);

const areHashes = (...hashes: Uint8Array[]): boolean => hashes.every(({ length }) => length === HASH_BYTES);

const equal = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0;
