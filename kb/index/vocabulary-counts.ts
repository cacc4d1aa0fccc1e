import { MIN_PART } from '../analysis/compounds.ts';
import { bodiesOf, titleOf, type Row, type SourceWords } from './source-words.ts';
import type { WordTable } from './word-table.ts';

/**
 * Counts the folded content words of texts, titles and lines with questions (so that `Spätschicht` is found to be a
 * `Schicht`): words of letters only that are long enough for a part of a compound. A word counts once for each source
 * and spelling, so that after a change it is known which words no longer occur.
 */
export class VocabularyCounts {
  readonly #table: WordTable;
  readonly #counts: Uint32Array;
  /** The number of the last text in which a word was counted. */
  readonly #last: Uint32Array;
  #texts = 0;

  /** @param table the words of all sources; no more may be added to it */
  constructor(table: WordTable) {
    this.#table = table;
    this.#counts = new Uint32Array(table.texts.length);
    this.#last = new Uint32Array(table.texts.length);
  }

  /** Counts the words of a German source. */
  addSource(source: SourceWords): void {
    this.#texts++;
    this.#add(source.words, titleOf(source));
    for (const body of bodiesOf(source)) this.#add(source.words, body);
  }

  /** Counts words that belong to no source. */
  addWords(words: Uint32Array): void {
    this.#texts++;
    this.#add(words, { from: 0, to: words.length });
  }

  counts(): Map<string, number> {
    const words = new Map<string, number>();
    for (const [number, count] of this.#counts.entries()) {
      const folded = this.#table.folded[number]!;
      if (count > 0 && folded.length >= MIN_PART && !/\p{N}/u.test(folded))
        words.set(folded, (words.get(folded) ?? 0) + count);
    }
    return words;
  }

  #add(words: Uint32Array, { from, to }: Row): void {
    for (let i = from; i < to; i++) {
      const number = words[i]!;
      if (this.#last[number] === this.#texts) continue;
      this.#last[number] = this.#texts;
      this.#counts[number]!++;
    }
  }
}
