import { squeezed } from '../white-space.ts';

/** Soft hyphens, joiners, marks of direction: mails are filled with them so that a preview shows nothing else. */
const INVISIBLE =
  /\u{34F}|[\u00AD\u061C\u180E\u200B\u200C\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]|(?<![\p{S}\p{M}])\u200D/gu;

/** Running text as a reader sees it, with single spaces and without invisible characters. */
export const plainText = (text: string): string => squeezed(text.replaceAll(INVISIBLE, ''));
