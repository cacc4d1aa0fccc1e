/** The text with single spaces for all white space, and none at its ends. */
export const squeezed = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim();
