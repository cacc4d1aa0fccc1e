import type { FileHandle } from 'node:fs/promises';
import { HASH_BYTES } from '../merkle.ts';
import { MerkleTree } from '../merkle-proofs.ts';

/** Leaves of a block: a power of two, so that a full block is a perfect subtree of every larger tree. */
const BLOCK = 1024;

/**
 * Inclusion proofs in a tree of any size, with little memory: of each block of leaves only its root is kept, and the
 * blocks with leaves to prove wait in a file. A leaf's proof is the one in its block, then the one of its block.
 */
export class BlockProofs {
  readonly #file: FileHandle;
  readonly #waiting: number[] = [];
  readonly #roots: Buffer[] = [];
  #leaves = Buffer.alloc(BLOCK * HASH_BYTES);
  #marks = new Uint8Array(BLOCK);
  #filled = 0;

  /** @param file new, for reading and writing; its owner removes it. */
  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** The next leaf of the tree, and whether its proof will be asked for. */
  async add(leaf: Uint8Array, isProven: boolean): Promise<void> {
    this.#leaves.set(leaf, this.#filled * HASH_BYTES);
    this.#marks[this.#filled] = isProven ? 1 : 0;
    this.#filled += 1;
    if (this.#filled === BLOCK) await this.#endBlock();
  }

  /** Of all leaves, hexadecimal. Nothing can be added after it. */
  async root(): Promise<string> {
    if (this.#filled > 0) await this.#endBlock();
    return this.#upper().root().toString('hex');
  }

  /** The proofs of all leaves that were marked, in order; after `root`. */
  async *proofs(): AsyncGenerator<{ index: number; proof: Buffer[] }> {
    const upper = this.#upper();
    const entry = Buffer.alloc(BLOCK * (HASH_BYTES + 1));
    for (const [place, block] of this.#waiting.entries()) {
      await this.#file.read(entry, 0, entry.length, place * entry.length);
      const isLast = block === this.#roots.length - 1;
      const size = isLast && this.#filled > 0 ? this.#filled : BLOCK;
      const tree = new MerkleTree(entry.subarray(0, size * HASH_BYTES));
      const above = upper.inclusionProof(block);
      for (let within = 0; within < size; within++) {
        if (entry[BLOCK * HASH_BYTES + within] === 0) continue;
        yield { index: block * BLOCK + within, proof: [...tree.inclusionProof(within), ...above] };
      }
    }
  }

  async close(): Promise<void> {
    await this.#file.close();
  }

  #upper(): MerkleTree {
    return new MerkleTree(Buffer.concat(this.#roots));
  }

  async #endBlock(): Promise<void> {
    const size = this.#filled;
    this.#marks.fill(0, size);
    this.#roots.push(new MerkleTree(this.#leaves.subarray(0, size * HASH_BYTES)).root());
    if (this.#marks.includes(1)) {
      this.#waiting.push(this.#roots.length - 1);
      await this.#file.appendFile(Buffer.concat([this.#leaves, this.#marks]));
    }
    if (size === BLOCK) this.#filled = 0;
  }
}
