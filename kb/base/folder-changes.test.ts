import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { differencesOf, withDifferences } from './differing.ts';
import { changesBetween } from './folder-changes.ts';
import type { FolderLook } from './look.ts';
import type { Found } from './walk.ts';

const PATHS = ['a.md', 'a/b.md', 'a/c.txt', 'a-1.md', 'b.pdf', 'z.md'];
const byPath = (a: Found, b: Found): number => (a.path < b.path ? -1 : 1);
/** What stands at each path: a sign, or that the file cannot be part of the base. */
const files = fc.dictionary(fc.constantFrom(...PATHS), fc.constantFrom('1', '2', 'unread'));
const signOf = (file: string | undefined): string | undefined => (file === 'unread' ? '' : file);

/** Some files are the same objects in both looks. */
const looks = fc.tuple(files, files, fc.boolean()).map(([before, after, isShared]) => {
  const shared = new Map<string, Found>();
  const lookOf = (signs: Record<string, string>): FolderLook => {
    const found = Object.entries(signs).flatMap(([path, sign]): Found[] => {
      if (sign === 'unread') return [];
      const file = (isShared ? shared.get(path + sign) : undefined) ?? { path, sign };
      shared.set(path + sign, file);
      return [file];
    });
    const unread = Object.keys(signs).filter((path) => signs[path] === 'unread');
    return {
      found: found.toSorted(byPath),
      unread: unread.map((file) => ({ file, line: 0, message: 'is closed' })),
    };
  };
  return { before, after, looks: [lookOf(before), lookOf(after)] as const };
});

test('changes are told by path, and their state is equal for equal files', () => {
  fc.assert(
    fc.property(looks, ({ before, after, looks: [was, is] }) => {
      const changes = changesBetween(was, is);
      const those = (test: (old: string | undefined, now: string | undefined) => boolean): string[] =>
        PATHS.filter((path) => test(signOf(before[path]), signOf(after[path])));
      expect({
        added: changes.added.toSorted(),
        changed: changes.changed.toSorted(),
        removed: changes.removed.toSorted(),
      }).toEqual({
        added: those((old, now) => old === undefined && now !== undefined).toSorted(),
        changed: those((old, now) => old !== undefined && now !== undefined && old !== now).toSorted(),
        removed: those((old, now) => old !== undefined && now === undefined).toSorted(),
      });
      expect(changesBetween(was, structuredClone(is)).state).toBe(changes.state);
    }),
  );
});

test('a list is the one before with what differs', () => {
  fc.assert(
    fc.property(looks, ({ looks: [{ found: before }, { found: now }] }) => {
      const after = withDifferences(before, differencesOf(before, now)!);
      expect(after).toEqual(now);
      const same = now.filter((file) =>
        before.some((each) => each.path === file.path && each.sign === file.sign),
      );
      expect(after.filter((file) => before.includes(file))).toHaveLength(same.length);
    }),
  );
});

test('a list that differs in thousands of files is told as a whole', () => {
  const many = Array.from({ length: 1_001 }, (_, n): Found => ({
    path: `${10_000 + n}.md`,
    sign: '1',
  }));
  expect(differencesOf([], many)).toBeNull();
  expect(differencesOf(many, [])).toBeNull();
});
