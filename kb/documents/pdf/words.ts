import { isSpelled } from '../plain-text.ts';
import { withLigatures } from './ligatures.ts';

/** A character and its position; `y` grows downwards. */
export interface Glyph {
  readonly text: string;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly baseline: number;
  /** The font size in points. */
  readonly size: number;
  readonly bold: boolean;
  readonly italic: boolean;
  readonly fixed: boolean;
  /** The name of its font. */
  readonly font?: string;
  /** The number by which the tags of the page refer to it. */
  readonly content?: number;
  /** Whether a space was written before it. */
  readonly afterSpace: boolean;
}

/** Characters without a space between them. */
export type Word = Omit<Glyph, 'afterSpace'> & {
  /** Whether it is raised above the line of its neighbour: the sign of a footnote, or a power. */
  readonly raised?: true;
  /** True if a space was written before it. */
  readonly spaced?: true;
};

/** A gap between characters that is wider than this share of the font size is a space. */
const SPACE = 0.13;
/**
 * Characters belong to a word, raised or lowered, if they are off its line by less than this share of the font size.
 */
const SAME_LINE = 0.2;
/** A character smaller than this share of its neighbour's size counts as small. */
const SMALL = 0.85;

/** The words in the order of the file, which is usually the reading order. */
export function wordsOf(glyphs: readonly Glyph[]): Word[] {
  const words: Word[] = [];
  let last: Glyph | undefined;
  for (const glyph of withAccents(withLigatures(withoutOverprint(glyphs)))) {
    const word = words.at(-1);
    if (word === undefined || last === undefined || !continues(word, last, glyph)) {
      const { afterSpace, ...rest } = glyph;
      words.push({ ...rest, ...(afterSpace ? { spaced: true } : {}) });
    } else
      words[words.length - 1] = {
        ...word,
        text: word.text + glyph.text,
        left: Math.min(word.left, glyph.left),
        right: Math.max(word.right, glyph.right),
        top: Math.min(word.top, glyph.top),
        bottom: Math.max(word.bottom, glyph.bottom),
      };
    last = glyph;
  }
  return withSpacedType(withSpacedType(words, false), true).map((word) => onItsLine(word, words));
}

/** This many single letters in a row are type with wider gaps. */
const SPACED_LETTERS = 4;
/** In such type, the gap between letters is narrower than this share of the font size; a space is wider. */
const SPACED = 0.2;
/** In such type, the gap between words is wider than that between letters by this factor. */
const SPACED_WORDS = 1.6;

/**
 * Joins the letters of widely spaced words, such as `M I N U T E S` on a slide. Spaces may be written between the
 * letters.
 */
function withSpacedType(words: readonly Word[], areSpaced: boolean): Word[] {
  const joined: Word[] = [];
  for (let at = 0; at < words.length;) {
    let end = at + 1;
    while (end < words.length && isSetApart(words[end - 1]!, words[end]!, areSpaced)) end += 1;
    const run = words.slice(at, end);
    at = end;
    const letters = run.map(({ text }) => text).filter((text) => /\p{L}/u.test(text));
    const gaps = run.slice(1).map(({ left }, i) => left - run[i]!.right);
    const usual = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)] ?? 0;
    const isType = areSpaced
      ? isSpelled(letters)
      : letters.length >= SPACED_LETTERS && usual <= SPACED * run[0]!.size;
    if (!isType) {
      joined.push(...run);
      continue;
    }
    for (const [i, word] of run.entries()) {
      const last = joined.at(-1)!;
      if (i === 0 || gaps[i - 1]! > SPACED_WORDS * usual) joined.push(word);
      else joined[joined.length - 1] = { ...last, text: last.text + word.text, right: word.right };
    }
  }
  return joined;
}

/** Whether two characters are beside each other on a line, each a word by itself. */
const isSetApart = (word: Word, next: Word, areSpaced: boolean): boolean =>
  word.text.length === 1 &&
  next.text.length === 1 &&
  (areSpaced || next.spaced !== true) &&
  next.size === word.size &&
  next.content === word.content &&
  Math.abs(next.baseline - word.baseline) < SAME_LINE * word.size &&
  next.left > word.right &&
  next.left - word.right < word.size;

/** Accents as characters of their own, with the combining marks for them. */
const ACCENTS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    '¨': '\u0308',
    '´': '\u0301',
    '`': '\u0300',
    ˆ: '\u0302',
    '˜': '\u0303',
    ˇ: '\u030C',
    '˚': '\u030A',
    '˝': '\u030B',
    '˙': '\u0307',
    '˘': '\u0306',
    '¯': '\u0304',
    '¸': '\u0327',
    '˛': '\u0328',
  }),
);
/**
 * How far the accent of a capital letter may be raised, as a share of the font size. This is half of the way to the
 * line above.
 */
const RAISED_ACCENT = 0.5;

