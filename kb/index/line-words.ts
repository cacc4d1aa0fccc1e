import { GrowingNumbers } from './growing.ts';
import type { Row } from './source-words.ts';
import type { WordForms } from './word-forms.ts';

type Kind = 'asked' | 'unanswered';

/** The number of answered and of unanswered lines with a stem. */
interface Counts {
  readonly asked: number;
  readonly unanswered: number;
}

/** The number of lines, and of those with each stem. Plain data for a snapshot. */
export interface LineCounts extends Counts {
  readonly stems: ReadonlyMap<string, Counts>;
}

/** Counts the lines with each word. */
export class LineWords {
  readonly #forms: WordForms;
  readonly #lines = { asked: 0, unanswered: 0 };
  readonly #ids = new Map<string, number>();
  /** The lines with each stem, and the last line in which it was counted. */
  readonly #counts = { asked: new GrowingNumbers(), unanswered: new GrowingNumbers() };
  readonly #last = new GrowingNumbers();
  /** The stems of a word, `stems.slice(firsts[word], lasts[word])`; `lasts[word]` is 0 before they are known. */
  readonly #stems = new GrowingNumbers();
  readonly #firsts: Uint32Array;
  readonly #lasts: Uint32Array;

  constructor(forms: WordForms) {
    const { length } = forms.table.texts;
    this.#forms = forms;
    this.#firsts = new Uint32Array(length);
    this.#lasts = new Uint32Array(length);
  }

  count(kind: Kind, words: Uint32Array, { from, to }: Row): void {
    this.#lines[kind]++;
    const line = this.#lines.asked + this.#lines.unanswered;
    for (let i = from; i < to; i++) {
      const word = words[i]!;
      if (this.#lasts[word] === 0) this.#number(word);
      const last = this.#last.values;
      const counts = this.#counts[kind].values;
      const stems = this.#stems.values;
      for (let at = this.#firsts[word]!, end = this.#lasts[word]!; at < end; at++) {
        const stem = stems[at]!;
        if (last[stem] === line) continue;
        last[stem] = line;
        counts[stem]!++;
      }
    }
  }

  counts(): LineCounts {
    const { asked, unanswered } = this.#counts;
    const stems = [...this.#ids].map(
      ([stem, id]) => [stem, { asked: asked.values[id]!, unanswered: unanswered.values[id]! }] as const,
    );
    return { ...this.#lines, stems: new Map(stems) };
  }

  #number(word: number): void {
    this.#firsts[word] = this.#stems.length;
    for (const stem of this.#forms.stemsOf(word)) this.#stems.push(this.#id(stem));
    this.#lasts[word] = this.#stems.length;
  }

  #id(stem: string): number {
    const known = this.#ids.get(stem);
    if (known !== undefined) return known;
    const id = this.#ids.size;
    this.#ids.set(stem, id);
    for (const numbers of [this.#counts.asked, this.#counts.unanswered, this.#last]) numbers.push(0);
    return id;
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
