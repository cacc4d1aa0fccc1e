import { familyOf } from '../../../kb/base/year.ts';
import { isOfYear, yearsOf } from '../../../kb/index/years.ts';
import type { Hit } from '../../../kb/knowledge.ts';
import { aspectsAsked, aspectsOfTitle, statedIn, type Aspect } from '../../../kb/ranking/aspects.ts';
import { isOneWord } from '../../../kb/ranking/coverage.ts';
import { kindOf, relevanceOf } from '../../../kb/ranking/relevance.ts';

/** Estimate below which it is in doubt whether the first answers; words alone tell less well. */
const IN_DOUBT = { lined: 0.6, unlined: 0.85 } as const;
/** Likelihood from which on a second passage is told as well, then. */
const MAY_BE_MEANT = 0.2;

/** Likelihood against the first from which on a second passage is told for the other half of what is asked. */
const OTHER_HALF = 0.3;
/** Share of the question that it has and the first lacks, then. */
const GAIN = 0.08;
/** Asks for two things in one: `Abfindung und Freigrenze`, `vor und nach der Geburt`. */
const JOINED = /\s(?:und|sowie|bzw\.|oder|and|or)\s/iu;
/** Hits of which one may tell another side, and likelihood that it needs for that. */
const NEAR = 4;
const POSSIBLE = 0.01;
/** What many a question has that asks for something else: `may`, `get`, `is`, `how many weeks`. */
const IN_PASSING: readonly Aspect[] = ['permission', 'condition', 'definition', 'amount'];

/**
 * What answers a question: the likeliest passage, and a second one that may be meant where the first is in doubt, or that
 * has what the first lacks of a question for two things, or of a side that is asked for (`due`, `in writing`).
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
  if (mayBeMeant(question, second, first) || isOtherHalf(question, second, first)) return [first, second];
  const side = [second, ...others].slice(0, NEAR - 1).find((hit) => isOtherSide(question, hit, first));
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

function isOtherHalf(question: string, second: Hit, first: Hit): boolean {
  if (!JOINED.test(question) || first.match === undefined || second.match === undefined) return false;
  const { words, found } = first.match;
  const gain = words.reduce(
    (sum, { weight }, k) => sum + weight * Math.max(0, second.match!.found[k]! - found[k]!),
    0,
  );
  return gain >= GAIN && second.match.share >= OTHER_HALF * first.match.share;
}

/** Its title announces, and its text states, what is asked of the subject and what the first says nothing of. */
function isOtherSide(question: string, other: Hit, first: Hit): boolean {
  const { source } = first;
  return (
    other.source.work === source.work &&
    (other.match?.share ?? 0) >= POSSIBLE &&
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
