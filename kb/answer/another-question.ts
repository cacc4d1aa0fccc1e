import type { Source } from '../source.ts';
import { contentTerms, overlap } from './content-terms.ts';
import { sentencesOf } from './source-sentences.ts';

/** A word that answers a question of yes or no, alone or before a comma or the like. */
const ANSWERS =
  /^(?:(?:yes|no|nope|yep|sure|certainly|absolutely|definitely|ja|nein|doch|klar|leider)(?=\s*(?:[,.!;:–—]|$))|(?:of course|natürlich|selbstverständlich)(?!\p{L}))/iu;

/** A passage answers the question if at least this share of the question's words stands in its heading or first sentence. */
const THE_SAME = 0.5;

/** Whether a passage says yes or no to the question that is its heading, as in a list of frequent ones. */
export function saysYesOrNo(source: Source): boolean {
  if (source.units === undefined || !/\?\s*$/u.test(source.title)) return false;
  const [first] = sentencesOf(source);
  return first !== undefined && ANSWERS.test(first.text);
}

/**
 * Whether a passage says yes or no to another question than the one asked: neither its heading nor its first sentence has
 * half of what is asked. Its `Yes` would be read as the answer.
 *
 * @example the passage `Do I have to cycle every day?` `No, …`, where the rate for one's own car is asked for
 */
export function answersAnother(question: string, source: Source): boolean {
  if (!saysYesOrNo(source)) return false;
  const told = contentTerms(`${source.title} ${sentencesOf(source)[0]!.text}`, source.lang);
  return overlap(contentTerms(question, source.lang), told) < THE_SAME;
}
