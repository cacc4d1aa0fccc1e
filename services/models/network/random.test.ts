import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { fillMask, gaussian, hash32, permutation, uniform } from './random.ts';

const COUNT = 100_000;
const indices = Array.from({ length: COUNT }, (_, index) => index);

test('values never change: runs that were begun earlier go on as they would have', () => {
  const pinned = [
    hash32(0, 0, 0),
    hash32(1, 0, 0),
    hash32(0, 1, 0),
    hash32(0, 0, 1),
    hash32(999_999_999, 5, 123_456),
  ];
  expect(pinned).toEqual([1_137_023_191, 4_209_227_131, 1_429_560_408, 1_574_758_052, 721_763_903]);
  expect([uniform(1, 2, 3), gaussian(1, 2, 3)]).toEqual([0.7174682890763506, 0.8214942645002846]);
  expect([...permutation(8, 1, 0)]).toEqual([3, 6, 2, 7, 5, 4, 1, 0]);
  const mask = new Uint8Array(12);
  fillMask(mask, 1, 2, 3, 0.5);
  expect([...mask]).toEqual([0, 0, 0, 0, 0, 0, 1, 1, 0, 1, 0, 1]);
});

test('every bit of a hash is set half of the time', () => {
  for (let bit = 0; bit < 32; bit++) {
    const set = indices.filter((index) => (hash32(1, 2, index) >>> bit) & 1).length;
    expect(Math.abs(set / COUNT - 0.5)).toBeLessThan(4 * deviationOfShare(0.5));
  }
});

test.each([
  ['seed', (bit: number) => hash32(12_345 ^ (1 << bit), 6, 789)],
  ['stream', (bit: number) => hash32(12_345, 6 ^ (1 << bit), 789)],
  ['index', (bit: number) => hash32(12_345, 6, 789 ^ (1 << bit))],
])('any other bit of the %s changes about half of the bits', (_, changed) => {
  const from = hash32(12_345, 6, 789);
  const flips = Array.from({ length: 30 }, (_, bit) => ones(from ^ changed(bit)));
  const mean = flips.reduce((sum, count) => sum + count, 0) / flips.length;
  expect(mean).toBeGreaterThan(14);
  expect(mean).toBeLessThan(18);
});

test('uniform numbers fill their range evenly, and neighbours have nothing in common', () => {
  const values = indices.map((index) => uniform(3, 4, index));
  expect(Math.min(...values)).toBeGreaterThan(0);
  expect(Math.max(...values)).toBeLessThan(1);
  const counts = new Float64Array(100);
  for (const value of values) counts[Math.floor(value * 100)]!++;
  const chiSquare = counts.reduce((sum, count) => sum + (count - COUNT / 100) ** 2 / (COUNT / 100), 0);
  // With 99 degrees of freedom 148 is exceeded once in a thousand.
  expect(chiSquare).toBeLessThan(148);
  const others = indices.map((index) => uniform(3, 5, index));
  for (const partner of [values.slice(1), others]) {
    expect(Math.abs(correlation(values.slice(0, -1), partner))).toBeLessThan(4 / Math.sqrt(COUNT));
  }
});

test('gaussian numbers have the moments of the normal distribution', () => {
  const values = indices.map((index) => gaussian(5, 6, index));
  const moment = (power: number) => values.reduce((sum, value) => sum + value ** power, 0) / COUNT;
  expect(Math.abs(moment(1))).toBeLessThan(4 / Math.sqrt(COUNT));
  expect(Math.abs(moment(2) - 1)).toBeLessThan(4 * Math.sqrt(2 / COUNT));
  expect(Math.abs(moment(3))).toBeLessThan(4 * Math.sqrt(15 / COUNT));
  expect(Math.abs(moment(4) - 3)).toBeLessThan(4 * Math.sqrt(96 / COUNT));
});

test('a permutation has each number once, and is another one in another epoch or of another seed', () => {
  fc.assert(
    fc.property(fc.nat(500), fc.nat(999_999_999), fc.nat(1000), (n, seed, epoch) => {
      const order = permutation(n, seed, epoch);
      expect([...order].sort((a, b) => a - b)).toEqual(Array.from({ length: n }, (_, index) => index));
      expect(permutation(n, seed, epoch)).toEqual(order);
    }),
  );
  expect(permutation(50, 1, 1)).not.toEqual(permutation(50, 1, 2));
  expect(permutation(50, 1, 1)).not.toEqual(permutation(50, 2, 1));
});

test('every order of a few is as likely as any other', () => {
  const counts = new Map<string, number>();
  for (let epoch = 0; epoch < 24_000; epoch++) {
    const order = permutation(4, 1, epoch).join();
    counts.set(order, (counts.get(order) ?? 0) + 1);
  }
  expect(counts.size).toBe(24);
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - 1000) ** 2 / 1000, 0);
  // With 23 degrees of freedom 49.7 is exceeded once in a thousand.
  expect(chiSquare).toBeLessThan(49.7);
});

test('a mask drops the share it is told to, whatever its length', () => {
  for (const dropout of [0, 0.1, 0.5, 0.9]) {
    const mask = new Uint8Array(COUNT + 1).fill(2);
    fillMask(mask, 1, 2, 3, dropout);
    const dropped = mask.filter((kept) => kept === 0).length;
    expect(mask.filter((kept) => kept === 1).length).toBe(mask.length - dropped);
    expect(Math.abs(dropped / mask.length - dropout)).toBeLessThanOrEqual(
      4 * deviationOfShare(dropout) + 2 ** -17,
    );
  }
});

test('masks of two steps, of two places in a step and of two seeds have nothing in common', () => {
  const mask = maskOf(1, 2, 3);
  for (const other of [maskOf(1, 3, 3), maskOf(1, 2, 4), maskOf(2, 2, 3), maskOf(1, 3, 2)]) {
    expect(Math.abs(correlation(mask, other))).toBeLessThan(4 / Math.sqrt(COUNT));
  }
});

function maskOf(seed: number, step: number, stream: number): number[] {
  const mask = new Uint8Array(COUNT);
  fillMask(mask, seed, step, stream, 0.5);
  return [...mask];
}

function deviationOfShare(share: number): number {
  return Math.sqrt((share * (1 - share)) / COUNT);
}

function ones(bits: number): number {
  return (bits >>> 0).toString(2).replaceAll('0', '').length;
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const [left, right] = [centred(a), centred(b)];
  return product(left, right) / Math.sqrt(product(left, left) * product(right, right));
}

function centred(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.map((value) => value - mean);
}

function product(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}
