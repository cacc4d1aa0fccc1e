/** Running text as a reader sees it: white space is squeezed, and signs without width are gone. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/[\u00AD\u200B\u2060\uFEFF]/gu, '')
    .replaceAll(/\s+/gu, ' ')
    .trim();
