import { familyOf } from '../base/year.ts';
import { provisionsIn } from '../provisions.ts';
import { TO_NUMBER, type Steps } from '../steps.ts';
import type { Source } from '../source.ts';

/** A year in the asker's story (`seit 2015`, `2015 angefangen`), which is not the year asked about. */
const OF_A_STORY =
  /(?:^|\s)(?:seit|aus|since|from|geb\.?|geboren|born|jahrgang|jg\.?|baujahr|eingestellt|angefangen|eintritt|vertrag vo[nm])\s+(?:\p{L}+\.?\s+){0,2}$/iu;
const BEGAN =
  /^\s+(?:\p{L}+\s+){0,4}(?:angefangen|begonnen|eingestellt|eingetreten|gekommen|geboren|gestartet|gegründet|geheiratet|unterschrieben|abgeschlossen|dabei|started|joined|hired|born|signed)(?!\p{L})/iu;

const YEARS = /(?<![\p{L}\p{N}.,])(?:19|20)\d{2}(?![\p{L}\p{N}]|[.,]\p{N})/gu;

/** The years of this and the last century in a question: all years, and the years that it asks about. */
interface Years {
  readonly all: readonly number[];
  readonly asked: readonly number[];
}

export function yearsOf(question: string): Years {
  const provisions = provisionsIn(question);
  // `§ 1922 BGB` is a provision and no year.
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

/** For a rule about a beginning (`bei Ausbildungsbeginn 2021`) the year of the beginning is asked about. */
const FOR_A_BEGINNING = /beginn\s+(?:19|20)\d{2}/iu;

/** The years with which a question asks about this source. */
export const yearsFor = ({ title }: Source, { all, asked }: Years): readonly number[] =>
  FOR_A_BEGINNING.test(title) ? all : asked;

/** Whether a source is valid in one of the years that the question asks about. */
export const isOfYear = (source: Source, years: Years): boolean =>
  source.year !== null && yearsFor(source, years).includes(source.year);

/**
 * Added to a score once for each member of the family (the same rule in several years) from this place to the last, so
 * that members with equal scores keep their order. It is far below any difference that matters.
 */
const TIE_BREAK = 1e-5;

/** The number of sources that are handled in one step. */
const SOURCES_A_STEP = 50;

/**
 * A rule for several years has almost the same words each year, so that chance would decide which year is first. Within
 * such a family the scores are exchanged: the year that the question asks about comes first, then the newest. A family
 * that ended before the year of the base's law is only found by a question with a year in which the rule was in force.
 */
export class YearFamilies {
  readonly #sources: readonly Source[];
  readonly #families: readonly (readonly number[])[];
  /** The last year of each source whose family has ended. */
  readonly #ended: ReadonlyMap<number, number>;

  /** The most that `reorder` adds to a score. */
  readonly mostAdded: number;

  private constructor(
    sources: readonly Source[],
    families: readonly (readonly number[])[],
    ended: ReadonlyMap<number, number>,
  ) {
    this.#sources = sources;
    this.#families = families;
    this.#ended = ended;
    this.mostAdded = TIE_BREAK * families.reduce((most, { length }) => Math.max(most, length), 0);
  }

  /** Finds the families step by step. */
  static *reading(sources: readonly Source[], lawYear: number | null): Steps<YearFamilies> {
    const families = new Map<string, number[]>();
    for (const [number, source] of sources.entries()) {
      if (number % SOURCES_A_STEP === 0) yield TO_NUMBER * SOURCES_A_STEP;
      if (source.year === null || source.forReviews === true) continue;
      const family = familyOf(source);
      const known = families.get(family);
      if (known === undefined) families.set(family, [number]);
      else known.push(number);
    }
    const ended = new Map<number, number>();
    for (const family of families.values()) {
      const last = Math.max(...family.map((number) => sources[number]!.year!));
      if (lawYear !== null && last < lawYear) for (const number of family) ended.set(number, last);
    }
    const several = [...families.values()].filter((family) => family.length > 1);
    return new YearFamilies(sources, several, ended);
  }

  /** The given sources, and all sources of their families. */
  withFamilies(sources: Iterable<number>): Set<number> {
    const all = new Set(sources);
    for (const family of this.#families)
      if (family.some((number) => all.has(number))) for (const number of family) all.add(number);
    return all;
  }

  /**
   * Exchanges the scores within each family that has a score, and removes the scores of rules that were no longer in
   * force.
   */
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

  /** True for a family that ended before all years asked about, or if no year was asked about. */
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

  /** Sources of a year that the question asks about come first, then the newest; the order is otherwise unchanged. */
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
