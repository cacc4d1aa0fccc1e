import type { Analysis } from '../analysis/analysis.ts';
import type { Row } from './source-words.ts';
import type { WordTable } from './word-table.ts';

/** The forms of a table's words in one base, each computed once. */
export class WordForms {
  readonly table: WordTable;
  readonly #analysis: Analysis;
  readonly #stems: (readonly string[] | undefined)[];
  readonly #letters: Uint32Array;

  constructor(table: WordTable, analysis: Analysis) {
    this.table = table;
    this.#analysis = analysis;
    // Allocated at once, because a sparse array would be slow.
    this.#stems = Array.from({ length: table.texts.length }, () => undefined);
    this.#letters = Uint32Array.from(table.folded, ({ length }) => length);
  }

  /** The word's own stem, and those of its parts. */
  stemsOf(number: number): readonly string[] {
    const known = this.#stems[number];
    if (known !== undefined) return known;
    const { texts, folded, languages } = this.table;
    const { term, parts } = this.#analysis.formOf(texts[number]!, folded[number]!, languages[number]!);
    const stems = [term, ...parts];
    this.#stems[number] = stems;
    return stems;
  }

  lettersOf(words: Uint32Array, { from, to }: Row): number {
    let letters = 0;
    for (let i = from; i < to; i++) letters += this.#letters[words[i]!]!;
    return letters;
  }
}
