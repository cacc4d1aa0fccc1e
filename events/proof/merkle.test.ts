import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { EMPTY_ROOT, frontierLength, GrowingTree, leafHash, nodeHash } from './merkle.ts';
import { MerkleTree, verifyInclusion } from './merkle-proofs.ts';

/** The reference data of the certificate-transparency project. */
const LEAVES = [
  '',
  '00',
  '10',
  '2021',
  '3031',
  '40414243',
  '5051525354555657',
  '606162636465666768696a6b6c6d6e6f',
].map((hex) => leafHash(Buffer.from(hex, 'hex')));
const ROOTS = [
  'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];
const H1 = '96a296d224f285c67bee93c30f8a309157f0daa35dc5b87e410b78630a09cfc7';
const H23 = '5f083f0a1a33ca076a95279832580db3e0ef4584bdff1f54c8a360f50de3031e';
const H4567 = '6b47aaf29ee3c2af9af889bc1fb9254dabd31177f16232dd6aab035ca39bf6e4';
const H4 = 'bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b';
const H67 = 'ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0';

const hex = (hash: Uint8Array): string => Buffer.from(hash).toString('hex');

// The definitions of RFC 6962, word for word, on leaf hashes; slow.
const split = (n: number): number =>
  Math.max(...[...Array(n).keys()].map((k) => 2 ** k).filter((k) => k < n));
function mth(d: readonly Buffer[]): Buffer {
  if (d.length === 0) return createHash('sha256').digest();
  if (d.length === 1) return d[0]!;
  const k = split(d.length);
  return createHash('sha256')
    .update('\x01')
    .update(mth(d.slice(0, k)))
    .update(mth(d.slice(k)))
    .digest();
}
function path(m: number, d: readonly Buffer[]): Buffer[] {
  if (d.length === 1) return [];
  const k = split(d.length);
  return m < k
    ? [...path(m, d.slice(0, k)), mth(d.slice(k))]
    : [...path(m - k, d.slice(k)), mth(d.slice(0, k))];
}

const leafHashes = (size: number): Buffer[] =>
  Array.from({ length: size }, (_, n) => leafHash(Buffer.from(String(n))));
const treeOf = (leaves: readonly Buffer[]): MerkleTree => new MerkleTree(Buffer.concat(leaves));

/** Changes one byte of one hash. */
const damage = (hashes: readonly Buffer[], at: number): Buffer[] =>
  hashes.map((bytes, n) => {
    const copy = Buffer.from(bytes);
    if (n === at % hashes.length) copy[at % 32]! ^= 1 + (at % 255);
    return copy;
  });

describe('the reference data', () => {
  test('roots', () => {
    const growing = new GrowingTree();
    const roots = [hex(growing.root())];
    for (const leaf of LEAVES) {
      growing.append(leaf);
      roots.push(hex(growing.root()));
    }
    expect(roots).toEqual(ROOTS);
    const tree = treeOf(LEAVES);
    expect(ROOTS.map((_, size) => hex(tree.root(size)))).toEqual(ROOTS);
  });

  test.each([
    [0, 1, []],
    [0, 8, [H1, H23, H4567]],
    [5, 8, [H4, H67, ROOTS[4]]],
    [2, 3, [ROOTS[2]]],
    [1, 5, [ROOTS[1], H23, H4]],
  ])('inclusion of leaf %i in %i', (index, size, proof) => {
    const made = treeOf(LEAVES).inclusionProof(index, size);
    expect(made.map(hex)).toEqual(proof);
    const root = Buffer.from(ROOTS[size]!, 'hex');
    expect(verifyInclusion({ index, size, leafHash: LEAVES[index]!, proof: made, root })).toBe(true);
  });
});

describe('a tree that grows', () => {
  test('has the root of the definition at each size, also after it was put down and taken up again', () => {
    const leaves = leafHashes(70);
    let tree = new GrowingTree();
    for (const [n, leaf] of leaves.entries()) {
      expect(hex(tree.root())).toBe(hex(mth(leaves.slice(0, n))));
      expect(tree.frontier).toHaveLength(frontierLength(n));
      if (n % 3 === 0) tree = new GrowingTree(tree);
      tree.append(leaf);
    }
  });

  test('is not changed through the frontier that it gave or was given', () => {
    const tree = new GrowingTree();
    for (const leaf of leafHashes(3)) tree.append(leaf);
    const { frontier } = tree;
    const root = hex(tree.root());
    new GrowingTree({ size: 3, frontier }).append(leafHash(Buffer.from('another')));
    (frontier as Uint8Array[]).pop();
    expect(hex(tree.root())).toBe(root);
  });

  test.each([
    [1, []],
    [2, [EMPTY_ROOT, EMPTY_ROOT]],
    [-1, []],
    [1.5, [EMPTY_ROOT]],
    [Number.NaN, []],
    [1, [Buffer.alloc(31)]],
  ])('refuses a frontier that a tree of %d leaves cannot have', (size, frontier) => {
    expect(() => new GrowingTree({ size, frontier })).toThrow(RangeError);
  });
});

describe('proofs', () => {
  const LARGEST = 40;
  const all = leafHashes(LARGEST);
  const tree = treeOf(all);

  test('are those of the definition, and hold: every leaf of every tree', () => {
    for (let size = 1; size <= LARGEST; size++) {
      const leaves = all.slice(0, size);
      const root = mth(leaves);
      for (let index = 0; index < size; index++) {
        const proof = tree.inclusionProof(index, size);
        expect(proof.map(hex)).toEqual(path(index, leaves).map(hex));
        expect(verifyInclusion({ index, size, leafHash: all[index]!, proof, root })).toBe(true);
      }
    }
  });

  const hash = fc.uint8Array({ minLength: 32, maxLength: 32 });
  test('prove no other leaf, place, size or root, and nothing once they are changed', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: LARGEST }),
        fc.nat(),
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        fc.nat(),
        hash,
        (size, n, otherIndex, otherSize, at, other) => {
          const index = n % size;
          const proof = tree.inclusionProof(index, size);
          const claim = { index, size, leafHash: all[index]!, proof, root: tree.root(size) };
          const more = Buffer.from(other);
          const wrong = [
            { ...claim, leafHash: other },
            { ...claim, root: other },
            { ...claim, proof: [...proof, more] },
            { ...claim, proof: [more, ...proof] },
            ...(size > 1 ? [damage(proof, at), proof.slice(1), proof.slice(0, -1)] : []).map((changed) => ({
              ...claim,
              proof: changed,
            })),
            // At least one place further, because the claim is true of its own place.
            { ...claim, index: (index + 1 + (otherIndex % 60)) % 61 },
            // The way through a tree of another size may be the same: whoever signs a root says the size with it.
            { ...claim, size: otherSize % (index + 1) },
          ];
          expect(wrong.filter(verifyInclusion)).toEqual([]);
        },
      ),
    );
  });

  test('that are no proofs are false, whatever the numbers', () => {
    const number = fc.oneof(fc.integer(), fc.double(), fc.maxSafeInteger(), fc.constant(2 ** 53));
    const proofs = fc.array(fc.uint8Array({ minLength: 30, maxLength: 33 }), { maxLength: 70 });
    fc.assert(
      fc.property(number, number, proofs, hash, hash, (one, other, proof, a, b) => {
        expect(verifyInclusion({ index: one, size: other, leafHash: a, proof, root: b })).toBe(false);
      }),
    );
  });

  test('are refused for what the tree does not hold', () => {
    expect(() => tree.inclusionProof(LARGEST)).toThrow(RangeError);
    expect(() => tree.inclusionProof(0, LARGEST + 1)).toThrow(RangeError);
    expect(() => tree.inclusionProof(-1)).toThrow(RangeError);
    expect(() => new MerkleTree(Buffer.alloc(33))).toThrow(RangeError);
    expect(new MerkleTree(Buffer.alloc(0)).root()).toEqual(EMPTY_ROOT);
  });
});

test('a node is no leaf', () => {
  const [one, other] = leafHashes(2) as [Buffer, Buffer];
  expect(nodeHash(one, other)).not.toEqual(leafHash(Buffer.concat([one, other])));
});
