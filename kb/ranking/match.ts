import type { Word } from '../analysis/analysis.ts';
import { isMistyped, kinship, similarity } from '../analysis/similarity.ts';
import type { AskedWord } from './asked.ts';

/** What counts in place of the word: its synonym, the word mistyped, a compound that holds it, its parts, a likeness of letters. */
const SYNONYM = 0.8;
const MISTYPED = 0.9;
const PARTS = 0.8;
const LIKENESS = 0.6;
/** From here on a word counts as found. */
export const FOUND = 0.5;

/** How well each word of a question is found in a text, 0 … 1 each, in their order. */
export type Found = readonly number[];

/**
 * Holds the words of a question against texts; remembers words, since texts repeat them. A word that stands in some of the
 * texts is looked for as it is, by its synonyms, its kin and in compounds; only one that stands in none may be a like one.
 */
export class Matcher {
  readonly #asked: readonly AskedWord[];
  readonly #stands: readonly boolean[];
  readonly #known = new Map<string, Found>();

  /** `stems`: of all the texts. */
  constructor(asked: readonly AskedWord[], stems: ReadonlySet<string>) {
    this.#asked = asked;
    this.#stands = asked.map(
      ({ term, synonyms }) => stems.has(term) || synonyms.some((synonym) => stems.has(synonym)),
    );
  }

  in(words: readonly Word[]): Found {
    const found = this.#asked.map(() => 0);
    const terms = new Set<string>();
    for (const word of words) {
      terms.add(word.term);
      for (const part of word.parts) terms.add(part);
      const values = this.of(word);
      for (let k = 0; k < found.length; k++) if (values[k]! > found[k]!) found[k] = values[k]!;
    }
    return found.map((value, k) => Math.max(value, partsFound(this.#asked[k]!, terms)));
  }

  /** How well one word stands for each word of the question. */
  of(word: Word): Found {
    let values = this.#known.get(word.folded);
    if (values === undefined) {
      values = this.#asked.map(
        (asked, k) =>
          match(asked, word) ?? (this.#stands[k]! ? LIKENESS * kinship(asked, word) : likeness(asked, word)),
      );
      this.#known.set(word.folded, values);
    }
    return values;
  }
}

/** For each word the better of the two. */
export const either = (a: Found, b: Found): Found => a.map((value, k) => Math.max(value, b[k]!));

function match(asked: AskedWord, { term, parts }: Word): number | null {
  if (term === asked.term || parts.includes(asked.term)) return 1;
  const { synonyms } = asked;
  return synonyms.length > 0 && (synonyms.includes(term) || parts.some((part) => synonyms.includes(part)))
    ? SYNONYM
    : null;
}

function likeness(asked: AskedWord, word: Word): number {
  if (!asked.known && isMistyped(asked, word)) return MISTYPED;
  return LIKENESS * similarity(asked, word);
}

/** A compound whose parts stand apart in the text (`Dauer des Urlaubs` for `Urlaubsdauer`). */
function partsFound({ parts }: AskedWord, terms: ReadonlySet<string>): number {
  if (parts.length === 0) return 0;
  return (PARTS * parts.filter((part) => terms.has(part)).length) / parts.length;
}
