/**
 * Random numbers without state: each is a function of a seed, a stream and an index. So a run can be resumed from any
 * step, and any part can be computed again by itself.
 */

const GOLDEN = 0x9e3779b9;

/** A bijection of 32 bits with low bias. (Chris Wellons' `lowbias32`, https://nullprogram.com/blog/2018/07/31/) */
function mix(bits: number): number {
  let x = bits | 0;
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad);
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97);
  return x ^ (x >>> 15);
}

function keyOf(seed: number, stream: number): number {
  return mix(mix(seed + GOLDEN) + stream);
}

/** The key is mixed in twice. Otherwise two streams with a common value would be shifted copies of each other. */
function hashAt(key: number, index: number): number {
  return mix(mix(index + key) ^ Math.imul(key, GOLDEN)) >>> 0;
}

/** An integer from 0 to 2^32 - 1. */
export function hash32(seed: number, stream: number, index: number): number {
  return hashAt(keyOf(seed, stream), index);
}

/** A number between 0 and 1, both excluded. */
export function uniform(seed: number, stream: number, index: number): number {
  return (hash32(seed, stream, index) + 0.5) / 2 ** 32;
}

/** A normal number with mean 0 and standard deviation 1. (Box, Muller, 1958) */
export function gaussian(seed: number, stream: number, index: number): number {
  const radius = Math.sqrt(-2 * Math.log(uniform(seed, stream, 2 * index)));
  return radius * Math.cos(2 * Math.PI * uniform(seed, stream, 2 * index + 1));
}

// The order and the masks have seeds of their own, derived from the run's seed, so that their streams never coincide
// with others.
const ORDER = 0x6f726472;
const MASKS = 0x6d61736b;

/** The order of 0 … n - 1 in an epoch. (Fisher, Yates, as by Durstenfeld, 1964) */
export function permutation(n: number, seed: number, epoch: number): Int32Array {
  const order = Int32Array.from({ length: n }, (_, index) => index);
  const key = keyOf(hash32(seed, ORDER, 0), epoch);
  for (let index = n - 1; index > 0; index--) {
    const other = Math.floor((hashAt(key, index) / 2 ** 32) * (index + 1));
    const value = order[index]!;
    order[index] = order[other]!;
    order[other] = value;
  }
  return order;
}

/**
 * Fills the mask of a step: 1 for elements that dropout keeps, 0 for those that it drops.
 *
 * @param stream differs between the masks of a step.
 * @param dropout the share that is dropped, in steps of 1/65536.
 */
export function fillMask(
  mask: Uint8Array,
  seed: number,
  step: number,
  stream: number,
  dropout: number,
): void {
  const key = keyOf(hash32(seed, MASKS, stream), step);
  const dropped = Math.round(dropout * 2 ** 16);
  for (let at = 0; at < mask.length; at += 2) {
    const bits = hashAt(key, at);
    mask[at] = (bits & 0xffff) < dropped ? 0 : 1;
    // A write past the end of an odd length has no effect.
    mask[at + 1] = bits >>> 16 < dropped ? 0 : 1;
  }
}
