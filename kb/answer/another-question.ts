import type { Source } from '../source.ts';
import { contentTerms, overlap } from './content-terms.ts';
import { sentencesOf } from './source-sentences.ts';

/** A word that answers a yes-or-no question, alone or before a comma or similar sign. */
const ANSWERS =
  /^(?:(?:yes|no|nope|yep|sure|certainly|absolutely|definitely|ja|nein|doch|klar|leider)(?=\s*(?:[,.!;:–—]|$))|(?:of course|natürlich|selbstverständlich)(?!\p{L}))/iu;

/** A passage answers the question if its heading or first sentence has at least this share of the question's words. */
const THE_SAME = 0.5;

/** Whether a passage says yes or no to a question that is its heading, as in a list of frequent questions. */
export function saysYesOrNo(source: Source): boolean {
  if (source.units === undefined || !/\?\s*$/u.test(source.title)) return false;
  const [first] = sentencesOf(source);
  return first !== undefined && ANSWERS.test(first.text);
}

/**
 * Whether a passage says yes or no to another question than the one asked: neither its heading nor its first sentence
 * has half of the question's words. A reader would take its `Yes` for the answer.
 *
 * @example the passage `Do I have to cycle every day?` `No, …` for a question about the rate for one's own car
 */
export function answersAnother(question: string, source: Source): boolean {
  if (!saysYesOrNo(source)) return false;
  const told = contentTerms(`${source.title} ${sentencesOf(source)[0]!.text}`, source.lang);
  return overlap(contentTerms(question, source.lang), told) < THE_SAME;
}
