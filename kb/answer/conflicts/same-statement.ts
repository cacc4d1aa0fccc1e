import { stem } from '../../analysis/analysis.ts';
import { isFigureWord, type Quantity } from '../quantities.ts';
import { align, type Gap } from './alignment.ts';
import type { Candidate, Word } from './candidates.ts';
import { sameSubject } from './same-subject.ts';

/** The content words that both sentences must have besides their difference. */
const FEWEST_SAME = 3;
/** Sentences beyond this are tables or lists run together. */
const MAX_WORDS = 60;

/** The beginning of a condition. If clauses that begin so differ, the cases differ. */
const CONDITION =
  /^\s*(?:und |oder |and |or )?(?:wenn|falls|sofern|soweit|solange|if|unless|when|provided|in case)(?!\p{L})/iu;
/** Characters before a number that is a part of a name, a version or an address. */
const GLUED_BEFORE = /[\p{L}\d/@_#:.-]$/u;
const GLUED_AFTER = /^(?:[/@_]|[.:-][\p{L}\d]|\p{L})/u;
const OF_A_CLOCK = /^\d{1,2}:\d\d(?![:\d])/u;

/**
 * Whether two sentences of documents say the same about the same thing except for one figure, or say the opposite: all
 * other words are alike. A document has no fields that say what its passages are about, so all words have to agree.
 */
export function saysOtherwise(left: Candidate, right: Candidate): boolean {
  if (left.text === right.text || left.lead !== right.lead || left.text.endsWith(':')) return false;
  const [a, b] = [left.words(), right.words()];
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) return false;
  const { shared, gaps } = align(a, b);
  if (shared.filter(({ content }) => content).length < FEWEST_SAME) return false;
  const differing = gaps.filter((gap) => !isSame(gap, left.source.lang));
  const turned = Math.abs(left.negations() - right.negations());
  const [only, ...others] = differing;
  const isOther =
    turned === 0
      ? only !== undefined && others.length === 0 && isOtherFigure(only, left, right)
      : turned === 1 && only === undefined && gaps.every((gap) => !isInCondition(gap, left, right));
  return isOther && sameSubject(left.source, right.source);
}

/** The gap consists of words without meaning, or of other forms of the same words. */
function isSame({ left, right }: Gap<Word>, lang: Candidate['source']['lang']): boolean {
  const stems = (words: readonly Word[]): string =>
    words
      .filter(({ content, folded }) => content && !NEGATIVE.test(folded))
      .map(({ folded, quantity, key }) => (quantity === null ? stem(folded, lang) : key))
      .join(' ');
  return stems(left) === stems(right);
}

/** Words that deny a statement: `kein` for `ein`, `does not need` for `needs`. */
const NEGATIVE =
  /^(?:nicht|kein\p{L}*|niemals|nie|ein|eine[mnrs]?|not|no|never|cannot|can|do|does|did|don|doesn|t|won|will|any)$/u;

function isOtherFigure(gap: Gap<Word>, left: Candidate, right: Candidate): boolean {
  const [x, y] = [onlyFigure(gap.left, left), onlyFigure(gap.right, right)];
  return (
    x !== undefined &&
    y !== undefined &&
    x.quantity.kind === y.quantity.kind &&
    x.quantity.unit === y.quantity.unit &&
    counts(left, x) &&
    counts(right, y) &&
    !isInCondition(gap, left, right)
  );
}

type Figure = Word & { readonly quantity: Quantity };

/** The figure that one side of a gap consists of, with the words of its unit or its month. */
function onlyFigure(words: readonly Word[], { source }: Candidate): Figure | undefined {
  const contents = words.filter(({ content }) => content);
  const figure = contents.find((word): word is Figure => word.quantity !== null);
  const isPart = ({ quantity, folded }: Word): boolean =>
    quantity === null ? isFigureWord(folded, source.lang) : quantity === figure?.quantity;
  return contents.every(isPart) ? figure : undefined;
}

/** A figure that says how much, how many or when, and is not a label (`Phase 2`), a version or a year. */
function counts({ text, words }: Candidate, word: Figure): boolean {
  const { kind, value, unit, start, end } = word.quantity;
  if (kind === 'reference') return false;
  if (kind === 'date') return value.startsWith('--');
  if (OF_A_CLOCK.test(text.slice(start))) return true;
  if (GLUED_BEFORE.test(text.slice(0, start)) || GLUED_AFTER.test(text.slice(end))) return false;
  if (unit !== null) return true;
  if (/^(?:1\d{3}|20\d\d)$/u.test(value)) return false;
  const all = words();
  const next = all[all.indexOf(word) + 1];
  return next !== undefined && next.content && /^\s$/u.test(text.slice(word.end, next.start));
}

function isInCondition({ left, right }: Gap<Word>, a: Candidate, b: Candidate): boolean {
  return (
    left.some(({ start }) => CONDITION.test(clauseAt(a.text, start))) ||
    right.some(({ start }) => CONDITION.test(clauseAt(b.text, start)))
  );
}

/**
 * The clause from the punctuation mark before it on; if the sentence begins with a condition, everything up to its last
 * clause.
 */
function clauseAt(text: string, at: number): string {
  if (CONDITION.test(text) && at < text.lastIndexOf(',')) return text;
  const before = Math.max(...[',', ';', ':', '(', '–'].map((sign) => text.lastIndexOf(sign, at - 1)));
  return text.slice(before + 1);
}
