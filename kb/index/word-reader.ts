import { createHash } from 'node:crypto';

import type { Language, Source } from '../source.ts';
import { SourceRows } from './source-rows.ts';
import { readWords, type SourceWords } from './source-words.ts';
import { WordTable } from './word-table.ts';

/** The number of sources between two reports of progress. */
const REPORT_EVERY = 200;

/** The words of sources, to be stored in a file. */
interface Words {
  readonly texts: readonly string[];
  readonly languages: readonly Language[];
}

/** The words of an earlier read, with the words of each source by the hash of its wording. */
export interface KeptWords extends Words {
  readonly sources: Map<string, SourceWords>;
}

/** The words to store. Sources with equal wording may come twice. */
export interface WordsToKeep extends Words {
  readonly sources: Iterable<readonly [string, SourceWords]>;
}

/**
 * Reads the words of sources. A source that was read before with the same wording is reused, so that a rebuild reads
 * only changes. The index does not depend on this, because each build numbers the words again.
 */
export class WordReader {
  readonly table = new WordTable();
  /** The words of the sources that were read, in order. */
  readonly rows = new SourceRows();
  readonly #before: KeptWords | null;
  /** The present number of each word of the earlier read, plus one; 0 if it has none yet. */
  readonly #numbers: Uint32Array;
  readonly #read: { readonly key: string | null; readonly source: Source }[] = [];

  constructor(before: KeptWords | null = null) {
    this.#before = before;
    this.#numbers = new Uint32Array(before?.texts.length ?? 0);
  }

  /**
   * @param onProgress called with the number of sources read so far, and the number of all sources
   * @param onWords called with the words of each source; by then the table has all of these words
   */
  read(
    sources: readonly Source[],
    onProgress?: (done: number, total: number) => void,
    onWords?: (words: SourceWords) => void,
  ): void {
    for (const [done, source] of sources.entries()) {
      if (done % REPORT_EVERY === 0) onProgress?.(done, sources.length);
      const words = this.#wordsOf(source);
      this.rows.add(words);
      onWords?.(words);
    }
    onProgress?.(sources.length, sources.length);
  }

  /** The words of the sources that were read now. The words of removed sources are dropped. */
  kept(): WordsToKeep {
    return { texts: this.table.texts, languages: this.table.languages, sources: this.#keptSources() };
  }

  *#keptSources(): Generator<readonly [string, SourceWords]> {
    let number = 0;
    for (const words of this.rows) {
      const { key, source } = this.#read[number++]!;
      yield [key ?? keyOf(source), words];
    }
  }

  #wordsOf(source: Source): SourceWords {
    // The key finds the words of an earlier read. Without an earlier read, the key is only computed when the words are
    // stored.
    const key = this.#before === null ? null : keyOf(source);
    this.#read.push({ key, source });
    const known = key === null ? undefined : this.#before!.sources.get(key);
    return known === undefined ? readWords(source, this.table) : this.#renumbered(key!, known);
  }

  /**
   * The numbers are changed in place, because the words of a large base take a gigabyte. A second source with the same
   * wording is then read.
   */
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
function keyOf({ lang, title, section, text, units, asked, unanswered, forReviews }: Source): string {
  const read = JSON.stringify([lang, title, section, text, units, asked, unanswered, forReviews]);
  return createHash('sha256').update(read).digest('base64url');
}
