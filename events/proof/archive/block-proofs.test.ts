import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../temporary-folder.suite.ts';
import { blockProofs } from './block-proofs.ts';
import { GrowingTree, leafHash } from '../merkle.ts';
import { verifyInclusion } from '../merkle-proofs.ts';

test.each([1, 2, 1023, 1024, 1025, 2048, 2049, 5000])(
  'a tree of %i leaves: proofs of some of them',
  async (size) => {
    const folder = temporaryFolder();
    const blocks = blockProofs(await open(join(folder, 'leaves'), 'wx+'));
    try {
      const tree = new GrowingTree();
      const leaves = Array.from({ length: size }, (_, n) => leafHash(Buffer.from(String(n))));
      const isProven = (index: number): boolean => index % 7 === 0 || index === size - 1;
      for (const [index, leaf] of leaves.entries()) {
        tree.append(leaf);
        await blocks.add(leaf, isProven(index));
      }
      const root = tree.root();
      expect(await blocks.root()).toBe(root.toString('hex'));
      const proven: number[] = [];
      for await (const { index, proof } of blocks.proofs()) {
        expect(verifyInclusion({ index, size, leafHash: leaves[index]!, proof, root })).toBe(true);
        proven.push(index);
      }
      expect(proven).toEqual([...leaves.keys()].filter(isProven));
    } finally {
      await blocks.close();
    }
  },
);
