import { familyOf } from '../base/year.ts';
import type { LexicalIndex } from '../index/lexical-index.ts';
import { isOfYear, yearsOf } from '../index/years.ts';
import type { Hit } from '../hit.ts';
import { pointsElsewhere } from '../pointing.ts';
import { describing, FEATURES, orderKindOf, type Described } from './features.ts';
import { datesIn, isOfTime } from './dates.ts';
import type { Features } from './fit.ts';
import type { Likeness } from './likeness.ts';
import type { Steps } from '../steps.ts';
import { asksOfATime, isTalk } from './talk.ts';
import { areTwins } from './twins.ts';
import { plainAnalysis } from '../analysis/analysis.ts';
import { negations } from '../answer/negation.ts';
import type { Language } from '../source.ts';
import { SOURCE_WEIGHTS } from './weights.ts';

/** The least number of hits that are compared with the question as a whole. */
export const CANDIDATES = 10;

/**
 * The hits in the order of their likelihood, highest first. Sources that the question names stay first, and the years
 * of a rule keep their order. Scores stay with the positions, so that later steps that use the scores follow the new
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
  const dates = datesIn(question);
  const times = hits.map(({ source }) => (kind === 'document' ? isOfTime(source, dates) : null));
  const talk = talkOfRules(question, hits, described);
  const opposite = kind === 'document' ? oppositesOf(question, hits) : [];
  // A hit is unlikely to be meant if it only links to other pages, is about another time, is talk about a rule
  // (minutes, news), or is valid in the opposite case. This only counts if there are other hits.
  const isMeant = hits.map(
    ({ source }, i) =>
      !pointsElsewhere(source) &&
      (times[i] !== false || !times.includes(true)) &&
      !talk[i]! &&
      opposite[i] !== true,
  );
  const fits = described.map(({ features }, i) =>
    isMeant[i]! || !isMeant.includes(true)
      ? FEATURES[kind].reduce((sum, name) => sum + weights[name]! * features[name], ofTheWhole(hits[i]!))
      : -Infinity,
  );
  const top = Math.max(...fits);
  // Sources with a rule for different years are one candidate, with the likelihood of the most likely one. Sources with
  // equal text are one candidate too.
  const candidates = candidatesIn(hits, fits);
  const likely = fits.map((fit, i) => (candidates[i] === i ? Math.exp(fit - top) : 0));
  const sum = likely.reduce((a, b) => a + b, 0);
  const documents = documentsOf(hits, candidates);
  const shareOf = (some: readonly number[]): number =>
    [...new Set(some)].reduce((all, candidate) => all + likely[candidate]! / sum, 0);
  const ranked = hits.map((hit, i) => ({
    ...hit,
    match: {
      ...described[i]!,
      share: shareOf([candidates[i]!]),
      ofDocument: shareOf(candidates.filter((_, k) => documents[k] === documents[i])),
    },
  }));
  const order = ranked.toSorted(
    (a, b) =>
      Number(b.referenced) - Number(a.referenced) ||
      (a.referenced ? 0 : b.match.share - a.match.share || toThePoint(a, b)),
  );
  return yearsInOrder(order, ranked).map((hit, place) => ({ ...hit, score: hits[place]!.score }));
}

const stemsOf = (text: string, lang: Language): string[] =>
  plainAnalysis.words(text, lang).map(({ term }) => term);

/**
 * Which hits are below a heading for the opposite of the question's case, if another hit is below a heading that
 * differs only by a negation (`If you have an account`, `If you do not have an account`). The clause of the question
 * about this case decides.
 */
function oppositesOf(question: string, hits: readonly Hit[]): boolean[] {
  const headings = hits.map(({ source: { path, title, lang } }) => ({
    key: `${path} ${stemsOf(title, lang)
      .filter((term) => !negations(term))
      .join(' ')}`,
    denies: negations(title) % 2 === 1,
  }));
  return hits.map(({ source: { title, lang } }, i) => {
    const { key, denies } = headings[i]!;
    if (!headings.some((other) => other.key === key && other.denies !== denies)) return false;
    const own = stemsOf(title, lang);
    const clause = question.split(/[.,;:!?]/u).find((each) => {
      const said = stemsOf(each, lang);
      return own.some((term) => said.includes(term));
    });
    return clause !== undefined && (negations(clause) % 2 === 1) !== denies;
  });
}

/** The share of the question that a rule must have, relative to the best sentence of talk, to replace the talk. */
const AS_MUCH = 0.75;

/**
 * Which hits are talk of a time (minutes, news) about the content of a rule among the hits, if the question asks about
 * no time.
 */
function talkOfRules(question: string, hits: readonly Hit[], described: readonly Described[]): boolean[] {
  const talk = hits.map(({ source }) => isTalk(source));
  if (asksOfATime(question) || !talk.includes(true)) return hits.map(() => false);
  const shares = described.map(({ features }) => features.stretch);
  const most = Math.max(...shares.map((share, i) => (talk[i]! ? 0 : share)));
  return talk.map((is, i) => is && most >= AS_MUCH * shares[i]!);
}

/**
 * Of passages with the same content, the passage with more of the question comes first; of two with as much, the
 * shorter one.
 */
const toThePoint = (a: Required<Pick<Hit, 'match'>> & Hit, b: Required<Pick<Hit, 'match'>> & Hit): number =>
  b.match.features.question - a.match.features.question || a.source.text.length - b.source.text.length;

/** For each hit, the place of the best fitting hit with the same content. */
function candidatesIn(hits: readonly Hit[], fits: readonly number[]): number[] {
  const rules = hits.map(ruleOf);
  const best: number[] = [];
  const candidates: number[] = [];
  for (const i of [...hits.keys()].toSorted((a, b) => fits[b]! - fits[a]!)) {
    const same = best.find(
      (other) => rules[other] === rules[i] || areTwins(hits[other]!.source, hits[i]!.source),
    );
    if (same === undefined) best.push(i);
    candidates[i] = same ?? i;
  }
  return candidates;
}

/** For each hit, the document or rule that it belongs to. Documents with the same content count as one. */
function documentsOf(hits: readonly Hit[], candidates: readonly number[]): string[] {
  const documents = hits.map(documentOf);
  for (const [i, candidate] of candidates.entries()) {
    const [own, first] = [documents[i]!, documents[candidate]!];
    if (own !== first)
      for (const [k, document] of documents.entries()) if (document === own) documents[k] = first;
  }
  return documents;
}

/**
 * When a part of a question is asked, `OF_THE_WHOLE` times the logarithm of a hit's share for the whole question is
 * added to how well the hit fits the part. `LEAST` is added to the share first, because 0 has no logarithm.
 */
const OF_THE_WHOLE = 0.3;
const LEAST = 1e-4;

const ofTheWhole = ({ match }: Hit): number =>
  match === undefined ? 0 : OF_THE_WHOLE * Math.log(match.share + LEAST);

/**
 * Ranks the hits of a question by how well they fit a part of it and, with less weight, the whole question, because a
 * part such as `and how long?` has no subject of its own. Sources that the part names come first, and so do sources of
 * the years that the part asks about.
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

/** The document, or the rule, that a passage is part of. */
const documentOf = (hit: Hit): string => hit.source.path ?? ruleOf(hit);

/** Orders the years of each family as the search does: the year in question first, otherwise the newest. */
function yearsInOrder<T extends Hit>(order: readonly T[], found: readonly T[]): T[] {
  const families = Map.groupBy(found, ruleOf);
  return order.map((hit) => families.get(ruleOf(hit))!.shift()!);
}
