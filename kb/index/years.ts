import { familyOf } from '../base/year.ts';
import type { Source } from '../knowledge.ts';

/** Years of this and the last century that stand alone in a question. */
export function yearsIn(question: string): number[] {
  return [...question.matchAll(/(?<![\p{L}\p{N}.,])(?:19|20)\d{2}(?![\p{L}\p{N}]|[.,]\p{N})/gu)].map(
    ([year]) => Number(year),
  );
}

/** Keeps the order of a family whose scores are equal; far below any difference that means something. */
const TIE_BREAK = 1e-5;

/**
 * The same rule for several years says nearly the same words, so that chance would decide which leads. Within such a
 * family the scores are dealt out anew: a year asked for first, then the newest.
 */
export class YearFamilies {
  readonly #sources: readonly Source[];
  readonly #families: readonly (readonly number[])[];

  constructor(sources: readonly Source[]) {
    const families = new Map<string, number[]>();
    for (const [number, source] of sources.entries()) {
      if (source.year === null) continue;
      const family = familyOf(source);
      families.set(family, [...(families.get(family) ?? []), number]);
    }
    this.#sources = sources;
    this.#families = [...families.values()].filter((family) => family.length > 1);
  }

  /** Deals out the scores of each family that scored at all. */
  reorder(scores: Float32Array, asked: readonly number[]): void {
    for (const family of this.#families) {
      const dealt = family.map((number) => scores[number]!).sort((a, b) => b - a);
      for (const [place, number] of this.inOrder(family, asked).entries()) {
        const score = dealt[place]!;
        scores[number] = score === 0 ? 0 : score + (family.length - place) * TIE_BREAK;
      }
    }
  }

  /** Sources of a year asked for first, then the newest; otherwise as they came. */
  inOrder(sources: readonly number[], asked: readonly number[]): number[] {
    const rank = (number: number): number => {
      const year = this.#sources[number]!.year;
      return year !== null && asked.includes(year) ? Infinity : (year ?? 0);
    };
    return sources.toSorted((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      return left === right ? 0 : right - left;
    });
  }
}
