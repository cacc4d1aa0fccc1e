import { oneForEach, type WordForms } from './word-forms.ts';

type Kind = 'asked' | 'unanswered';

/** In how many lines a stem stands, of those that sources answer and of those that they do not. */
interface Counts {
  asked: number;
  unanswered: number;
  /** Number of the last line that it was counted in. */
  line: number;
}

/** Which words stand in how many lines. */
export class LineWords {
  readonly #forms: WordForms;
  readonly #lines = { asked: 0, unanswered: 0 };
  readonly #stems = new Map<string, Counts>();
  /** The counts of the stems of each word. */
  readonly #words: (readonly Counts[] | undefined)[];

  constructor(forms: WordForms) {
    this.#forms = forms;
    this.#words = oneForEach(forms.table);
  }

  count(kind: Kind, row: Uint32Array): void {
    this.#lines[kind]++;
    const line = this.#lines.asked + this.#lines.unanswered;
    for (let i = 0; i < row.length; i++) {
      const number = row[i]!;
      for (const counts of this.#words[number] ?? this.#countsOf(number)) {
        if (counts.line === line) continue;
        counts.line = line;
        counts[kind]++;
      }
    }
  }

  /** The logarithm of how much oftener a word stands in lines that are not answered than in others, where it does. */
  unanswered(): Map<string, number> {
    const usual = this.#lines.unanswered / this.#lines.asked;
    const oftener = [...this.#stems].map(([stem, { asked, unanswered }]): [string, number] => [
      stem,
      Math.log((unanswered / usual + 1) / (asked + 1)),
    ]);
    return new Map(oftener.filter(([, odds]) => odds > 0));
  }

  #countsOf(number: number): readonly Counts[] {
    const counts = this.#forms.stemsOf(number).map((stem) => {
      const known = this.#stems.get(stem) ?? { asked: 0, unanswered: 0, line: 0 };
      this.#stems.set(stem, known);
      return known;
    });
    this.#words[number] = counts;
    return counts;
  }
}
