import { familyOf } from '../base/year.ts';
import { yearsFor, yearsOf } from '../index/years.ts';
import type { Source } from '../source.ts';
import type { Hit } from '../hit.ts';
import { contentTerms, overlap } from './content-terms.ts';

interface CurrentHits {
  /**
   * The hits that may be used for the answer, in the order of the search. Of several years, the year in the question
   * comes first, or else the newest.
   */
  readonly hits: readonly Hit[];
  /** Sources that a newer version among the hits replaces. */
  readonly superseded: readonly Source[];
}

/**
 * Removes hits that are not valid at the time in question: superseded versions (one § of one work and year with an
 * older `stand`) and, for a passage with several years, all years but the one in the question, or else the newest.
 */
export function currentHits(question: string, hits: readonly Hit[]): CurrentHits {
  const superseded = hits
    .filter((older) => hits.some((newer) => supersedes(newer.source, older.source)))
    .map((hit) => hit.source);
  const years = yearsOf(question);
  const families = Map.groupBy(
    hits.filter(({ source }) => source.year !== null),
    ({ source }) => familyOf(source),
  );
  const holds = ({ source }: Hit): boolean =>
    source.year === null ||
    yearsMeant(yearsFor(source, years), families.get(familyOf(source))!).includes(source.year);
  return { hits: hits.filter((hit) => !superseded.includes(hit.source) && holds(hit)), superseded };
}

/**
 * The years of a passage that the question means: those that it names, or the newest if it names none. If the passage
 * has none of the named years, all its years are returned.
 */
function yearsMeant(asked: readonly number[], family: readonly Hit[]): readonly number[] {
  const there = family.map(({ source }) => source.year!);
  if (asked.length === 0) return [Math.max(...there)];
  const meant = there.filter((year) => asked.includes(year));
  return meant.length > 0 ? meant : there;
}

/** The share of the older text's words that the newer text must keep if their titles differ. */
const MUCH_THE_SAME = 0.5;

/**
 * Whether a source replaces an older one. A § may have several passages, so the later version must have an equal title
 * or mostly equal words.
 */
function supersedes(newer: Source, older: Source): boolean {
  return (
    newer.stand > older.stand &&
    // The month of a file's last change says nothing about its text.
    newer.undated === undefined &&
    older.undated === undefined &&
    newer.work === older.work &&
    newer.section === older.section &&
    newer.year === older.year &&
    namesProvision(newer.section) &&
    (newer.title === older.title ||
      overlap(contentTerms(older.text, older.lang), contentTerms(newer.text, newer.lang)) >= MUCH_THE_SAME)
  );
}

/** Whether a section names a provision (`§ 3 EntgFG`, `Artikel 12`), and not a chapter with many passages. */
function namesProvision(section: string): boolean {
  return /§|\bart(?:\.|ikel|icle)?\s*\d|\bsec(?:\.|tion)\s*\d/iu.test(section);
}

/** The § of a source, from its section or title; `null` if it has none. */
export function provisionOf({ section, title }: Source): string | null {
  return [section, title].find(namesProvision) ?? null;
}
