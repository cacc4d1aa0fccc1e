import type { LexicalIndex } from '../index/lexical-index.ts';
import { hasFigure } from '../heading.ts';
import type { Hit } from '../hit.ts';
import { splitSentences } from '../sentences.ts';
import { datesIn, isOfDate, isOfTime } from './dates.ts';
import type { AskedWord } from './fit.ts';
import { figureAsked, isOfFigure } from './figure-asked.ts';
import { Matcher, type Found } from './match.ts';
import { Reading } from './reading.ts';

/** The weight of words that are only in the sentence before the figure. */
const OF_THE_ONE_BEFORE = 0.5;

/**
 * For a question that asks for a figure (a price, how long, how many): the largest share of its other words in one
 * sentence with such a figure, together with the headings of the sentence and the sentence that introduces its list.
 * Passages without such a sentence are about the subject but do not answer the question. Undefined if the question asks
 * for no figure.
 */
export function besideFigure(
  index: LexicalIndex,
  question: string,
  words: readonly AskedWord[],
  hits: readonly Hit[],
): number | undefined {
  const figure = figureAsked(question);
  if (figure === undefined) return undefined;
  const weights = weightsOf(question, words, figure.isAsked);
  const all = weights.reduce((sum, weight) => sum + weight, 0);
  // A question like `How much is it?` has no word that could be missing.
  if (all === 0) return 1;
  const reading = Reading.of(index);
  const read = hits.map((hit) => reading.read(hit, index));
  const matcher = new Matcher(words, read, reading);
  const dates = datesIn(question);
  let best = 0;
  const shareOf = (found: Found): number => weights.reduce((sum, weight, k) => sum + weight * found[k]!, 0);
  for (const [i, { title, section, sentences }] of read.entries()) {
    const headings = matcher.together(matcher.in(title), matcher.in(section));
    const heading = hits[i]!.source.title;
    const isFigure =
      hasFigure(heading) && figure.isStated(heading) && isOfTime(hits[i]!.source, dates) !== false;
    if (isFigure) best = Math.max(best, shareOf(headings));
    let lead = matcher.nothing;
    let before = matcher.nothing;
    for (const sentence of sentences) {
      const found = matcher.in(sentence);
      if (figure.isStated(sentence.text)) {
        const together = matcher.together(
          headings,
          lead,
          before.map((value) => OF_THE_ONE_BEFORE * value),
          found,
        );
        best = Math.max(best, shareOf(together));
      }
      if (/:\s*$/u.test(sentence.text)) lead = found;
      before = found;
    }
  }
  return best / all;
}

/** The weight of each word for the figure. Words outside of the sentence that asks for the figure have none. */
function weightsOf(
  question: string,
  words: readonly AskedWord[],
  isAsked: (sentence: string) => boolean,
): number[] {
  const asking = splitSentences(question).find(({ text }) => isAsked(text));
  const [from, to] =
    asking === undefined ? [0, question.length] : [asking.start, asking.start + asking.text.length];
  return words.map(({ text, start, weight }) =>
    isOfFigure(text) || isOfDate(text, question) || start < from || start >= to ? 0 : weight,
  );
}
