/** Shorter words have too many neighbours to guess from. */
const SHORTEST = 5;

/** Finds the known word that a mistyped one was most likely meant to be. */
export class Speller {
  readonly #byLength = new Map<number, string[]>();

  /** `words` in order of preference: of two that are equally near, the earlier one is meant. */
  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word.length < SHORTEST - 1) continue;
      const bucket = this.#byLength.get(word.length);
      if (bucket === undefined) this.#byLength.set(word.length, [word]);
      else bucket.push(word);
    }
  }

  /**
   * The known word one edit away (a letter more, less or other, or two neighbours swapped; Damerau, 1964).
   * `undefined` where there is none.
   */
  correct(word: string): string | undefined {
    if (word.length < SHORTEST) return undefined;
    for (const length of [word.length, word.length + 1, word.length - 1]) {
      const meant = this.#byLength.get(length)?.find((known) => isOneEdit(word, known));
      if (meant !== undefined) return meant;
    }
    return undefined;
  }
}

/** Optimal string alignment distance of exactly 1. */
export function isOneEdit(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let prefix = 0;
  while (prefix < shorter && a[prefix] === b[prefix]) prefix++;
  let suffix = 0;
  while (suffix < shorter - prefix && a[a.length - 1 - suffix] === b[b.length - 1 - suffix]) suffix++;
  const differing = Math.max(a.length, b.length) - prefix - suffix;
  if (differing === 1) return true;
  return (
    differing === 2 && a.length === b.length && a[prefix] === b[prefix + 1] && a[prefix + 1] === b[prefix]
  );
}
