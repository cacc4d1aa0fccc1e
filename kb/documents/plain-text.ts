import { squeezed } from '../white-space.ts';

/** Running text as a reader sees it, with single spaces and without invisible characters. */
export const plainText = (text: string): string =>
  squeezed(text.replaceAll(/[\u00AD\u200B\u2060\uFEFF]/gu, ''));
