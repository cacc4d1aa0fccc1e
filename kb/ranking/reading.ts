import { detectLanguage, type Analysis } from '../analysis/analysis.ts';
import type { Form } from '../analysis/word.ts';
import { gramsIn } from '../analysis/grams.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import type { Hit } from '../hit.ts';
import { sentencesBetween } from '../sentences.ts';
import type { Source } from '../source.ts';
import { isYear } from './asked.ts';

/** The words of a text, with their numbers. */
export interface Text {
  readonly words: readonly Form[];
  readonly numbers: Uint32Array;
}

/** A line with a question that a source answers, or a related question that it does not answer. */
export interface Line extends Text {
  /** The distinct numbers of the line's 4-grams. */
  readonly grams: Uint32Array;
}

/** A source whose texts are ready to be compared with questions. */
export interface Read {
  readonly title: Text;
  readonly section: Text;
  readonly sentences: readonly (Text & { readonly text: string })[];
  /** The lines of questions that the source answers. */
  readonly lines: readonly Line[];
  /** The lines of related questions that the source does not answer. */
  readonly unanswered: readonly Line[];
  /**
   * The distinct stems of title, sentences and lines; and these with the stems of the section and of the parts of
   * compounds.
   */
  readonly stems: Uint32Array;
  readonly stemsAndParts: Uint32Array;
  /** The distinct 4-grams of all lines of the source. */
  readonly gramsOfLines: Uint32Array;
}

/** The most passages of one source that are compared, because a § may have a hundred. */
const MAX_PASSAGES = 2;
/**
 * The words of the sources that are kept, in about 60 MB: two thousand sources with a hundred lines each, or ten
 * thousand without lines.
 */
const MAX_WORDS = 1_500_000;

/** Numbers things in order of arrival, so that counts for a question are in arrays and not in maps. */
class Numbers<T> {
  readonly #numbers = new Map<T, number>();

  get size(): number {
    return this.#numbers.size;
  }

  of(thing: T): number {
    let number = this.#numbers.get(thing);
    if (number === undefined) this.#numbers.set(thing, (number = this.#numbers.size));
    return number;
  }

  /** The number of a thing; undefined if it has none. */
  find(thing: T): number | undefined {
    return this.#numbers.get(thing);
  }

  /** Gives numbers to the things of a question, which are not stored: unknown things get numbers from `size` on. */
  ofAsked(things: readonly T[]): number[] {
    const others = new Map<T, number>();
    return things.map((thing) => {
      const number = this.#numbers.get(thing) ?? others.get(thing) ?? this.size + others.size;
      if (number >= this.size) others.set(thing, number);
      return number;
    });
  }

  /** For each entry, the number of lists that have it. No list has an entry twice. */
  count(lists: readonly Uint32Array[]): Uint16Array {
    const counts = new Uint16Array(this.size);
    for (const list of lists) for (const number of list) counts[number]! += 1;
    return counts;
  }
}

/** A source that was read, and the state with which its words were read. */
interface Kept {
  readonly source: Source;
  readonly analysis: Analysis;
  readonly read: Read;
  /** The size in words. */
  readonly size: number;
}

/**
 * The sources that recent questions found, because questions find the same sources again and again. Sources that a
 * change does not affect stay cached for the next index.
 */
export class Reading {
  readonly words = new Numbers<Form>();
  readonly stems = new Numbers<string>();
  readonly grams = new Numbers<string>();
  /**
   * The number of each word's stem, by the number of the word; and the words of each stem, also as a part of a
   * compound, by the number of the stem.
   */
  readonly stemOf: number[] = [];
  readonly wordsOf: number[][] = [];
  /**
   * The letters of each word as bits (see `lettersIn`): place 2n has the letters of the folded form of word n, place 2n
   * + 1 the letters of its stem.
   */
  readonly letters: number[] = [];
  /** The sources in the order of their last use, the oldest first. */
  readonly #kept = new Map<string, Kept>();
  /** The number of words of all kept sources. */
  #size = 0;

  private constructor() {}

  /**
   * One reading for each analysis. An index has the same `analysisBefore` before and after a change, so its reading is
   * kept.
   */
  static readonly #known = new WeakMap<Analysis, Reading>();

  static of({ data: { analysisBefore } }: LexicalIndex): Reading {
    const known = Reading.#known.get(analysisBefore) ?? new Reading();
    Reading.#known.set(analysisBefore, known);
    return known;
  }

