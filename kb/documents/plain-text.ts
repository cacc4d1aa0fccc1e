import { squeezed } from '../white-space.ts';

/**
 * Soft hyphens, joiners, marks of direction, fillers: mails are filled with them so that a preview shows nothing else. What
 * selects or joins the parts of a sign stays.
 */
const INVISIBLE =
  /(?!\u200D|\p{Variation_Selector}|[\u{E0020}-\u{E007F}])\p{Default_Ignorable_Code_Point}|\u2800|(?<![\p{S}\p{M}])\u200D/gu;

/** Running text as a reader sees it, with single spaces and without invisible characters. */
export const plainText = (text: string): string => squeezed(text.replaceAll(INVISIBLE, ''));
