import type { Form } from '../analysis/word.ts';
import { isMistyped, kinship, similarity } from '../analysis/similarity.ts';
import type { AskedWord } from './fit.ts';
import { lettersIn, type Read, type Reading, type Text } from './reading.ts';

/** How much a substitute counts: a synonym, a mistyped word, a compound with the word, its parts, a similar spelling. */
const SYNONYM = 0.8;
const MISTYPED = 0.9;
const PARTS = 0.8;
/** If a text has all parts of a compound, the compound counts as found at least this well. */
export const DIVIDED = PARTS;
const LIKENESS = 0.6;
/** From this value on a word counts as found. */
export const FOUND = 0.5;

/**
 * How well each word of a question is found in a text, 0 … 1 each, in the order of the words. The values of the parts
 * of compounds follow.
 */
export type Found = readonly number[];

/**
 * Compares the words of a question with texts. Results are cached by word, because texts repeat words. A word that
 * occurs in some of the texts is matched as it is, by its synonyms, by related words and within compounds. A word that
 * occurs in none may also match a similar word.
 */
export class Matcher {
  /** The shared result for texts without any word of the question. */
  readonly nothing: Found;
  readonly #asked: readonly AskedWord[];
  readonly #parts: readonly string[];
  /** For each word of the question, the places of its parts in a result. */
  readonly #placesOfParts: readonly (readonly number[])[];
  readonly #stands: readonly boolean[];
  readonly #reading: Reading;
  /** Whether a word, by its number, shares a stem with the question or is a synonym. */
  readonly #sharesStem: Uint8Array;
  /** For each word of the question, the letters of its folded form and the letters of its stem. */
  readonly #letters: readonly number[];
  readonly #lettersOfStems: readonly number[];
  /** The place of a word's result in `told`, by the number of the word; 0 for a new word. */
  readonly #places: Uint32Array;
  readonly #told: (Found | null)[] = [null];

  constructor(asked: readonly AskedWord[], texts: readonly Read[], reading: Reading) {
    const { stems } = reading;
    const there = stems.count(texts.map(({ stemsAndParts }) => stemsAndParts));
    const stands = (stem: string): boolean => there[stems.find(stem) ?? stems.size]! > 0;
    this.#reading = reading;
    this.#places = new Uint32Array(reading.words.size);
    this.#asked = asked;
    this.#parts = [...new Set(asked.flatMap(({ parts }) => parts))];
    this.#placesOfParts = asked.map(({ parts }) =>
      parts.map((part) => asked.length + this.#parts.indexOf(part)),
    );
    this.nothing = [...asked, ...this.#parts].map(() => 0);
    this.#stands = asked.map(({ term, synonyms }) => stands(term) || synonyms.some(stands));
    this.#sharesStem = new Uint8Array(reading.words.size);
    for (const stem of asked.flatMap(({ term, parts, synonyms }) => [term, ...parts, ...synonyms]))
      for (const word of reading.wordsOf[stems.find(stem) ?? -1] ?? []) this.#sharesStem[word] = 1;
    this.#letters = asked.map(({ folded }) => lettersIn(folded));
    this.#lettersOfStems = asked.map(({ term }) => lettersIn(term));
  }

  in({ words, numbers }: Text): Found {
    let found: number[] | undefined;
    for (let i = 0; i < words.length; i++) {
      const told = this.#of(words[i]!, numbers[i]!);
      if (told !== null) raise((found ??= [...this.nothing]), told);
    }
    return found === undefined ? this.nothing : this.#joined(found);
  }

  /** The best match of each word in several texts of one passage: the parts of a compound may be in different texts. */
  together(...texts: readonly Found[]): Found {
    const best = [...this.nothing];
    for (const found of texts) raise(best, found);
    return this.#joined(best);
  }

  /** The result with compounds whose parts are separate words in the text (`Dauer des Urlaubs` for `Urlaubsdauer`). */
  #joined(found: number[]): Found {
    for (const [k, places] of this.#placesOfParts.entries()) {
      if (places.length === 0) continue;
      const share = places.reduce((sum, place) => sum + found[place]!, 0) / places.length;
      found[k] = Math.max(found[k]!, PARTS * share);
    }
    return found;
  }

  /** How well one word of a text matches each word of the question; null if it matches none. */
  of({ words, numbers }: Text, i: number): Found | null {
    return this.#of(words[i]!, numbers[i]!);
  }

  #of(word: Form, number: number): Found | null {
    const place = this.#places[number]!;
    if (place > 0) return this.#told[place]!;
    const told = this.#tell(word, number);
    this.#places[number] = this.#told.push(told) - 1;
    return told;
  }

  #tell(word: Form, number: number): Found | null {
    if (this.#sharesStem[number]! > 0) {
      const found = this.#asked.map((asked, k) => match(asked, word) ?? this.#likeness(k, word));
      const has = (part: string): boolean => part === word.term || word.parts.includes(part);
      const all = [...found, ...this.#parts.map((part) => Number(has(part)))];
      return all.some((value) => value > 0) ? all : null;
    }
    const letters = this.#reading.letters[2 * number]!;
    const lettersOfStem = this.#reading.letters[2 * number + 1]!;
    let found: number[] | undefined;
    for (let k = 0; k < this.#asked.length; k++) {
      // A quick check: most words cannot contain each other.
      const mayHold =
        (this.#lettersOfStems[k]! & ~letters) === 0 || (lettersOfStem & ~this.#letters[k]!) === 0;
      if (this.#stands[k]! && !mayHold) continue;
      const value = this.#likeness(k, word);
      if (value > 0) (found ??= [...this.nothing])[k] = value;
    }
    return found ?? null;
  }

  #likeness(k: number, word: Form): number {
    const asked = this.#asked[k]!;
    return this.#stands[k]! ? LIKENESS * kinship(asked, word) : likeness(asked, word);
  }
}

function raise(best: number[], found: Found): void {
  for (let k = 0; k < best.length; k++) if (found[k]! > best[k]!) best[k] = found[k]!;
}

function match(asked: AskedWord, { term, parts }: Form): number | null {
  if (term === asked.term || parts.includes(asked.term)) return 1;
  const { synonyms } = asked;
  return synonyms.length > 0 && (synonyms.includes(term) || parts.some((part) => synonyms.includes(part)))
    ? SYNONYM
    : null;
}

function likeness(asked: AskedWord, word: Form): number {
  if (!asked.known && isMistyped(asked, word)) return MISTYPED;
  return LIKENESS * similarity(asked, word);
}
