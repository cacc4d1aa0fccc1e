import type { AnswerType } from '../../ranking/answer-type.ts';
import type { Quantity } from '../quantities.ts';
import { provisionOf } from '../validity.ts';
import { align, type Gap } from './alignment.ts';
import type { Asked, Candidate, Word } from './candidates.ts';

/** The number of content words that both sentences must share, and their share of all words that are no values. */
const SAME = {
  time: { words: 3, share: 0.6 },
  figure: { words: 2, share: 0.6 },
  name: { words: 3, share: 0.7 },
  word: { words: 4, share: 0.85 },
} as const;
/** Longer sentences are tables or lists without line breaks. */
const MAX_WORDS = 60;
const FEWEST_WORDS = Math.min(...Object.values(SAME).map(({ words }) => words));
/** The share of common words (Dice coefficient) that sentences with another order of words need. */
const SAME_WORDS = 0.75;
/** Sentences that differ in more values than this describe different cases. */
const MAX_DIFFERENCES = 2;
/** The most words that a value may have, and the most that may stand beside a figure. */
const MAX_VALUE = 6;
const MAX_BESIDE = 2;

/** The share of equal words, 0 … 1, if the two sentences contradict each other in a value; otherwise 0. */
export function contradiction(left: Candidate, right: Candidate, asked: Asked): number {
  if (!comparable(left, right) || left.text === right.text || left.negations() !== right.negations())
    return 0;
  const { shared, gaps } = align(left.words(), right.words());
  const contents = gaps.map((gap) => ({
    left: gap.left.filter(isContent),
    right: gap.right.filter(isContent),
  }));
  const kinds = contents.map((gap) => gapKind(gap, left, right, asked));
  const kind = valueKind(new Set(kinds), asked.type);
  // Statutes describe many cases in equal words, so only figures are compared in them.
  if (
    (kind === 'name' || kind === 'word') &&
    [left, right].some(({ source }) => provisionOf(source) !== null)
  ) {
    return 0;
  }
  if (kind === null || (kind === 'figure' && !answersTopic(left, right))) return 0;
  const differing = contents.filter((_, i) => kinds[i] === kind);
  if (new Set(differing.map(({ left, right }) => `${keysOf(left)}|${keysOf(right)}`)).size > MAX_DIFFERENCES)
    return 0;
  const same = shared.filter(isContent).length;
  const added = contents.filter((_, i) => kinds[i] !== kind).flatMap((gap) => [...gap.left, ...gap.right]);
  const share = same / (same + added.length / 2);
  return same < SAME[kind].words || share < SAME[kind].share ? 0 : share;
}

function tooLong(candidate: Candidate): boolean {
  return candidate.words().length > MAX_WORDS;
}

/** An upper bound of the number of words in common order: pairs with too few need not be aligned. */
function comparable(left: Candidate, right: Candidate): boolean {
  if (tooLong(left) || tooLong(right)) return false;
  let shared = 0;
  for (const { content, key } of left.words()) {
    if (content && right.keys().has(key) && ++shared === FEWEST_WORDS) return true;
  }
  return false;
}

/**
 * The share of equal words for sentences with another order of words that differ in one figure: the unit is the same,
 * the value is not, and all other figures and nearly all words are equal.
 */
export function otherWording(left: Candidate, right: Candidate, { type }: Asked): number {
  if (!ASKED_KINDS[type].includes('figure') || tooLong(left) || tooLong(right)) return 0;
  if (left.negations() !== right.negations()) return 0;
  const [a, b] = [left.measured(), right.measured()];
  if (a.values.length !== 1 || b.values.length !== 1 || a.others !== b.others) return 0;
  const [x, y] = [a.values[0]!, b.values[0]!];
  if (x.unit !== y.unit || x.value === y.value) return 0;
  const share = (2 * a.words.intersection(b.words).size) / (a.words.size + b.words.size);
  return share >= SAME_WORDS && answersTopic(left, right) ? share : 0;
}

function answersTopic(left: Candidate, right: Candidate): boolean {
  return left.quoted || right.quoted || (left.onTopic && right.onTopic);
}

const isContent = (word: Word): boolean => word.content;
const keysOf = (words: readonly Word[]): string => words.map((word) => word.key).join(' ');

type ValueKind = keyof typeof SAME;
/** `loose`: the different words are no values of one thing. `case`: the difference makes it another case. */
type GapKind = ValueKind | 'case' | 'loose';

const ASKED_KINDS: Readonly<Record<AnswerType, readonly ValueKind[]>> = {
  date: ['time', 'figure'],
  duration: ['figure'],
  number: ['figure'],
  person: ['name', 'word'],
  place: ['name', 'word'],
  reason: [],
  other: ['time', 'figure', 'name', 'word'],
};

/** The kind of value in which the sentences differ, if there is only one and the question asks for it. */
function valueKind(kinds: ReadonlySet<GapKind>, type: AnswerType): ValueKind | null {
  const values = [...kinds].filter((kind) => kind !== 'loose');
  // If a name differs, other words may differ too. If a figure differs, another different word means another case.
  const [only, ...others] = kinds.has('name') ? values.filter((kind) => kind !== 'word') : values;
  if (only === undefined || only === 'case' || others.length > 0) return null;
  return ASKED_KINDS[type].includes(only) ? only : null;
}

function gapKind(gap: Gap<Word>, a: Candidate, b: Candidate, asked: Asked): GapKind {
  const { left, right } = gap;
  const first = left.find((word) => word.quantity !== null)?.quantity;
  const second = right.find((word) => word.quantity !== null)?.quantity;
  if (first && second) return isShort(left) && isShort(right) ? figureKind(first, second) : 'case';
  if (first || second) {
    const said =
      left.every((word) => b.known.has(word.folded)) && right.every((word) => a.known.has(word.folded));
    return said ? 'loose' : 'case';
  }
  if (left.length === 0 || right.length === 0 || left.length > MAX_VALUE || right.length > MAX_VALUE)
    return 'loose';
  if ([left, right].some((side) => side.every((word) => asked.names.has(word.key)))) return 'case';
  // In German every noun has a capital, so a capital does not show a name.
  const named = a.source.lang === 'en' && [left, right].every((side) => side.some((word) => word.capital));
  return named ? 'name' : 'word';
}

function isShort(side: readonly Word[]): boolean {
  return side.filter((word) => word.quantity === null).length <= MAX_BESIDE;
}

function figureKind(a: Quantity, b: Quantity): GapKind {
  if (a.kind === 'reference' || b.kind === 'reference') return 'case';
  if (isTime(a) || isTime(b)) return isTime(a) && isTime(b) ? 'time' : 'case';
  return a.unit === b.unit ? 'figure' : 'case';
}

/** Whether a figure is a date, or a number that can only be a year. */
function isTime({ kind, value, unit, start, end }: Quantity): boolean {
  return kind === 'date' || (unit === null && end - start === 4 && /^(?:1\d{3}|20\d\d)$/u.test(value));
}
