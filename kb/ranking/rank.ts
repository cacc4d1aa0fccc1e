import { familyOf } from '../base/year.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import { isOfYear, yearsOf } from '../index/years.ts';
import type { Hit } from '../hit.ts';
import { pointsElsewhere } from '../pointing.ts';
import { describing, FEATURES, orderKindOf } from './features.ts';
import type { Features } from './fit.ts';
import type { Likeness } from './likeness.ts';
import type { Steps } from '../steps.ts';
import { SOURCE_WEIGHTS } from './weights.ts';

/** At least this many hits are compared with the question as a whole. */
export const CANDIDATES = 10;

/**
 * The hits by how well they fit the question, the likeliest first. Sources that the question names stay first, and the
 * years of a rule stay in their order. Scores belong to the positions, so that later steps that use them follow the new
 * order.
 */
export function* rankHits(
  index: LexicalIndex,
  question: string,
  hits: readonly Hit[],
  likeness?: Likeness,
): Steps<Hit[]> {
  const described = yield* describing(index, question, hits, likeness);
  const kind = orderKindOf(hits);
  const weights: Readonly<Partial<Features>> = SOURCE_WEIGHTS[kind];
  // Where anything else is found, what only leads to other pages is not likely to be meant.
  const says = hits.map(({ source }) => !pointsElsewhere(source));
  const fits = described.map(({ features }, i) =>
    says[i]! || !says.includes(true)
      ? FEATURES[kind].reduce((sum, name) => sum + weights[name]! * features[name], ofTheWhole(hits[i]!))
      : -Infinity,
  );
  const top = Math.max(...fits);
  // The years of a rule are one candidate, as likely as the likeliest of them, and so is a text that is there twice.
  const likely = new Map<string, number>();
  for (const [i, fit] of fits.entries()) {
    const rule = ruleOf(hits[i]!);
    likely.set(rule, Math.max(likely.get(rule) ?? 0, Math.exp(fit - top)));
  }
  const sum = [...likely.values()].reduce((a, b) => a + b, 0);
  const documents = Map.groupBy(hits, documentOf);
  const shareOf = (some: readonly Hit[]): number =>
    [...new Set(some.map(ruleOf))].reduce((all, rule) => all + likely.get(rule)! / sum, 0);
  const ranked = hits.map((hit, i) => ({
    ...hit,
    match: {
      ...described[i]!,
      share: shareOf([hit]),
      ofDocument: shareOf(documents.get(documentOf(hit))!),
    },
  }));
  const order = ranked.toSorted(
    (a, b) =>
      Number(b.referenced) - Number(a.referenced) || (a.referenced ? 0 : b.match.share - a.match.share),
  );
  return yearsInOrder(order, ranked).map((hit, place) => ({ ...hit, score: hits[place]!.score }));
}

/** The weight of the likelihood for the whole question in that of a part, and a constant that is added. */
const OF_THE_WHOLE = 0.3;
const LEAST = 1e-4;

const ofTheWhole = ({ match }: Hit): number =>
  match === undefined ? 0 : OF_THE_WHOLE * Math.log(match.share + LEAST);

/**
 * The hits of a question by how well they fit a part of it and, with less weight, the whole: `and how long?` asks
 * nothing alone. Sources that the part names come first, and the years that it asks about.
 */
export function* rankForPart(index: LexicalIndex, part: string, found: readonly Hit[]): Steps<Hit[]> {
  const years = yearsOf(part);
  const isAsked = ({ source }: Hit): number => Number(isOfYear(source, years));
  const hits = index
    .namedIn(part, found)
    .map((hit) => ({ ...hit, score: hit.match?.score ?? hit.score }))
    .toSorted((a, b) => b.score - a.score);
  const scores = hits.map(({ score }) => score);
  const ranked = yield* rankHits(
    index,
    part,
    hits.toSorted((a, b) => isAsked(b) - isAsked(a)),
  );
  return ranked.map((hit, place) => ({ ...hit, score: scores[place]! }));
}

const ruleOf = ({ source }: Hit): string => (source.year === null ? source.text : familyOf(source));

/** What a passage is a part of. */
const documentOf = (hit: Hit): string => hit.source.path ?? ruleOf(hit);

/** Orders the years of each family as the search does: the year asked about, else the newest, first. */
function yearsInOrder<T extends Hit>(order: readonly T[], found: readonly T[]): T[] {
  const families = Map.groupBy(found, ruleOf);
  return order.map((hit) => families.get(ruleOf(hit))!.shift()!);
}
