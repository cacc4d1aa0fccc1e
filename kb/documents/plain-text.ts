import { squeezed } from '../white-space.ts';

/**
 * Soft hyphens, joiners, marks of direction, fillers: mails are filled with them so that a preview shows nothing else. What
 * selects or joins the parts of a sign stays.
 */
const INVISIBLE =
  /(?!\u200D|\p{Variation_Selector}|[\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}|\u2800|(?<![\p{S}\p{M}])\u200D/gu;

/** Letters with a space between each: `S A T Z U N G`. */
const SPELLED = /(?<!\S)\p{Lu}(?:[ \u00A0]\p{L}){5,}(?!\S)/gu;

/** Whether single letters are a word that is set with spaces: in capitals, or with one, and not in the order of the alphabet. */
export const isSpelled = (letters: readonly string[]): boolean =>
  letters.length >= 6 &&
  /^\p{Lu}(?:\p{Lu}+|\p{Ll}+)$/u.test(letters.join('')) &&
  letters.some((letter, i) => i > 0 && letter <= letters[i - 1]!);

const joinSpelled = (text: string): string => {
  const letters = text.split(/[ \u00A0]/u);
  return isSpelled(letters) ? letters.join('') : text;
};

/** Running text as a reader sees it, with single spaces and without invisible characters. */
export const plainText = (text: string): string =>
  squeezed(text.replaceAll(INVISIBLE, '').replaceAll(SPELLED, joinSpelled));
