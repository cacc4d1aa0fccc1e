import type { FileHandle } from 'node:fs/promises';
import { HASH_BYTES } from '../merkle.ts';
import { MerkleTree } from '../merkle-proofs.ts';

/** The number of leaves in a block: a power of two, so that a full block is a perfect subtree of every larger tree. */
const BLOCK = 1024;

/**
 * Inclusion proofs in a tree of any size, with little memory: only the root of each block of leaves is kept, and the
 * blocks that contain leaves to prove wait in a file. A leaf's proof is the proof within its block, followed by the
 * proof of the block.
 */
export function blockProofs(file: FileHandle) {
  const waiting: number[] = [];
  const roots: Buffer[] = [];
  const leaves = Buffer.alloc(BLOCK * HASH_BYTES);
  const marks = new Uint8Array(BLOCK);
  let filled = 0;

  const upper = (): MerkleTree => new MerkleTree(Buffer.concat(roots));

  async function endBlock(): Promise<void> {
    const size = filled;
    marks.fill(0, size);
    roots.push(new MerkleTree(leaves.subarray(0, size * HASH_BYTES)).root());
    if (marks.includes(1)) {
      waiting.push(roots.length - 1);
      await file.appendFile(Buffer.concat([leaves, marks]));
    }
    if (size === BLOCK) filled = 0;
  }

  return {
    /** Adds a leaf. `isProven` marks it for a proof. */
    async add(leaf: Uint8Array, isProven: boolean): Promise<void> {
      leaves.set(leaf, filled * HASH_BYTES);
      marks[filled] = isProven ? 1 : 0;
      filled += 1;
      if (filled === BLOCK) await endBlock();
    },
    /** The root hash over all leaves, in hexadecimal. No leaf can be added afterwards. */
    async root(): Promise<string> {
      if (filled > 0) await endBlock();
      return upper().root().toString('hex');
    },
    /** The proofs of all marked leaves, in order. Call `root` first. */
    async *proofs(): AsyncGenerator<{ index: number; proof: Buffer[] }> {
      const tree = upper();
      const entry = Buffer.alloc(BLOCK * (HASH_BYTES + 1));
      for (const [place, block] of waiting.entries()) {
        await file.read(entry, 0, entry.length, place * entry.length);
        const isLast = block === roots.length - 1;
        const size = isLast && filled > 0 ? filled : BLOCK;
        const below = new MerkleTree(entry.subarray(0, size * HASH_BYTES));
        const above = tree.inclusionProof(block);
        for (let within = 0; within < size; within++) {
          if (entry[BLOCK * HASH_BYTES + within] === 0) continue;
          yield { index: block * BLOCK + within, proof: [...below.inclusionProof(within), ...above] };
        }
      }
    },
    close: () => file.close(),
  };
}

export type BlockProofs = ReturnType<typeof blockProofs>;
