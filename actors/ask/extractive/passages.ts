import { plainAnalysis } from '../../../kb/analysis/analysis.ts';
import { similarity } from '../../../kb/analysis/similarity.ts';
import { familyOf } from '../../../kb/base/year.ts';
import { isOfYear, yearsOf } from '../../../kb/index/years.ts';
import type { Hit, Source } from '../../../kb/knowledge.ts';
import { aspectsAsked, aspectsOfTitle, statedIn, type Aspect } from '../../../kb/ranking/aspects.ts';
import { isOneWord } from '../../../kb/ranking/coverage.ts';
import { kindOf, relevanceOf } from '../../../kb/ranking/relevance.ts';

/** Estimate below which it is in doubt whether the first answers; words alone tell less well. */
const IN_DOUBT = { lined: 0.6, unlined: 0.85 } as const;
/** Likelihood from which on a second passage is told as well, then. */
const MAY_BE_MEANT = 0.2;

/** Joins two things that are asked for: `Abfindung und Freigrenze`, `vor und nach der Geburt`. */
const JOINED =
  /([\p{L}-]+),?\s(?:und|sowie|bzw\.|oder|and|or)\s(?:(?:d(?:er|ie|as|en|em|es)|ein\p{L}*|the|an?)\s)?([\p{L}-]+)/giu;
/** From here on a title has one of them. */
const SAME = 0.6;
/** Hits of which one may tell the other half or another side, and likelihood that it needs for that. */
const NEAR = 4;
const POSSIBLE = 0.01;
/** What many a question has that asks for something else: `may`, `get`, `is`, `how many weeks`. */
const IN_PASSING: readonly Aspect[] = ['permission', 'condition', 'definition', 'amount'];

/**
 * What answers a question: the likeliest passage, and a second one that may be meant where the first is in doubt, or that
 * has the other of two things that are asked for, or a side that the first leaves out (`due`, `in writing`).
 */
export function passagesFor(question: string, hits: readonly Hit[]): readonly Hit[] {
  if (hits.length === 0) return [];
  const [first, second, ...others] = ofTheYear(question, hits);
  // Years of one rule that were all asked for are told each.
  const years = hits.filter(
    ({ source }) => source.year !== null && familyOf(source) === familyOf(first.source),
  );
  if (years.length > 1) return years;
  if (second === undefined) return [first];
  if (mayBeMeant(question, second, first)) return [first, second];
  const side = [second, ...others]
    .slice(0, NEAR - 1)
    .filter((hit) => (hit.match?.share ?? 0) >= POSSIBLE)
    .find((hit) => isOtherHalf(question, hit, first) || isOtherSide(question, hit, first));
  return side === undefined ? [first] : [first, side];
}

/** Beside a year that was asked for, what the rule is without a year, or in another one, is not told. */
function ofTheYear(question: string, hits: readonly Hit[]): readonly [Hit, ...Hit[]] {
  const best = hits[0]!;
  const isOfRule = ({ source }: Hit): boolean => familyOf(source) === familyOf(best.source);
  const years = yearsOf(question);
  const lead = hits.find((hit) => isOfRule(hit) && isOfYear(hit.source, years)) ?? best;
  const others = hits.filter((hit) => hit !== lead && !(lead.source.year !== null && isOfRule(hit)));
  return [lead, ...others];
}

/** Of one word it is asked back what is meant. */
function mayBeMeant(question: string, second: Hit, first: Hit): boolean {
  return (
    !isOneWord(question) &&
    first.match !== undefined &&
    second.match !== undefined &&
    relevanceOf(first.match) < IN_DOUBT[kindOf(first.match)] &&
    second.match.share >= MAY_BE_MEANT
  );
}

/** Of two things that the question joins its title has the one and the first's title the other. */
function isOtherHalf(question: string, { source: other }: Hit, { source: first }: Hit): boolean {
  return [...question.matchAll(JOINED)].some(([, ...halves]) => {
    // Not `der Mindestlohn und wann`.
    if (new Set(halves.map((word) => plainAnalysis.words(word, first.lang).length > 0)).size > 1)
      return false;
    const [inFirst, inOther] = [first, other].map((source) => halves.filter((word) => names(source, word)));
    return inFirst!.length === 1 && inOther!.length === 1 && inFirst![0] !== inOther![0];
  });
}

function names({ title, lang }: Source, word: string): boolean {
  const [asked] = plainAnalysis.words(word, lang);
  return asked === undefined
    ? title
        .toLowerCase()
        .split(/\P{L}+/u)
        .includes(word.toLowerCase())
    : plainAnalysis.words(title, lang).some((other) => similarity(asked, other) > SAME);
}

/** Its title announces, and its text states, what is asked of the subject and what the first says nothing of. */
function isOtherSide(question: string, other: Hit, first: Hit): boolean {
  const { source } = first;
  return (
    other.source.work === source.work &&
    aspectsAsked(question).some(
      (aspect) =>
        !IN_PASSING.includes(aspect) &&
        statedIn(source.text, [aspect]) === 0 &&
        !aspectsOfTitle(source.title).includes(aspect) &&
        aspectsOfTitle(other.source.title).includes(aspect) &&
        statedIn(other.source.text, [aspect]) > 0,
    )
  );
}
