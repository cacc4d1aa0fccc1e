import type { Analysis } from '../analysis/analysis.ts';
import type { GrowingNumbers } from './growing.ts';
import type { PostingsBuilder } from './postings-builder.ts';
import type { Terms } from './word-counter.ts';
import type { WordTable } from './word-table.ts';

/** The forms of a table's words in one base, each computed once. Words are counted as their stems. */
export class WordForms implements Terms {
  readonly usualLength = 60;
  readonly table: WordTable;
  readonly #analysis: Analysis;
  readonly #stems: (readonly string[] | undefined)[];

  constructor(table: WordTable, analysis: Analysis) {
    this.table = table;
    this.#analysis = analysis;
    // Allocated at once, because a sparse array would be slow.
    this.#stems = Array.from({ length: table.texts.length }, () => undefined);
  }

  /** The stem of the word, and the stems of its parts. */
  stemsOf(number: number): readonly string[] {
    const known = this.#stems[number];
    if (known !== undefined) return known;
    const { texts, folded, languages } = this.table;
    const { term, parts } = this.#analysis.formOf(texts[number]!, folded[number]!, languages[number]!);
    const stems = [term, ...parts];
    this.#stems[number] = stems;
    return stems;
  }

  /** The length of a passage is the number of its words. */
  lengthOf(): number {
    return 1;
  }

  keyOf(word: number): string {
    return this.stemsOf(word).join('\n');
  }

  number(word: number, postings: PostingsBuilder, ids: GrowingNumbers): void {
    for (const stem of this.stemsOf(word)) ids.push(postings.id(stem));
  }
}
