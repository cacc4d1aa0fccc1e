import { createHash } from 'node:crypto';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { hashBase, hashingBase } from './base-hash.ts';

const file = (path: string, content = path) => ({
  path,
  hash: createHash('sha256').update(content).digest('hex'),
});

const FILES = Array.from({ length: 3_000 }, (_, n) => file(String(n).padStart(5, '0')));

const costOf = (files: typeof FILES): number =>
  [...hashingBase(files, [], '')].reduce((sum, step) => sum + step, 0);

describe('the hash of a base', () => {
  test('is that of its files, whatever was hashed before', () => {
    const changes = fc.array(
      fc.record({ at: fc.nat(FILES.length - 1), kind: fc.constantFrom('gone', 'other', 'come') }),
      { minLength: 1, maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.array(changes, { minLength: 1, maxLength: 4 }), (history) => {
        let files = FILES;
        const seen = new Map([[JSON.stringify(files), hashBase(files, [])]]);
        for (const some of history) {
          const now = [...files];
          for (const { at, kind } of some) {
            const { path } = now[at] ?? now[0]!;
            const other = file(kind === 'come' ? `${path}a` : path, `${path}${kind}`);
            now.splice(
              kind === 'come' ? at + 1 : at,
              kind === 'come' ? 0 : 1,
              ...(kind === 'gone' ? [] : [other]),
            );
          }
          files = now;
          const hash = hashBase(files, []);
          expect(hash).toBe(hashBase(structuredClone(files), []));
          const key = JSON.stringify(files);
          expect(seen.get(key) ?? hash).toBe(hash);
          expect([...seen].filter(([other, its]) => other !== key && its === hash)).toEqual([]);
          seen.set(key, hash);
        }
      }),
      { numRuns: 30 },
    );
  });

  test('is that of the files alone also where a part of them was hashed at the end of a base', () => {
    const some = FILES.slice(0, 10);
    hashBase(some, []);
    expect(hashBase(FILES, [])).toBe(hashBase(structuredClone(FILES), []));
  });

  test('takes little for a change of one file among many', () => {
    hashBase(FILES, [], '');
    const now = FILES.with(1_500, file(FILES[1_500]!.path, 'other'));
    expect(costOf(now)).toBeLessThan(costOf(structuredClone(FILES)) / 3);
  });

  test('depends on the settings and on what cannot be read', () => {
    const fault = { file: 'a.md', line: 0, message: 'cannot be read' };
    const hashes = [
      hashBase(FILES, []),
      hashBase(FILES, [], 'x'),
      hashBase(FILES, [fault]),
      hashBase([], []),
    ];
    expect(new Set(hashes).size).toBe(hashes.length);
  });
});
