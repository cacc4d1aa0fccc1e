import { familyOf } from '../../base/year.ts';
import { isOfYear, yearsOf } from '../../index/years.ts';
import { headingKey, headingKeysOf, headingOf } from '../../heading.ts';
import type { Hit } from '../../hit.ts';
import type { Source } from '../../source.ts';
import { isOneWord } from '../../ranking/coverage.ts';
import { relevanceOf } from '../../ranking/relevance.ts';
import { besideOf } from './beside.ts';

/** How many hits may be quoted besides the first one, and the probability from which on the likeliest is. */
const NEAR = 3;
const BELONGS = 0.5;

/**
 * Among sources that do not say how they are asked for, a second one is quoted if it is in doubt whether the first one
 * answers, and the second may be meant.
 */
const IN_DOUBT = 0.85;
const MAY_BE_MEANT = 0.2;
/**
 * From this likelihood on a passage of a document is quoted alone: three of four such passages have the answer, of the
 * next ones one in twelve.
 */
const SURE = 0.6;
/**
 * Below `SURE` the next passages are also quoted, in few words, if their likelihood is at least this share of the first
 * one's.
 */
const NEARLY_AS_LIKELY = 0.2;
/** The most further passages of a document that are quoted. */
const OF_DOCUMENTS = 2;

/**
 * The passages that answer a question: the most likely one, and another one that has the other half, a condition, or
 * what may have been meant.
 */
export function passagesFor(question: string, hits: readonly Hit[]): readonly Hit[] {
  if (hits.length === 0) return [];
  const { first, others } = candidatesBeside(question, hits);
  // If several years of one rule were asked about, each of them is quoted.
  const years = hits.filter(
    ({ source }) => source.year !== null && familyOf(source) === familyOf(first.source),
  );
  if (years.length > 1) return years;
  if (first.match?.kind === 'document') {
    const isNamed = headingKeysOf(first.source).has(headingKey(question));
    if (isNamed || first.match.share >= SURE) return [first];
    const { lang, text } = first.source;
    // A file may be in a base twice, and no answer mixes languages.
    const told = new Set([text]);
    const likely = others.filter(
      ({ source, match }) =>
        match!.share >= NEARLY_AS_LIKELY * first.match!.share &&
        source.lang === lang &&
        !told.has(source.text) &&
        told.add(source.text),
    );
    return [first, ...likely.slice(0, OF_DOCUMENTS)];
  }
  const estimates = others.map((other, place) => estimateOf(question, other, first, place));
  const likeliest = estimates.indexOf(Math.max(...estimates));
  return likeliest >= 0 && estimates[likeliest]! >= BELONGS ? [first, others[likeliest]!] : [first];
}

/** The same passages, those of one section in the order of its text: the second half of a procedure is no beginning. */
export function inTextOrder(passages: readonly Hit[]): Hit[] {
  const sections = Map.groupBy(passages, ({ source }) => `${source.path ?? source.id}\n${headingOf(source)}`);
  return [...sections.values()].flatMap((section) =>
    section.toSorted((a, b) => placeOf(a.source) - placeOf(b.source)),
  );
}

/** The passages of a long section are numbered from the second one on. */
const placeOf = ({ id }: Source): number => Number(/_(\d+)$/u.exec(id)?.[1] ?? 1);

/**
 * The passage that is quoted, and candidates beside it. A question of one word has no candidates, because it is
 * answered by a question back.
 */
export function candidatesBeside(
  question: string,
  hits: readonly Hit[],
): { readonly first: Hit; readonly others: readonly Hit[] } {
  const [first, ...others] = ofTheYear(question, hits);
  const isComparable = first.match !== undefined && !isOneWord(question);
  return {
    first,
    others: isComparable ? others.slice(0, NEAR).filter(({ match }) => match !== undefined) : [],
  };
}

function estimateOf(question: string, other: Hit, first: Hit, place: number): number {
  if (first.match!.kind === 'lined') return besideOf(question, other, first, place);
  return Number(place === 0 && relevanceOf(first.match!) < IN_DOUBT && other.match!.share >= MAY_BE_MEANT);
}

/** If a year was asked about, the rule for another year, or without one, is not quoted as well. */
function ofTheYear(question: string, hits: readonly Hit[]): readonly [Hit, ...Hit[]] {
  const best = hits[0]!;
  const isOfRule = ({ source }: Hit): boolean => familyOf(source) === familyOf(best.source);
  const years = yearsOf(question);
  const lead = hits.find((hit) => isOfRule(hit) && isOfYear(hit.source, years)) ?? best;
  const others = hits.filter((hit) => hit !== lead && !(lead.source.year !== null && isOfRule(hit)));
  return [lead, ...others];
}
