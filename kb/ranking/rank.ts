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
  const dates = datesIn(question);
  const times = hits.map(({ source }) => (kind === 'document' ? isOfTime(source, dates) : null));
  const talk = talkOfRules(question, hits, described);
  const opposite = kind === 'document' ? oppositesOf(question, hits) : [];
  // Where anything else is found, what only leads to other pages is not likely to be meant, nor what is of another time, nor talk, nor what
  // holds in the opposite case.
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
  // Sources with the same rule for other years are one candidate, as likely as the likeliest of them. So are sources with the same text.
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
 * Which hits stand below a heading that is the opposite of what is asked, where another hit stands below the same heading with a denial more or
 * less (`If you have an account`, `If you do not have an account`). The clause that speaks of it decides.
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

/** The share of what one sentence of talk has of the question with which a rule speaks of as much. */
const AS_MUCH = 0.75;

/** Which hits are talk of a time (minutes, news) about what a rule among the hits says, where no time is asked about. */
function talkOfRules(question: string, hits: readonly Hit[], described: readonly Described[]): boolean[] {
  const talk = hits.map(({ source }) => isTalk(source));
  if (asksOfATime(question) || !talk.includes(true)) return hits.map(() => false);
  const shares = described.map(({ features }) => features.stretch);
  const most = Math.max(...shares.map((share, i) => (talk[i]! ? 0 : share)));
  return talk.map((is, i) => is && most >= AS_MUCH * shares[i]!);
}

/** Of passages that tell the same, the one with more of the question comes first, and of two such the shorter one. */
const toThePoint = (a: Required<Pick<Hit, 'match'>> & Hit, b: Required<Pick<Hit, 'match'>> & Hit): number =>
  b.match.features.question - a.match.features.question || a.source.text.length - b.source.text.length;

/** For each hit the place of the one that fits best among those that tell the same. */
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

/** For each hit what it is a part of; documents that tell the same count as one. */
function documentsOf(hits: readonly Hit[], candidates: readonly number[]): string[] {
  const documents = hits.map(documentOf);
  for (const [i, candidate] of candidates.entries()) {
    const [own, first] = [documents[i]!, documents[candidate]!];
    if (own !== first)
      for (const [k, document] of documents.entries()) if (document === own) documents[k] = first;
  }
  return documents;
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

/** The document, or the rule, that a passage is part of. */
const documentOf = (hit: Hit): string => hit.source.path ?? ruleOf(hit);

/** Orders the years of each family as the search does: the year asked about, else the newest, first. */
function yearsInOrder<T extends Hit>(order: readonly T[], found: readonly T[]): T[] {
  const families = Map.groupBy(found, ruleOf);
  return order.map((hit) => families.get(ruleOf(hit))!.shift()!);
}
