import type { Source } from '../../kb/source.ts';

/** The changes of a reindex. */
export interface Changes {
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
}

/**
 * Compares two lists sorted by id. After a change of few files, unchanged sources are the same objects, so that a large
 * base is compared within a few milliseconds on the event loop.
 */
export const compareSources = (before: readonly Source[], after: readonly Source[]): Changes =>
  compare(
    before,
    after,
    ({ id }) => id,
    (old, now) => old === now || contentOf(old) === contentOf(now),
  );

/** Compares two lists sorted by path. */
export const compareFiles = (before: readonly HashedFile[], after: readonly HashedFile[]): Changes =>
  compare(
    before,
    after,
    ({ path }) => path,
    (old, now) => old.hash === now.hash,
  );

interface HashedFile {
  readonly path: string;
  readonly hash: string;
}

function compare<T>(
  before: readonly T[],
  after: readonly T[],
  keyOf: (each: T) => string,
  isSame: (old: T, now: T) => boolean,
): Changes {
  let [added, changed, removed] = [0, 0, 0];
  let at = 0;
  for (const now of after) {
    const key = keyOf(now);
    for (; at < before.length && keyOf(before[at]!) < key; at++) removed++;
    const old = before[at];
    if (old === undefined || keyOf(old) !== key) added++;
    else {
      if (!isSame(old, now)) changed++;
      at++;
    }
  }
  return { added, changed, removed: removed + before.length - at };
}

function contentOf({ title, section, stand, work, url, lang, text }: Source): string {
  return JSON.stringify([title, section, stand, work, url, lang, text]);
}
