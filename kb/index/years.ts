import { familyOf } from '../base/year.ts';
import { provisionsIn } from '../provisions.ts';
import type { Source } from '../source.ts';

/** Years of the asker's story (`seit 2015`, `2015 angefangen`): they do not ask for that year. */
const OF_A_STORY =
  /(?:^|\s)(?:seit|aus|since|from|geb\.?|geboren|born|jahrgang|jg\.?|baujahr|eingestellt|angefangen|eintritt|vertrag vo[nm])\s+(?:\p{L}+\.?\s+){0,2}$/iu;
const BEGAN =
  /^\s+(?:\p{L}+\s+){0,4}(?:angefangen|begonnen|eingestellt|eingetreten|gekommen|geboren|gestartet|gegründet|geheiratet|unterschrieben|abgeschlossen|dabei|started|joined|hired|born|signed)(?!\p{L})/iu;

const YEARS = /(?<![\p{L}\p{N}.,])(?:19|20)\d{2}(?![\p{L}\p{N}]|[.,]\p{N})/gu;

/** Years of this and the last century that a question has: all, and those that it asks about. */
export interface Years {
  readonly all: readonly number[];
  readonly asked: readonly number[];
}

export function yearsOf(question: string): Years {
  const provisions = provisionsIn(question);
  // `§ 1922 BGB` is a provision.
  const all = [...question.matchAll(YEARS)].filter(
    ({ index }) => !provisions.some(({ start, end }) => start <= index && index < end),
  );
  const asked = all.filter(
    ({ index, 0: { length } }) =>
      !OF_A_STORY.test(question.slice(0, index)) && !BEGAN.test(question.slice(index + length)),
  );
  return { all: all.map(([year]) => Number(year)), asked: asked.map(([year]) => Number(year)) };
}

export const yearsIn = (question: string): readonly number[] => yearsOf(question).asked;

/** A rule for what begins in a year (`bei Ausbildungsbeginn 2021`) is asked for by the year in which it began. */
const FOR_A_BEGINNING = /beginn\s+(?:19|20)\d{2}/iu;

/** The years by which a question asks for this source. */
export const yearsFor = ({ title }: Source, { all, asked }: Years): readonly number[] =>
  FOR_A_BEGINNING.test(title) ? all : asked;

/** Whether a source is of one of the years that the question asks for. */
export const isOfYear = (source: Source, years: Years): boolean =>
  source.year !== null && yearsFor(source, years).includes(source.year);

/** Keeps the order of a family whose scores are equal; far below any difference that means something. */
const TIE_BREAK = 1e-5;

/**
 * The same rule for several years says nearly the same words, so that chance would decide which leads. Within such a
 * family the scores are dealt out anew: a year asked for first, then the newest. A family that ended before the year of
 * the base's law is found only by a question that names a year in which it held.
 */
export class YearFamilies {
  readonly #sources: readonly Source[];
  readonly #families: readonly (readonly number[])[];
  /** The last year of each source whose family has ended. */
  readonly #ended = new Map<number, number>();

  constructor(sources: readonly Source[], lawYear: number | null) {
    const families = new Map<string, number[]>();
    for (const [number, source] of sources.entries()) {
      if (source.year === null) continue;
      const family = familyOf(source);
      families.set(family, [...(families.get(family) ?? []), number]);
    }
    this.#sources = sources;
    this.#families = [...families.values()].filter((family) => family.length > 1);
    for (const family of families.values()) {
      const last = Math.max(...family.map((number) => sources[number]!.year!));
      if (lawYear !== null && last < lawYear) for (const number of family) this.#ended.set(number, last);
    }
  }

  /** Deals out the scores of each family that scored at all, and takes those of what no longer held when asked about. */
  reorder(scores: Float32Array, years: Years): void {
    for (const family of this.#families) {
      const dealt = family.map((number) => scores[number]!).sort((a, b) => b - a);
      for (const [place, number] of this.inOrder(family, years).entries()) {
        const score = dealt[place]!;
        scores[number] = score === 0 ? 0 : score + (family.length - place) * TIE_BREAK;
      }
    }
    for (const number of this.#ended.keys()) if (this.isPast(number, years)) scores[number] = 0;
  }

  /** True of a family that ended before all years asked about, or where none was asked for. */
  isPast(number: number, { asked }: Years): boolean {
    const last = this.#ended.get(number);
    return last !== undefined && !asked.some((year) => year <= last);
  }

  /** The years of a source's family, ascending. */
  of(source: Source): number[] {
    if (source.year === null) return [];
    const family = familyOf(source);
    const years = this.#sources.flatMap((other) =>
      other.year !== null && familyOf(other) === family ? other.year : [],
    );
    return [...new Set(years)].toSorted((a, b) => a - b);
  }

  /** Sources of a year asked for first, then the newest; otherwise as they came. */
  inOrder(sources: readonly number[], years: Years): number[] {
    const rank = (number: number): number => {
      const source = this.#sources[number]!;
      return isOfYear(source, years) ? Infinity : (source.year ?? 0);
    };
    return sources.toSorted((a, b) => {
      const [left, right] = [rank(a), rank(b)];
      return left === right ? 0 : right - left;
    });
  }
}
