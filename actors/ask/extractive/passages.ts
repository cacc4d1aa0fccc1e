import type { Hit } from '../../../kb/knowledge.ts';

/** Hits that a second passage may come from, after the first. */
const MAX_SECOND = 4;
/** Share of the question that it must add to what the first has. */
const MIN_GAIN = 0.25;
/** Likelihood that it must have against the first. */
const MIN_SHARE = 0.1;

/** What answers a question: the likeliest passage, and a second one only for what the first does not hold. */
export function passagesFor(hits: readonly Hit[]): readonly Hit[] {
  const [first, ...others] = hits;
  if (first === undefined) return [];
  const second = others
    .slice(0, MAX_SECOND)
    .map((hit) => ({ hit, gain: gainOf(first, hit) }))
    .filter(({ hit, gain }) => gain >= MIN_GAIN && likelihood(hit) >= MIN_SHARE * likelihood(first))
    .toSorted((a, b) => b.gain - a.gain)[0];
  return second === undefined ? [first] : [first, second.hit];
}

/** Share of the question that the second has and the first has not. */
function gainOf(first: Hit, second: Hit): number {
  if (first.match === undefined || second.match === undefined) return 0;
  const { found, words } = first.match;
  const others = second.match.found;
  return words.reduce((sum, { weight }, k) => sum + weight * Math.max(0, others[k]! - found[k]!), 0);
}

const likelihood = ({ match }: Hit): number => match?.share ?? 0;
