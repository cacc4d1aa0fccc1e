import { stem } from '../../analysis/analysis.ts';
import { isFigureWord, namedTime, type Quantity } from '../quantities.ts';
import { align, type Gap } from './alignment.ts';
import type { Candidate, Word } from './candidates.ts';
import { sameSubject } from './same-subject.ts';

/** The number of content words that both sentences must share besides their difference. */
const FEWEST_SAME = 3;
/** Longer sentences are tables or lists without line breaks. */
const MAX_WORDS = 60;

/** The beginning of a condition. If clauses with such a beginning differ, the sentences are about different cases. */
const CONDITION =
  /^\s*(?:und |oder |and |or )?(?:wenn|falls|sofern|soweit|solange|if|unless|when|provided|in case)(?!\p{L})/iu;
/** Characters that make the number after them a part of a name, a version or an address. */
const GLUED_BEFORE = /[\p{L}\d/@_#:.-]$/u;
const GLUED_AFTER = /^(?:[/@_]|[.:-][\p{L}\d]|\p{L})/u;
/** A sentence with the date of a version or an edition. */
const OF_A_VERSION =
  /(?<!\p{L})(?:stand|version|fassung|ausgabe|geändert|aktualisiert|überarbeitet|gültig ab|as of|edition|updated|revised|reviewed|modified|published|released)(?!\p{L})/iu;
const OF_A_CLOCK = /^\d{1,2}(?::\d\d(?![:\d])|\s?[ap]m(?!\p{L}))/iu;

/**
 * Whether two sentences of documents make one statement with different figures, or opposite statements: all other words
 * are equal. A document has no fields that say what its passages are about, so all words have to agree.
 */
export function saysOtherwise(left: Candidate, right: Candidate): boolean {
  if (left.text === right.text || left.lead !== right.lead || left.text.endsWith(':')) return false;
  const [a, b] = [left.words(), right.words()];
  if (a.length > MAX_WORDS || b.length > MAX_WORDS) return false;
  const { shared, gaps } = align(a, b);
  if (shared.filter(({ content }) => content).length < FEWEST_SAME) return false;
  const differing = gaps.filter((gap) => !isSame(gap, left.source.lang));
  const turned = Math.abs(left.negations() - right.negations());
  const isOther =
    turned === 0
      ? differing.length > 0 &&
        isOneOrARange(differing, left) &&
        differing.every((gap) => isOtherTime(gap, left, right) || isOtherFigure(gap, left, right)) &&
        differing.some((gap) => isOtherTime(gap, left, right) || doCount(gap, left, right))
      : turned === 1 && differing.length === 0 && gaps.every((gap) => !isInCondition(gap, left, right));
  return isOther && sameSubject(left.source, right.source);
}

/** Words that join the two ends of a range (`von 9 bis 17 Uhr`, `between April and May`). */
const TO = /^[^.;]{0,12}?(?:\s(?:bis|und|to|until|till|and)\s|[-–—])[^.;]{0,12}$/u;

/** Whether two sentences differ in one place, or in both ends of a range. */
function isOneOrARange([first, second, ...more]: readonly Gap<Word>[], { text }: Candidate): boolean {
  if (first === undefined || more.length > 0) return false;
  const [from, to] = [first.left.at(-1)?.end, second?.left[0]?.start];
  return second === undefined || (from !== undefined && to !== undefined && TO.test(text.slice(from, to)));
}

/** Whether the two sides have different months or different days of the week. */
function isOtherTime(gap: Gap<Word>, left: Candidate, right: Candidate): boolean {
  const kind = onlyTime(gap.left, left);
  return kind !== null && kind === onlyTime(gap.right, right) && !isInCondition(gap, left, right);
}

/** The kind of named time, if one side of a gap has nothing else. */
function onlyTime(words: readonly Word[], { text }: Candidate): ReturnType<typeof namedTime> {
  const [only, ...others] = words.filter(({ content }) => content);
  return only === undefined || others.length > 0 ? null : namedTime(text.slice(only.start, only.end));
}

/** Whether a gap has only words without meaning, or other forms of equal words. */
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
    !isInCondition(gap, left, right)
  );
}

/**
 * Whether the figures on both sides of a gap are quantities or times. At one end of a range (`9 bis 17 Uhr`) the unit
 * may stand only behind the other end.
 */
function doCount(gap: Gap<Word>, left: Candidate, right: Candidate): boolean {
  const [x, y] = [onlyFigure(gap.left, left), onlyFigure(gap.right, right)];
  return x !== undefined && y !== undefined && counts(left, x) && counts(right, y);
}

type Figure = Word & { readonly quantity: Quantity };

/** The figure, if one side of a gap has nothing else than the figure and the words of its unit or month. */
function onlyFigure(words: readonly Word[], { source }: Candidate): Figure | undefined {
  const contents = words.filter(({ content }) => content);
  const figure = contents.find((word): word is Figure => word.quantity !== null);
  const isPart = ({ quantity, folded }: Word): boolean =>
    quantity === null ? isFigureWord(folded, source.lang) : quantity === figure?.quantity;
  return contents.every(isPart) ? figure : undefined;
}

/**
 * Whether a figure is a quantity or a time, and not a label (`Phase 2`), a version, a year or the date of a version.
 */
function counts({ text, words }: Candidate, word: Figure): boolean {
  const { kind, value, unit, start, end } = word.quantity;
  if (kind === 'reference') return false;
  if (kind === 'date')
    return value.startsWith('--') || (/-\d\d-\d\d$/u.test(value) && !OF_A_VERSION.test(text));
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
 * The clause around a position, from the previous punctuation mark to the end of the text. A sentence that begins with
 * a condition is returned as a whole, if the position is before its last clause.
 */
function clauseAt(text: string, at: number): string {
  if (CONDITION.test(text) && at < text.lastIndexOf(',')) return text;
  const before = Math.max(...[',', ';', ':', '(', '–'].map((sign) => text.lastIndexOf(sign, at - 1)));
  return text.slice(before + 1);
}
