import { oneForEach, type WordForms } from './word-forms.ts';

type Kind = 'asked' | 'unanswered';

/** The number of answered and of unanswered lines with a stem. */
interface Counts {
  asked: number;
  unanswered: number;
}

/** The number of lines, and of those with each stem. Plain data for a snapshot. */
export interface LineCounts extends Readonly<Counts> {
  readonly stems: ReadonlyMap<string, Readonly<Counts>>;
}

/** Counts the lines with each word. */
export class LineWords {
  readonly #forms: WordForms;
  readonly #lines = { asked: 0, unanswered: 0 };
  /** `line` is the number of the last line in which the stem was counted. */
  readonly #stems = new Map<string, Counts & { line: number }>();
  /** The counts of the stems of each word. */
  readonly #words: (readonly (Counts & { line: number })[] | undefined)[];

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

  counts(): LineCounts {
    const stems = [...this.#stems].map(
      ([stem, { asked, unanswered }]) => [stem, { asked, unanswered }] as const,
    );
    return { ...this.#lines, stems: new Map(stems) };
  }

  #countsOf(number: number): readonly (Counts & { line: number })[] {
    const counts = this.#forms.stemsOf(number).map((stem) => {
      const known = this.#stems.get(stem) ?? { asked: 0, unanswered: 0, line: 0 };
      this.#stems.set(stem, known);
      return known;
    });
    this.#words[number] = counts;
    return counts;
  }
}

/** The logarithm of how much more frequent a word is in unanswered lines than in others, if it is. */
export function oftenerUnanswered({
  asked: answered,
  unanswered: open,
  stems,
}: LineCounts): Map<string, number> {
  const usual = open / answered;
  const oftener = [...stems].map(([stem, { asked, unanswered }]): [string, number] => [
    stem,
    Math.log((unanswered / usual + 1) / (asked + 1)),
  ]);
  return new Map(oftener.filter(([, odds]) => odds > 0));
}

/** The counts of a base's lines after a change. */
export function changedLines(before: LineCounts, gone: LineCounts, added: LineCounts): LineCounts {
  const stems = new Map(before.stems);
  for (const [lines, sign] of [
    [gone, -1],
    [added, 1],
  ] as const) {
    for (const [stem, { asked, unanswered }] of lines.stems) {
      const known = stems.get(stem) ?? { asked: 0, unanswered: 0 };
      stems.set(stem, {
        asked: known.asked + sign * asked,
        unanswered: known.unanswered + sign * unanswered,
      });
    }
  }
  return {
    asked: before.asked - gone.asked + added.asked,
    unanswered: before.unanswered - gone.unanswered + added.unanswered,
    stems,
  };
}
