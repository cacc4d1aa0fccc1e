import { familyOf } from '../../base/year.ts';
import { isOfYear, yearsOf } from '../../index/years.ts';
import { headingKey, headingKeysOf, joinHeadings, headingsOf } from '../../heading.ts';
import type { Hit } from '../../hit.ts';
import type { Source } from '../../source.ts';
import { isOneWord, MOST_TOLD } from '../../ranking/coverage.ts';
import { relevanceOf } from '../../ranking/relevance.ts';
import { areTwins } from '../../ranking/twins.ts';
import { amendmentsOf } from '../amendment.ts';
import { besideOf } from './beside.ts';

/**
 * How many hits after the first one may be quoted as well, and the probability that the likeliest of them needs for
 * this.
 */
const NEAR = 3;
const BELONGS = 0.5;

/**
 * Among sources that do not say how they are asked for, a second one is quoted if it is in doubt whether the first one
 * answers, and the second may be meant.
 */
const IN_DOUBT = 0.85;
const MAY_BE_MEANT = 0.2;
/**
 * A passage of a document with at least this likelihood is quoted alone: three of four such passages have the answer,
 * but only one in twelve of the passages ranked next.
 */
const SURE = 0.6;
/**
 * If the first passage is below `SURE`, the next passages are also quoted: in part if their likelihood is at least the
 * first share of that of the first passage, and as a whole from the second share on.
 */
const NEARLY_AS_LIKELY = 0.2;
const MAY_AS_WELL = 0.4;
/** A list or table of up to this many items that continues in the next passage is quoted to its end. */
const SHORT_LIST = 12;

/**
 * The passages that answer a question: the most likely one, and others that have the other half of the answer or a
 * condition, or that may have been meant.
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
    const below = belowOpening(first, hits);
    if (isNamed || first.match.share >= SURE)
      return withAmendments([...new Set([first, ...below, ...restsOf([first, ...below], hits)])], hits);
    // A text may be in a base twice, and no answer mixes languages.
    const all = [first, ...below];
    for (const hit of others) {
      if (all.includes(hit)) continue;
      const isLikely = hit.match!.share >= NEARLY_AS_LIKELY * first.match.share;
      if (all.length < MOST_TOLD && isLikely && hit.source.lang === first.source.lang && isNew(hit, all))
        all.push(hit);
    }
    return withAmendments([...new Set([...all, ...restsOf([first, ...below], hits)])], hits);
  }
  const estimates = others.map((other, place) => estimateOf(question, other, first, place));
  const likeliest = estimates.indexOf(Math.max(...estimates));
  return likeliest >= 0 && estimates[likeliest]! >= BELONGS ? [first, others[likeliest]!] : [first];
}

/**
 * The passages that are quoted as a whole: the likeliest one; other passages that may as well be meant, likelier ones
 * first, as long as all together have at most `mostWords` words; and the rest of the lists in these passages.
 */
export function toldWhole(passages: readonly Hit[], mostWords: number): ReadonlySet<Hit> {
  const [first, ...others] = passages;
  if (first === undefined) return new Set();
  const whole = [first];
  let words = wordsOf(first);
  for (const hit of others.toSorted((a, b) => shareOf(b) - shareOf(a))) {
    words += wordsOf(hit);
    if (shareOf(hit) >= MAY_AS_WELL * shareOf(first) && words <= mostWords) whole.push(hit);
  }
  for (const hit of belowOpening(first, passages)) if (!whole.includes(hit)) whole.push(hit);
  return new Set([...whole, ...restsOf(whole, passages), ...amendmentsOf(whole, passages)]);
}

/** A passage of up to this many words that stands above other passages only introduces them. */
const OPENING = 60;

/**
 * If the first passage is short, the likeliest of the passages under headings below its own: `Learn how to leave the
 * newsletter.` says little, and the next heading has the steps.
 */
function belowOpening(opening: Hit, found: readonly Hit[]): readonly Hit[] {
  if (wordsOf(opening) > OPENING) return [];
  const above = joinHeadings([...headingsOf(opening.source), '']);
  const [likeliest] = found
    .filter(({ source }) => source.path === opening.source.path && pathOf(source).startsWith(above))
    .toSorted((a, b) => shareOf(b) - shareOf(a));
  return likeliest === undefined ? [] : [likeliest];
}

