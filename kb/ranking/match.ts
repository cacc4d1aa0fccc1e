import type { Form } from '../analysis/word.ts';
import { isMistyped, kinship, similarity } from '../analysis/similarity.ts';
import type { AskedWord } from './fit.ts';
import { lettersIn, type Read, type Reading, type Text } from './reading.ts';

/** How much a substitute counts: a synonym, a mistyped word, a compound with the word, its parts, a similar spelling. */
const SYNONYM = 0.8;
const MISTYPED = 0.9;
const PARTS = 0.8;
const LIKENESS = 0.6;
/** From this value on a word counts as found. */
export const FOUND = 0.5;

/** How well each word of a question is found in a text, 0 … 1 each, in their order. */
export type Found = readonly number[];

/**
 * The relation of a text's word to a question: how well it matches each word of the question, and which parts of them it
 * is or has.
 */
interface Told {
  readonly found: Found;
  readonly parts: readonly string[];
}

/**
 * Compares the words of a question with texts, and remembers words, because texts repeat them. A word that occurs in some of
 * the texts is looked for as it is, by its synonyms, its relatives and in compounds. A word that occurs in none may also
 * match a similar one.
 */
export class Matcher {
  /** The shared result for texts that have nothing of the question. */
  readonly nothing: Found;
  readonly #asked: readonly AskedWord[];
  readonly #parts: ReadonlySet<string>;
  readonly #stands: readonly boolean[];
  readonly #reading: Reading;
  /** Whether a word, by its number, shares a stem with the question or is a synonym. */
  readonly #sharesStem: Uint8Array;
  /** For each word of the question: the letters of its folded form, and those of its stem. */
  readonly #letters: readonly number[];
  readonly #lettersOfStems: readonly number[];
  /** The place of a word in `told`, by its number; 0 if it has not been met. */
  readonly #places: Uint32Array;
  readonly #told: (Told | null)[] = [null];

  constructor(asked: readonly AskedWord[], texts: readonly Read[], reading: Reading) {
    const { stems } = reading;
    const there = stems.count(texts.map(({ stemsAndParts }) => stemsAndParts));
    const stands = (stem: string): boolean => there[stems.find(stem) ?? stems.size]! > 0;
    this.#reading = reading;
    this.#places = new Uint32Array(reading.words.size);
    this.#asked = asked;
    this.nothing = asked.map(() => 0);
    this.#parts = new Set(asked.flatMap(({ parts }) => parts));
    this.#stands = asked.map(({ term, synonyms }) => stands(term) || synonyms.some(stands));
    this.#sharesStem = new Uint8Array(reading.words.size);
    for (const stem of asked.flatMap(({ term, parts, synonyms }) => [term, ...parts, ...synonyms]))
      for (const word of reading.wordsOf[stems.find(stem) ?? -1] ?? []) this.#sharesStem[word] = 1;
    this.#letters = asked.map(({ folded }) => lettersIn(folded));
    this.#lettersOfStems = asked.map(({ term }) => lettersIn(term));
  }

  in({ words, numbers }: Text): Found {
    let found: number[] | undefined;
    let parts: Set<string> | undefined;
    for (let i = 0; i < words.length; i++) {
      const told = this.#of(words[i]!, numbers[i]!);
      if (told === null) continue;
      found ??= [...this.nothing];
      for (const part of told.parts) (parts ??= new Set()).add(part);
      for (let k = 0; k < found.length; k++) if (told.found[k]! > found[k]!) found[k] = told.found[k]!;
    }
    if (found === undefined) return this.nothing;
    if (parts === undefined) return found;
    return found.map((value, k) => Math.max(value, partsFound(this.#asked[k]!, parts)));
  }

  /** How well one word of a text matches each word of the question; null if it is related to none. */
  of({ words, numbers }: Text, i: number): Found | null {
    return this.#of(words[i]!, numbers[i]!)?.found ?? null;
  }

  #of(word: Form, number: number): Told | null {
    const place = this.#places[number]!;
    if (place > 0) return this.#told[place]!;
    const told = this.#tell(word, number);
    this.#places[number] = this.#told.push(told) - 1;
    return told;
  }

  #tell(word: Form, number: number): Told | null {
    if (this.#sharesStem[number]! > 0) {
      const found = this.#asked.map((asked, k) => match(asked, word) ?? this.#likeness(k, word));
      const parts = [word.term, ...word.parts].filter((part) => this.#parts.has(part));
      return parts.length > 0 || found.some((value) => value > 0) ? { found, parts } : null;
    }
    const letters = this.#reading.letters[2 * number]!;
    const lettersOfStem = this.#reading.letters[2 * number + 1]!;
    let found: number[] | undefined;
    for (let k = 0; k < this.#asked.length; k++) {
      // Most words cannot contain each other, and this check is quick.
      const mayHold =
        (this.#lettersOfStems[k]! & ~letters) === 0 || (lettersOfStem & ~this.#letters[k]!) === 0;
      if (this.#stands[k]! && !mayHold) continue;
      const value = this.#likeness(k, word);
      if (value > 0) (found ??= [...this.nothing])[k] = value;
    }
    return found === undefined ? null : { found, parts: [] };
  }

  #likeness(k: number, word: Form): number {
    const asked = this.#asked[k]!;
    return this.#stands[k]! ? LIKENESS * kinship(asked, word) : likeness(asked, word);
  }
}

/** The best match of each word. */
export function either(first: Found, ...others: readonly Found[]): Found {
  const best = [...first];
  for (const found of others)
    for (let k = 0; k < best.length; k++) if (found[k]! > best[k]!) best[k] = found[k]!;
  return best;
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

/** A compound whose parts are separate words in the text (`Dauer des Urlaubs` for `Urlaubsdauer`). */
function partsFound({ parts }: AskedWord, there: ReadonlySet<string>): number {
  if (parts.length === 0) return 0;
  return (PARTS * parts.filter((part) => there.has(part)).length) / parts.length;
}
