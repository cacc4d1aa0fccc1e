import { plainAnalysis } from '../../analysis/analysis.ts';
import type { Language } from '../../source.ts';
import { cutMarked, leavesOutNoNegation } from '../cut-quote.ts';

/** A sentence of up to `LONGEST` words is quoted as a whole; a longer one is cut to `CUT_TO`. */
const LONGEST = 400;
const CUT_TO = 130;
/** A sentence is only quoted if its words have at most this many characters on average. */
const LONG_WORD = 15;

/**
 * A sentence in the form in which it is quoted: as a whole or, if it is longer than any answer should be, the stretch
 * with most of the question's words, marked as cut. `null` if the cut would leave out a `nicht` that may reverse its
 * meaning.
 */
export function shownOf(
  question: string,
  language: Language,
  sentence: string,
): { readonly text: string; readonly quote?: string } | null {
  const words = sentence.split(' ');
  if (words.length <= LONGEST && sentence.length <= LONGEST * LONG_WORD) return { text: sentence };
  const asked = new Set(plainAnalysis.words(question, language).map(({ term }) => term));
  const stretches = Array.from({ length: Math.ceil((2 * words.length) / CUT_TO) - 1 }, (_, i) => {
    const [from, to] = between(words, (i * CUT_TO) / 2);
    const quote = words.slice(from, to).join(' ');
    const has = new Set(plainAnalysis.words(quote, language).map(({ term }) => term));
    return { quote, from, to, share: [...asked].filter((term) => has.has(term)).length };
  });
  const most = Math.max(...stretches.map(({ share }) => share));
  const best = stretches.find(({ share, quote }) => share === most && leavesOutNoNegation(quote, sentence));
  if (best === undefined) return null;
  const { quote, from, to } = best;
  return { text: cutMarked(quote, { before: from > 0, after: to < words.length }), quote };
}

/** The bounds of a stretch. A figure stays together with its unit and with the word before it. */
function between(words: readonly string[], start: number): [from: number, to: number] {
  let from = start;
  let to = Math.min(words.length, start + CUT_TO);
  while (from > 0 && isFigure(words[from]!, words[from - 1]!)) from -= 1;
  while (to < words.length && isFigure(words[to]!, words[to - 1]!)) to += 1;
  return [from, to];
}

const isFigure = (word: string, before: string): boolean => /[\d§]/u.test(word + before);
