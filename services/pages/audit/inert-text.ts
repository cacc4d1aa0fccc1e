import { el } from '../dom.ts';
import { CITATION } from '../knowledge/citations.ts';

/**
 * Characters that are not seen but change how others are read: controls, directions, marks of no width. Line breaks, tabs
 * and what words and emoji are joined by are what they seem.
 */
const UNSEEN = /((?![\t\n\r\u00AD\u200C\u200D])[\p{Cc}\p{Cf}\u2028\u2029])/u;

/** A user's text as inert nodes. Invisible characters are named in place. */
export function inert(words: string): (string | HTMLElement)[] {
  return words.split(UNSEEN).map((part, i) => {
    if (i % 2 === 0) return part;
    const code = part.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return el('span.unseen-character', `U+${code}`);
  });
}

/** Citations of an answer stand out; the rest as `inert` has it. */
export function inertAnswer(words: string, citations: readonly string[]): (string | HTMLElement)[] {
  const ids = new Set(citations);
  return words.split(CITATION).flatMap((part, i) => {
    const cited = i % 2 === 1 && ids.has(part.slice(1, -1));
    return cited ? el('span.citation', part) : inert(part);
  });
}
