import { squeezed } from '../white-space.ts';

/**
 * Invisible characters: soft hyphens, joiners, marks of direction, fillers. Mails are filled with them so that a
 * preview shows nothing else. Characters that select or join the parts of a sign are kept.
 */
const INVISIBLE =
  /(?!\u200D|\p{Variation_Selector}|[\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}|\u2800|(?<![\p{S}\p{M}])\u200D/gu;

const LIGATURE = /[\uFB00-\uFB06]/gu;

/** Letters with a space between each: `S A T Z U N G`. */
const SPELLED = /(?<![^\s\p{Ps}\p{Pi}])\p{Lu}(?:[ \u00A0]\p{L}){5,}(?![^\s.,;:!?\p{Pe}\p{Pf}])/gu;

/**
 * Whether single letters form a word that is set with spaces: all or one of them are capitals, and they are not in
 * alphabetical order.
 */
export const isSpelled = (letters: readonly string[]): boolean =>
  letters.length >= 6 &&
  /^\p{Lu}(?:\p{Lu}+|\p{Ll}+)$/u.test(letters.join('')) &&
  letters.some((letter, i) => i > 0 && letter <= letters[i - 1]!);

const joinSpelled = (text: string): string => {
  const letters = text.split(/[ \u00A0]/u);
  return isSpelled(letters) ? letters.join('') : text;
};

/** The letters that a reader sees: without invisible characters and ligatures, and words without spaces between their letters. */
export const plainLetters = (text: string): string =>
  text
    .replaceAll(INVISIBLE, '')
    .replaceAll(LIGATURE, (ligature) => ligature.normalize('NFKC'))
    .replaceAll(SPELLED, joinSpelled);

/** Running text as a reader sees it, with single spaces. */
export const plainText = (text: string): string => squeezed(plainLetters(text));
