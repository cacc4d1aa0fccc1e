import type { Source } from '../source.ts';
import { negations } from './negation.ts';
import { sentencesOf } from './source-sentences.ts';

/** The mark for a part of a sentence that is left out. */
const MARK = '…';

/** A stretch of a sentence, marked where it was cut. */
export function cutMarked(
  quote: string,
  { before, after }: { readonly before: boolean; readonly after: boolean },
): string {
  return `${before ? `${MARK} ` : ''}${quote}${after ? ` ${MARK}` : ''}`;
}

/** Whether the quote has as many negations as the whole sentence that it was cut from. */
export const leavesOutNoNegation = (quote: string, sentence: string): boolean =>
  negations(quote) === negations(sentence);

/**
 * Whether a text is a stretch of one sentence of the source that is cut between words, marked where it was cut, and
 * leaves out no negation.
 */
export function isCutQuote(text: string, source: Source): boolean {
  const before = text.startsWith(`${MARK} `);
  const after = text.endsWith(` ${MARK}`);
  if (!before && !after) return false;
  const quote = text.slice(before ? 2 : 0, after ? -2 : undefined);
  return (
    quote.trim() !== '' &&
    sentencesOf(source).some((sentence) => {
      const around = ` ${sentence.text} `;
      const at = around.indexOf(` ${quote} `);
      if (at === -1 || !leavesOutNoNegation(quote, sentence.text)) return false;
      return (before || at === 0) && (after || at + quote.length + 2 === around.length);
    })
  );
}
