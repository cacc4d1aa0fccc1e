import type { Bare } from './running.ts';
import type { Box } from './segments.ts';
import type { Word } from './words.ts';

/** Fonts that have pictures instead of letters. */
const PICTURES = /wingdings|webdings|dingbats|marlett|msam|monotype ?sorts/iu;
/** Dots and squares as other symbol fonts encode them. */
const SYMBOL = /^[.^\p{So}\p{Sk}]$/u;
/**
 * A bullet is lower than this share of its line's height, and no further before the line than this multiple of the font
 * size.
 */
const HIGHEST = 0.95;
const FURTHEST = 3.5;
/** In points: shapes whose sides differ by less count as equal, and a smaller shape is a speck. */
const SAME = 0.5;
const SMALLEST = 1;
/** With this few words before a mark, the line may be a figure in a chart; more are a column. */
const FIGURE = 2;
/** A picture that is before this many lines is a bullet and not a logo. */
const OFTEN = 3;

/** The pages with a bullet for each picture, shape or odd character that is drawn before a line like a bullet. */
export function withBullets(pages: readonly Bare[]): Bare[] {
  const drawn = pages.map(({ page, words }) =>
    page.shapes.flatMap((shape) => {
      const next = lineAfter(shape, words);
      return next === undefined || shape.bottom - shape.top > HIGHEST * next.size ? [] : [{ shape, next }];
    }),
  );
  const isOften = countingAlike(drawn.flat().map(({ shape }) => shape));
  return pages.map(({ page, words }, index) => {
    const shapes = new Map(
      drawn[index]!.filter(({ shape }) => isOften(shape)).map(({ shape, next }) => [next, shape]),
    );
    return {
      page,
      words: words.flatMap((word): Word[] => {
        const shape = shapes.get(word);
        if (shape !== undefined) return [{ ...word, ...shape, text: BULLET }, word];
        return [isDrawnAsLetter(word, words) ? { ...word, text: BULLET } : word];
      }),
    };
  });
}

const BULLET = '•';

function isDrawnAsLetter(word: Word, words: readonly Word[]): boolean {
  if (word.text.length !== 1) return false;
  const isPicture = PICTURES.test(word.font ?? '');
  if (!isPicture && !SYMBOL.test(word.text)) return false;
  const next = lineAfter(word, words);
  return next !== undefined && next.font !== word.font;
}

/** The first word of the line that a mark is before. */
function lineAfter(mark: Box, words: readonly Word[]): Word | undefined {
  if (Math.min(mark.right - mark.left, mark.bottom - mark.top) < SMALLEST) return undefined;
  const middle = (mark.top + mark.bottom) / 2;
  const line = words.filter(
    (word) => word !== mark && word.baseline - word.size < middle && middle < word.baseline + 0.2 * word.size,
  );
  const next = line
    .filter(({ left, size }) => left >= mark.right - 1 && left - mark.right < FURTHEST * size)
    .sort((a, b) => a.left - b.left)[0];
  if (next === undefined) return undefined;
  const before = line.filter(({ left }) => left < next.left);
  // In a chart a figure may be before a mark and its name.
  const isFirst = before.length === 0 || before.length > FIGURE;
  return isFirst && before.every(({ right }) => right < mark.left - FURTHEST * next.size) ? next : undefined;
}

/**
 * A function that says whether a shape is drawn often. It compares only shapes of nearly equal width, because a plan
 * has thousands.
 */
function countingAlike(shapes: readonly Box[]): (shape: Box) => boolean {
  const bySize = Map.groupBy(shapes, sizeOf);
  return (shape) => {
    let alike = 0;
    for (const size of [-1, 0, 1].map((step) => sizeOf(shape) + step)) {
      for (const each of bySize.get(size) ?? []) if (isSame(each, shape) && ++alike === OFTEN) return true;
    }
    return false;
  };
}

/** Equal shapes have sizes that differ by at most one. */
const sizeOf = ({ left, right }: Box): number => Math.floor((right - left) / SAME);

const isSame = (a: Box, b: Box): boolean =>
  Math.abs(a.right - a.left - b.right + b.left) < SAME &&
  Math.abs(a.bottom - a.top - b.bottom + b.top) < SAME;
