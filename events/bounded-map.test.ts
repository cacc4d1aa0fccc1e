import { describe, expect, it } from 'vitest';
import { Recent } from './bounded-map.ts';

describe('A map that forgets', () => {
  it('has the newest value of each of the newest entries, and forgets older ones', () => {
    const recent = new Recent<number, string>(100);
    for (let n = 0; n < 1_000; n++) {
      recent.set(n % 250, `${n}`);
      for (let back = 0; back < Math.min(100, n + 1); back++) {
        expect(recent.get((n - back) % 250)).toBe(`${n - back}`);
      }
    }
    for (let n = 1_000; n < 1_200; n++) recent.set(n, '');
    expect(recent.get(999 % 250)).toBeUndefined();
  });

  it('forgets what it is told to, whichever half of it has that', () => {
    const recent = new Recent<number, string>(2);
    for (const n of [1, 2, 3]) recent.set(n, 'x');
    for (const n of [1, 3]) recent.delete(n);
    expect([1, 2, 3].map((n) => recent.get(n))).toEqual([undefined, 'x', undefined]);
    recent.set(4, 'x');
    recent.clear();
    expect([2, 4].map((n) => recent.get(n))).toEqual([undefined, undefined]);
  });
});