/**
 * All headings of a source. `headingOf` cannot be used here, because it leaves out the middle headings of a long path.
 */
const pathOf = (source: Source): string => joinHeadings(headingsOf(source));

/** The passages together with later passages that change them. */
const withAmendments = (passages: readonly Hit[], hits: readonly Hit[]): readonly Hit[] => [
  ...passages,
  ...amendmentsOf(passages, hits),
];

const isNew = ({ source }: Hit, told: readonly Hit[]): boolean =>
  !told.some((other) => other.source.text === source.text || areTwins(other.source, source));

const shareOf = ({ match }: Hit): number => match?.share ?? 0;

const wordsOf = ({ source }: Hit): number => source.text.split(/\s+/u).length;

/** The hits in which a short list or table continues that a passage begins or ends with. */
const restsOf = (passages: readonly Hit[], found: readonly Hit[]): readonly Hit[] => {
  const rests = passages.flatMap(({ source }) =>
    listAcross(source, (at, steps) =>
      found
        .map((hit) => hit.source)
        .find((next) => sectionOf(next) === sectionOf(at) && placeOf(next) === placeOf(at) + steps),
    ).flatMap(({ rest, items }) => (items <= SHORT_LIST ? rest : [])),
  );
  return found.filter((hit) => !passages.includes(hit) && rests.includes(hit.source));
};

/** Whether a list or table at the end of a passage continues in the next passage. */
export const goesOnIn = (source: Source, next: Source): boolean =>
  sectionOf(next) === sectionOf(source) &&
  placeOf(next) === placeOf(source) + 1 &&
  listedAt(source, 1) > 0 &&
  listedAt(next, -1) > 0;

/** The other passages in which a list or table of a passage continues. */
interface Rest {
  readonly rest: readonly Source[];
  /** The number of items or rows of the whole list; a list that is too long to be quoted is not counted to its end. */
  readonly items: number;
}

/**
 * The passages in which the list or table at the end of a passage continues, and those from which the list or table at
 * its beginning comes. The search ends when the list is longer than a short one.
 *
 * @param beside returns the passage of the same section that many places behind (1) or before (-1) another one
 */
export function listAcross(
  source: Source,
  beside: (at: Source, steps: 1 | -1) => Source | undefined,
): Rest[] {
  const rests = ([1, -1] as const).map((steps) => {
    const rest: Source[] = [];
    let items = listedAt(source, steps);
    for (let at = source; items <= SHORT_LIST && (at === source || isListed(at));) {
      const next = beside(at, steps);
      if (next === undefined || !(steps === 1 ? goesOnIn(at, next) : goesOnIn(next, at))) break;
      items += listedAt(next, steps === 1 ? -1 : 1);
      rest.push((at = next));
    }
    return { rest, items };
  });
  if (!isListed(source)) return rests;
  const items = rests.reduce((sum, rest) => sum + rest.items, -listedAt(source, 1));
  return rests.map(({ rest }) => ({ rest, items }));
}

/**
 * The number of items or rows that stand together at the end of a passage (1), or at its beginning, below the headings
 * (-1).
 */
function listedAt({ units = [] }: Source, side: 1 | -1): number {
  const texts = units.filter(({ kind }) => kind !== 'heading');
  const fromThere = side === 1 ? texts.toReversed() : texts;
  const end = fromThere.findIndex(({ kind }) => kind !== 'item' && kind !== 'row');
  return end === -1 ? texts.length : end;
}

/** Whether a passage has nothing but items or rows below its headings. */
const isListed = (source: Source): boolean =>
  listedAt(source, 1) === source.units?.filter(({ kind }) => kind !== 'heading').length;

/**
 * Puts the passages of each section in the order of the text, because an answer must not begin with the second half of
 * a procedure. The order of the sections is unchanged.
 */
export function inTextOrder(passages: readonly Hit[]): Hit[] {
  const sections = Map.groupBy(passages, ({ source }) => sectionOf(source));
  return [...sections.values()].flatMap((section) =>
    section.toSorted((a, b) => placeOf(a.source) - placeOf(b.source)),
  );
}

/** A key that only passages of the same section share: the file and all headings. */
export const sectionOf = (source: Source): string => `${source.path ?? source.id}\n${pathOf(source)}`;

/**
 * The position of a passage within its section. The ids of a long section's passages have a number from the second
 * passage on.
 */
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
