import type { Analysis } from '../analysis/analysis.ts';
import type { WordTable } from './word-table.ts';

/** A slot for each word of a table, allocated at once because a sparse array would be slow. */
export const oneForEach = <T>({ texts }: WordTable): (T | undefined)[] =>
  Array.from({ length: texts.length }, () => undefined);

/** The forms of a table's words in one base, each computed once. */
export class WordForms {
  readonly table: WordTable;
  readonly #analysis: Analysis;
  readonly #stems: (readonly string[] | undefined)[];

  constructor(table: WordTable, analysis: Analysis) {
    this.table = table;
    this.#analysis = analysis;
    this.#stems = oneForEach(table);
  }

  /** The word's own stem, and those of its parts. */
  stemsOf(number: number): readonly string[] {
    const known = this.#stems[number];
    if (known !== undefined) return known;
    const { texts, languages } = this.table;
    const form = this.#analysis.form(texts[number]!, languages[number]!);
    const stems = form === null ? [] : [form.term, ...form.parts];
    this.#stems[number] = stems;
    return stems;
  }

  lettersOf(row: Uint32Array): number {
    const { folded } = this.table;
    let letters = 0;
    for (let i = 0; i < row.length; i++) letters += folded[row[i]!]!.length;
    return letters;
  }
}
