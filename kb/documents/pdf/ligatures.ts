import type { Glyph } from './words.ts';

/**
 * A letter is a ligature if it is at least as wide as this share of its two letters, and as this multiple of its usual
 * width.
 */
const [SHARE, WIDER] = [0.8, 1.55];
/** Before these characters a wide letter may include a space that the file does not state. */
const BEGINS_WORD = /^[\p{Lu}\d(]/u;
/** The usual width of a letter is known from this many on. */
const ENOUGH = 8;

/**
 * Restores the letters of ligatures of which the file states only one. Some fonts declare `ff` as `f` and `fi` as `i`,
 * and other programs read `afected` and `signiicant` too. The width of the character shows that it is a ligature.
 *
 * @param glyphs the glyphs of a page.
 */
export function withLigatures(glyphs: readonly Glyph[]): Glyph[] {
  const widths = Map.groupBy(glyphs, (glyph) => styleOf(glyph) + glyph.text);
  const usual = new Map(
    [...widths].flatMap(([key, same]): [string, number][] => {
      const sorted = same.map(({ left, right }) => right - left).sort((a, b) => a - b);
      return sorted.length < ENOUGH ? [] : [[key, sorted[Math.floor(sorted.length / 2)]!]];
    }),
  );
  return glyphs.map((glyph, i) => {
    const own = /^[fil]$/u.test(glyph.text) ? usual.get(styleOf(glyph) + glyph.text) : undefined;
    const f = usual.get(`${styleOf(glyph)}f`);
    if (own === undefined || f === undefined || glyph.fixed) return glyph;
    // At the end of a word the width may include a space.
    const next = glyphs[i + 1];
    const isWide = glyph.right - glyph.left > WIDER * own;
    if (isWide && next !== undefined && BEGINS_WORD.test(next.text))
      return { ...glyph, right: glyph.left + own };
    if (next === undefined || next.afterSpace || !/^\p{Ll}/u.test(next.text)) return glyph;
    // In widely spaced type, the next letter is wide too.
    const usualNext = usual.get(styleOf(next) + next.text) ?? Infinity;
    if (next.right - next.left > WIDER * usualNext) return glyph;
    // If the file states all letters, each has the box of the whole ligature.
    if ([glyphs[i - 1], next].some((other) => covers(other, glyph))) return glyph;
    const width = glyph.right - glyph.left;
    if (width < SHARE * (f + own) || width < WIDER * own) return glyph;
    return { ...glyph, text: `${width < f + own + f / 3 ? 'f' : 'ff'}${glyph.text}` };
  });
}

const covers = (other: Glyph | undefined, { left, right }: Glyph): boolean =>
  other !== undefined && Math.min(other.right, right) - Math.max(other.left, left) > (right - left) / 2;

const styleOf = ({ font, size, bold, italic }: Glyph): string => `${font} ${size} ${bold} ${italic} `;