/** Joins letters with accents that are drawn over them as characters of their own, as TeX does: `¨` over `u`. */
function withAccents(glyphs: readonly Glyph[]): Glyph[] {
  const joined = [...glyphs];
  const dropped = new Set<number>();
  for (const [i, { text, left, right, baseline, size, afterSpace }] of glyphs.entries()) {
    const mark = ACCENTS.get(text) ?? (/^\p{Mn}$/u.test(text) ? text : undefined);
    if (mark === undefined) continue;
    const middle = (left + right) / 2;
    const joins = (letter: Glyph | undefined): letter is Glyph =>
      letter !== undefined &&
      letter.left < middle &&
      middle < letter.right &&
      Math.abs(letter.baseline - baseline) < RAISED_ACCENT * size &&
      withMark(letter.text, mark) !== undefined;
    // PDFium may return the accent elsewhere than beside its letter.
    const at = [i + 1, i - 1].find((each) => joins(joined[each])) ?? joined.findIndex(joins);
    const letter = joined[at];
    if (letter === undefined) continue;
    joined[at] = {
      ...letter,
      text: withMark(letter.text, mark)!,
      afterSpace: letter.afterSpace || (at === i + 1 && afterSpace),
    };
    dropped.add(i);
  }
  return joined.filter((_, i) => !dropped.has(i));
}

/** The single character for a letter with a mark, if there is one. */
function withMark(letter: string, mark: string): string | undefined {
  const whole = (letter.replace('ı', 'i').replace('ȷ', 'j') + mark).normalize('NFC');
  return whole.length === 1 && /\p{L}/u.test(whole) ? whole : undefined;
}

/** A character counts as printed again, and so as bold, if the copy is off by less than this share of the font size. */
const OVERPRINT = 0.15;

/**
 * A narrow letter that is wider than this share of the font size is part of a ligature whose letters all have the whole
 * box.
 */
const WIDE = 0.45;

const isOfLigature = ({ text, left, right, size, fixed }: Glyph, other: Glyph): boolean =>
  /^[flit]$/u.test(text) && !fixed && left === other.left && right - left > WIDE * size;

/**
 * Keeps each character once if it was printed several times in one place, as programs without a bold font do, and marks
 * it as bold.
 */
function withoutOverprint(glyphs: readonly Glyph[]): Glyph[] {
  const kept: Glyph[] = [];
  const same = new Map<string, number[]>();
  for (const glyph of glyphs) {
    const line = Math.round(glyph.baseline);
    const near = [line - 1, line, line + 1].flatMap((each) => same.get(`${each} ${glyph.text}`) ?? []);
    const at = near.find((each) => {
      const other = kept[each]!;
      return (['left', 'right', 'baseline'] as const).every(
        (edge) => Math.abs(other[edge] - glyph[edge]) < OVERPRINT * glyph.size,
      );
    });
    if (at === undefined || isOfLigature(glyph, kept[at]!)) {
      const key = `${line} ${glyph.text}`;
      const known = same.get(key);
      if (known === undefined) same.set(key, [kept.length]);
      else known.push(kept.length);
      kept.push(glyph);
    } else kept[at] = { ...kept[at]!, bold: true };
  }
  return kept;
}

/** Moves small type that touches larger type to its line, raised or lowered. */
function onItsLine(word: Word, words: readonly Word[]): Word {
  const line = words.find((other) => {
    if (word.size > SMALL * other.size) return false;
    const up = (other.baseline - word.baseline) / other.size;
    const [behind, before] = [word.left - other.right, other.left - word.right];
    return (
      up > -0.4 &&
      up < 0.8 &&
      Math.min(Math.abs(behind) / 0.35, Math.abs(before) / 0.7) < other.size &&
      Math.abs(up) > 0.05
    );
  });
  if (line === undefined || words.some((other) => isBeside(word, other))) return word;
  return { ...word, baseline: line.baseline, ...(word.baseline < line.baseline ? { raised: true } : {}) };
}

/** Whether another word of equal size is beside it. Then both are text, and the larger type is a sign or an initial. */
const isBeside = (word: Word, other: Word): boolean =>
  other !== word &&
  other.size === word.size &&
  Math.abs(other.baseline - word.baseline) < 0.05 * word.size &&
  Math.min(Math.abs(other.left - word.right), Math.abs(word.left - other.right)) < word.size &&
  /\p{L}{2}/u.test(other.text);

function continues(word: Word, last: Glyph, next: Glyph): boolean {
  if (next.afterSpace || next.content !== word.content) return false;
  const size = Math.max(word.size, next.size);
  const gap = next.left - last.right;
  return (
    Math.abs(next.baseline - last.baseline) < SAME_LINE * size && gap < SPACE * size && gap > -0.6 * size
  );
}

/** The factor by which a heading's font is usually larger than the text's. */
export const LARGER = 1.1;

/** The size of most characters. */
export function usualSize(words: readonly Pick<Word, 'size' | 'text'>[]): number {
  const letters = new Map<number, number>();
  for (const { size, text } of words) letters.set(size, (letters.get(size) ?? 0) + text.length);
  return [...letters].sort((a, b) => b[1] - a[1])[0]?.[0] ?? USUAL_SIZE;
}

const USUAL_SIZE = 10;
