/** Shorter words have too many neighbours to guess from. */
const SHORTEST = 5;
/** From here on a word may have two mistakes, none of them in its first letter. */
const LONG = 10;

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
   * The known word one edit away (a letter more, less or other, or two neighbours swapped; Damerau, 1964), of a long one
   * two. `undefined` where there is none.
   */
  correct(word: string): string | undefined {
    if (word.length < SHORTEST) return undefined;
    return (
      this.#find(word, [0, 1, -1], (known) => isOneEdit(word, known)) ??
      (word.length < LONG
        ? undefined
        : this.#find(word, [0, 1, -1, 2, -2], (known) => known[0] === word[0] && isTwoEdits(word, known)))
    );
  }

  #find(word: string, longer: readonly number[], isMeant: (known: string) => boolean): string | undefined {
    for (const by of longer) {
      const meant = this.#byLength.get(word.length + by)?.find(isMeant);
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

/** One edit behind another: each way to undo the first difference leaves at most one more. */
function isTwoEdits(a: string, b: string): boolean {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const [restA, restB] = [a.slice(at), b.slice(at)];
  return (
    isNear(restA.slice(1), restB.slice(1)) ||
    isNear(restA.slice(1), restB) ||
    isNear(restA, restB.slice(1)) ||
    (restA[0] === restB[1] && restA[1] === restB[0] && isNear(restA.slice(2), restB.slice(2)))
  );
}

const isNear = (a: string, b: string): boolean => a === b || isOneEdit(a, b);
