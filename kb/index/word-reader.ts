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

/**
 * Reads the words of sources. One that was read before, in this wording, is taken over: a rebuild reads what has changed.
 * What an index is made of does not depend on it, as words are numbered for each build anew.
 */
export class WordReader {
  readonly table = new WordTable();
  readonly #before: KeptWords | null;
  /** The number that each word of those before has now, and one more; 0 where it has none yet. */
  readonly #numbers: Uint32Array;
  readonly #read = new Map<string, SourceWords>();

  constructor(before: KeptWords | null = null) {
    this.#before = before;
    this.#numbers = new Uint32Array(before?.texts.length ?? 0);
  }

  read(source: Source): SourceWords {
    const key = keyOf(source);
    const known = this.#before?.sources.get(key);
    const read = known === undefined ? readWords(source, this.table) : this.#renumbered(known);
    this.#read.set(key, read);
    return read;
  }

  /** The words of the sources that were read, and of no others: what has left the base is not kept. */
  kept(): KeptWords {
    return { texts: this.table.texts, languages: this.table.languages, sources: this.#read };
  }

  #renumbered(known: SourceWords): SourceWords {
    return { ...known, words: known.words.map((number) => this.#numberNow(number)) };
  }

  #numberNow(before: number): number {
    const known = this.#numbers[before]!;
    if (known > 0) return known - 1;
    const { texts, languages } = this.#before!;
    const number = this.table.numberOf(texts[before]!, languages[before]!);
    this.#numbers[before] = number + 1;
    return number;
  }
}

/** A hash of all that the words of a source, and where its passages begin and end, depend on. */
function keyOf({ lang, title, section, text, units, asked, unanswered }: Source): string {
  const read = JSON.stringify([lang, title, section, text, units, asked, unanswered]);
  return createHash('sha256').update(read).digest('base64url');
}
