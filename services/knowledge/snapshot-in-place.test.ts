import { describe, expect, test } from 'vitest';
import { isDue } from './snapshot-in-place.ts';

const QUIET_MS = 40_000;
const added = (firstMs: number, lastMs: number) => isDue({ firstMs, lastMs, hidesText: false }, QUIET_MS);
const removed = (firstMs: number, lastMs: number) => isDue({ firstMs, lastMs, hidesText: true }, QUIET_MS);

describe('changes are merged into the snapshot', () => {
  test('at once where text had left the files before the start', () => {
    expect(removed(Infinity, Infinity)).toBe(true);
  });

  test('some seconds after the last one where text has left the files', () => {
    expect([removed(2_000, 2_000), removed(60_000, 2_000), removed(5_000, 5_000)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('after a longer pause where they have only added', () => {
    expect([added(39_000, 39_000), added(60_000, 2_000), added(41_000, 41_000)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  test('in the end where they keep coming', () => {
    expect([added(400_000, 1_000), removed(400_000, 1_000)]).toEqual([true, true]);
  });
});
