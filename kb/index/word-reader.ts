import { createHash } from 'node:crypto';

import type { Language, Source } from '../source.ts';
import { readWords, type SourceWords } from './source-words.ts';
import { WordTable } from './word-table.ts';

/** The words of sources that were read before. Plain data, so that a file can hold it. */
export interface KeptWords {
  readonly texts: readonly string[];
  readonly languages: readonly Language[];
  /** The words of each source, by the hash of what was read. */
  readonly sources: ReadonlyMap<string, SourceWords>;
}

/** Words that were read elsewhere, and the number that each of them has here, and one more; 0 where it has none yet. */
interface Before {
  readonly words: KeptWords;
  readonly numbers: Uint32Array;
}

/**
 * Reads the words of sources. One that was read before, in this wording, is taken over: a rebuild reads what has changed.
 * What an index is made of does not depend on it, as words are numbered for each build anew.
 */
export class WordReader {
  readonly table = new WordTable();
  readonly #before: Before[] = [];
  readonly #read = new Map<string, SourceWords>();
  readonly #keys = new WeakMap<Source, string>();

  constructor(before: KeptWords | null = null) {
    if (before !== null) this.takeOver(before);
  }

  /** Sources that these words are of need not be read. */
  takeOver(words: KeptWords): void {
    this.#before.push({ words, numbers: new Uint32Array(words.texts.length) });
  }

  /** Whether it was read before. */
  knows(source: Source): boolean {
    const key = this.#keyOf(source);
    return this.#before.some(({ words }) => words.sources.has(key));
  }

  read(source: Source): SourceWords {
    const key = this.#keyOf(source);
    const before = this.#before.find(({ words }) => words.sources.has(key));
    const read = before === undefined ? readWords(source, this.table) : this.#renumbered(before, key);
    this.#read.set(key, read);
    return read;
  }

  /** The words of the sources that were read, and of no others: what has left the base is not kept. */
  kept(): KeptWords {
    return { texts: this.table.texts, languages: this.table.languages, sources: this.#read };
  }

  #renumbered({ words: { texts, languages, sources }, numbers }: Before, key: string): SourceWords {
    const known = sources.get(key)!;
    const words = known.words.map((before) => {
      if (numbers[before] === 0)
        numbers[before] = this.table.numberOf(texts[before]!, languages[before]!) + 1;
      return numbers[before]! - 1;
    });
    return { ...known, words };
  }

  /** Worked out once: a source is looked for before it is read. */
  #keyOf(source: Source): string {
    const known = this.#keys.get(source);
    if (known !== undefined) return known;
    const key = keyOf(source);
    this.#keys.set(source, key);
    return key;
  }
}

/** A hash of all that the words of a source, and where its passages begin and end, depend on. */
function keyOf({ lang, title, section, text, units, asked, unanswered }: Source): string {
  const read = JSON.stringify([lang, title, section, text, units, asked, unanswered]);
  return createHash('sha256').update(read).digest('base64url');
}
