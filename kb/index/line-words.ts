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

/** The fields of a stem: the last line in which it was counted, and the number of lines with it. */
const LINE = 0;
const LINES: Readonly<Record<Kind, number>> = { asked: 1, unanswered: 2 };
const FIELDS = 3;

/** Counts the lines with each word. */
export class LineWords {
  readonly #forms: WordForms;
  readonly #lines = { asked: 0, unanswered: 0 };
  /** The place of each stem's fields. */
  readonly #places = new Map<string, number>();
  readonly #fields = new GrowingNumbers();
  /**
   * The range of `#stems` with the stems of each word: its start and its end. The end is 0 until the stems are known.
   */
  readonly #ranges: Uint32Array;
  readonly #stems = new GrowingNumbers();

  constructor(forms: WordForms) {
    this.#forms = forms;
    this.#ranges = new Uint32Array(2 * forms.table.texts.length);
  }

  count(kind: Kind, words: Uint32Array, { from, to }: Row): void {
    this.#lines[kind]++;
    const line = this.#lines.asked + this.#lines.unanswered;
    const ranges = this.#ranges;
    const field = LINES[kind];
    for (let i = from; i < to; i++) {
      const word = words[i]!;
      if (ranges[2 * word + 1] === 0) this.#number(word);
      const fields = this.#fields.values;
      const stems = this.#stems.values;
      for (let at = ranges[2 * word]!, end = ranges[2 * word + 1]!; at < end; at++) {
        const place = stems[at]!;
        if (fields[place + LINE] === line) continue;
        fields[place + LINE] = line;
        fields[place + field]!++;
      }
    }
  }

  counts(): LineCounts {
    const { values } = this.#fields;
    const countsAt = (place: number): Counts => ({
      asked: values[place + LINES.asked]!,
      unanswered: values[place + LINES.unanswered]!,
    });
    const stems = [...this.#places].map(([stem, place]) => [stem, countsAt(place)] as const);
    return { ...this.#lines, stems: new Map(stems) };
  }

  #number(word: number): void {
    this.#ranges[2 * word] = this.#stems.length;
    for (const stem of this.#forms.stemsOf(word)) this.#stems.push(this.#placeOf(stem));
    this.#ranges[2 * word + 1] = this.#stems.length;
  }

  #placeOf(stem: string): number {
    const known = this.#places.get(stem);
    if (known !== undefined) return known;
    const place = this.#fields.length;
    this.#places.set(stem, place);
    for (let field = 0; field < FIELDS; field++) this.#fields.push(0);
    return place;
  }
}

/**
 * For each stem that is more frequent in unanswered lines than in answered ones: the logarithm of how many times as
 * frequent it is.
 */
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
