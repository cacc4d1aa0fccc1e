import { el } from '../dom.ts';
import { CITATION } from '../knowledge/citations.ts';

/**
 * Invisible characters that change how others are read: controls, directions, marks without width. Line breaks, tabs
 * and joiners of words and emoji are harmless.
 */
const UNSEEN = /((?![\t\n\r\u00AD\u200C\u200D])[\p{Cc}\p{Cf}\u2028\u2029])/u;

/** A user's text as inert nodes. Invisible characters are replaced by their names. */
export function inert(words: string): (string | HTMLElement)[] {
  return words.split(UNSEEN).map((part, i) => {
    if (i % 2 === 0) return part;
    const code = part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return el('span.unseen-character', `U+${code}`);
  });
}

/** An answer as inert nodes, with its citations highlighted. */
export function inertAnswer(words: string, citations: readonly string[]): (string | HTMLElement)[] {
  const ids = new Set(citations);
  return words.split(CITATION).flatMap((part, i) => {
    const cited = i % 2 === 1 && ids.has(part.slice(1, -1));
    return cited ? el('span.citation', part) : inert(part);
  });
}
