import { createHash } from 'node:crypto';

import type { Language, Source } from '../source.ts';
import { readWords, type SourceWords } from './source-words.ts';
import { WordTable } from './word-table.ts';

/** The words of sources that were read before. Plain data for a file. */
export interface KeptWords {
  readonly texts: readonly string[];
  readonly languages: readonly Language[];
  /** The words of each source, by the hash of its wording. */
  readonly sources: Map<string, SourceWords>;
}

/**
 * Reads the words of sources. A source that was read before with the same wording is reused, so that a rebuild reads
 * only changes. An index does not depend on it, because each build numbers words anew.
 */
export class WordReader {
  readonly table = new WordTable();
  readonly #before: KeptWords | null;
  /** The present number of each earlier word plus one; 0 if it has none yet. */
  readonly #numbers: Uint32Array;
  readonly #read: { readonly key: string | null; readonly source: Source; readonly words: SourceWords }[] =
    [];

  constructor(before: KeptWords | null = null) {
    this.#before = before;
    this.#numbers = new Uint32Array(before?.texts.length ?? 0);
  }

  read(source: Source): SourceWords {
    // The key finds the words that an earlier read has kept. Where there are none, it is only computed when they are kept.
    const key = this.#before === null ? null : keyOf(source);
    const known = key === null ? undefined : this.#before!.sources.get(key);
    const words = known === undefined ? readWords(source, this.table) : this.#renumbered(key!, known);
    this.#read.push({ key, source, words });
    return words;
  }

  /** The words of the sources that were read this time; those of removed sources are dropped. */
  kept(): KeptWords {
    const sources = new Map(this.#read.map(({ key, source, words }) => [key ?? keyOf(source), words]));
    return { texts: this.table.texts, languages: this.table.languages, sources };
  }

  /** In place, because those of a large base take a gigabyte. A source with the same wording as another one is then read. */
  #renumbered(key: string, known: SourceWords): SourceWords {
    this.#before!.sources.delete(key);
    const { words } = known;
    for (let i = 0; i < words.length; i++) words[i] = this.#numberNow(words[i]!);
    return known;
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

/** A hash of everything on which the words and passages of a source depend. */
function keyOf({ lang, title, section, text, units, asked, unanswered }: Source): string {
  const read = JSON.stringify([lang, title, section, text, units, asked, unanswered]);
  return createHash('sha256').update(read).digest('base64url');
}
