import { familyOf } from '../../../kb/base/year.ts';
import type { Hit } from '../../../kb/knowledge.ts';
import { kindOf } from '../../../kb/ranking/relevance.ts';

/**
 * Likelihood against the first from which on a second passage is about as likely to be meant; where sources do not say how
 * they are asked for, words alone tell the two apart less well.
 */
const ABOUT_AS_LIKELY = { lined: 0.65, unlined: 0.4 } as const;

/** What answers a question: the likeliest passage, and a second one of the same work that is about as likely. */
export function passagesFor(hits: readonly Hit[]): readonly Hit[] {
  const [first, second] = hits;
  if (first === undefined) return [];
  // Years of one rule that were all asked for are told each.
  const years = hits.filter(
    ({ source }) => source.year !== null && familyOf(source) === familyOf(first.source),
  );
  if (years.length > 1) return years;
  return second !== undefined && isAsLikely(second, first) ? [first, second] : [first];
}

function isAsLikely(second: Hit, first: Hit): boolean {
  return (
    second.source.work === first.source.work &&
    first.match !== undefined &&
    second.match !== undefined &&
    second.match.share >= ABOUT_AS_LIKELY[kindOf(first.match)] * first.match.share
  );
}
