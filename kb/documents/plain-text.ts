import { squeezed } from '../white-space.ts';

/** Running text as a reader sees it: white space is squeezed, and signs without width are gone. */
export const plainText = (text: string): string =>
  squeezed(text.replaceAll(/[\u00AD\u200B\u2060\uFEFF]/gu, ''));