  /** Whether the hit of an index has been read already. */
  has(hit: Hit, index: LexicalIndex): boolean {
    return this.#find(hit, index) !== undefined;
  }

  read(hit: Hit, index: LexicalIndex): Read {
    const key = keyOf(hit);
    const kept = this.#find(hit, index) ?? this.#readNow(hit, index);
    this.#forget(key);
    this.#kept.set(key, kept);
    this.#size += kept.size;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MAX_WORDS) break;
      this.#forget(oldest);
    }
    return kept.read;
  }

  #find(hit: Hit, index: LexicalIndex): Kept | undefined {
    const kept = this.#kept.get(keyOf(hit));
    const isSame = kept?.source === hit.source && kept.analysis === analysisOf(hit.source, index);
    return isSame ? kept : undefined;
  }

  #forget(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0;
    this.#kept.delete(key);
  }

  #readNow({ source, passages }: Hit, index: LexicalIndex): Kept {
    const analysis = analysisOf(source, index);
    const read = this.#analyse({ source, passages }, analysis);
    return { source, analysis, read, size: sizeOf(read) };
  }

  #analyse({ source, passages }: Pick<Hit, 'source' | 'passages'>, analysis: Analysis): Read {
    const { lang } = source;
    const title = this.#text(analysis.forms(source.title, lang));
    const section = this.#text(analysis.forms(source.section, lang));
    const sentences = passages
      .slice(0, MAX_PASSAGES)
      .flatMap(({ start, text }) => sentencesBetween(source, start, start + text.length))
      .map(({ text }) => ({ text, ...this.#text(analysis.forms(text, lang)) }));
    // The year is compared separately, so it does not make a line less similar.
    const lines = (source.asked ?? []).map((line) =>
      this.#line(analysis.forms(line, detectLanguage(line, lang), isYear)),
    );
    const unanswered = (source.unanswered ?? []).map((line) =>
      this.#line(analysis.forms(line, detectLanguage(line, lang))),
    );
    const all = [title, ...sentences, ...lines];
    const parts = [...all, section].flatMap(({ words }) => words.flatMap((word) => word.parts));
    const stemsOf = ({ numbers }: Text): number[] => Array.from(numbers, (word) => this.stemOf[word]!);
    const stems = numbersOf(all.map(stemsOf));
    return {
      title,
      section,
      sentences,
      lines,
      unanswered,
      stems,
      stemsAndParts: numbersOf([stems, stemsOf(section), parts.map((part) => this.stems.of(part))]),
      gramsOfLines: numbersOf(lines.map(({ grams }) => grams)),
    };
  }

  #line(words: readonly Form[]): Line {
    return {
      ...this.#text(words),
      grams: Uint32Array.from(gramsIn(words), (gram) => this.grams.of(gram)),
    };
  }

  #text(words: readonly Form[]): Text {
    return { words, numbers: Uint32Array.from(words, (word) => this.#numberOf(word)) };
  }

  #numberOf(word: Form): number {
    const number = this.words.of(word);
    if (number === this.stemOf.length) {
      this.stemOf.push(this.stems.of(word.term));
      this.letters.push(lettersIn(word.folded), lettersIn(word.term));
      for (const stem of [word.term, ...word.parts]) (this.wordsOf[this.stems.of(stem)] ??= []).push(number);
    }
    return number;
  }
}

const analysisOf = (
  source: Source,
  { data: { analysis, analysisBefore, touched } }: LexicalIndex,
): Analysis => (touched.has(source) ? analysis : analysisBefore);

const keyOf = ({ source, passages }: Hit): string =>
  [source.id, ...passages.slice(0, MAX_PASSAGES).map(({ start }) => start)].join(' ');

/** The size of a hit's text, in words. */
export const sizeOf = ({ title, section, sentences, lines, unanswered }: Read): number =>
  [title, section, ...sentences, ...lines, ...unanswered].reduce((sum, { words }) => sum + words.length, 0);

/** The distinct numbers of the lists' entries. */
const numbersOf = (lists: readonly Iterable<number>[]): Uint32Array =>
  Uint32Array.from(new Set(lists.flatMap((list) => [...list])));

/** A bit for each letter, for a quick check that one word cannot contain another. */
export function lettersIn(word: string): number {
  let letters = 0;
  for (let i = 0; i < word.length; i++) letters |= 1 << (word.charCodeAt(i) % 32);
  return letters;
}
