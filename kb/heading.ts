import type { Source } from './source.ts';

/**
 * The most characters of a path of headings. Of a longer path the last headings that fit are shown, because two
 * sections of one document differ in these.
 */
const LONGEST = 120;

const BELOW = ' › ';

/** Headings as one text, from the highest down, as the `section` of a source has them. */
export const joinHeadings = (headings: readonly string[]): string => headings.join(BELOW);

/** The headings of a text that `joinHeadings` has made. */
export const splitHeadings = (path: string): readonly string[] => path.split(BELOW);

/** All headings of a passage, from its document's title down to its own. */
export const headingsOf = ({ section, title }: Pick<Source, 'section' | 'title'>): readonly string[] => [
  ...splitHeadings(section).filter((each) => each !== '' && each !== title),
  title,
];

/** The headings of a passage as one line, from its document's title down to its own: `Haus › Küche › Spüldienst`. */
export function headingOf(source: Pick<Source, 'section' | 'title'>): string {
  return headingsOf(source).reduceRight((below, heading) => {
    const path = joinHeadings([heading, below]);
    return path.length <= LONGEST ? path : below;
  });
}

/** A heading without case and signs, to search for it in a question. */
export const headingKey = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** The keys under which a question may name a passage of a document: its own heading, and all of its headings. */
export const headingKeysOf = (source: Pick<Source, 'section' | 'title'>): ReadonlySet<string> =>
  new Set([source.title, headingOf(source)].map(headingKey));

/**
 * The text that a user can ask to get a source. For a passage of a document it is all headings, because many passages
 * have equal titles.
 */
export const suggestionFor = (source: Source): string =>
  source.units === undefined ? source.title : headingOf(source);

/** The number of a section at the beginning of a heading (`§ 5`, `3.1`). */
const NUMBERING = /^(?:§§?\s*[\p{N}.]+[a-z]?|\p{N}+(?:\.\p{N}*)+[a-z]?|\p{N}+[):])\s+/u;
const FIGURE =
  /\p{N}\s?(?:[€%$£]|(?:euro?s?|eur|usd|chf|prozent|percent|cm|km|kg|[gkmt]b|qm|minute[ns]?|stunden?|hours?|tage?n?|days?|wochen?|weeks?|monate?n?|months?|jahre?n?|years?|uhr|am|pm)(?!\p{L}))|[€$£]\s?\p{N}|(?<!\p{L})(?:mindestens|höchstens|maximal|bis zu|at (?:least|most)|up to|no more than)\s+\p{N}/iu;
const FINITE =
  /\s(?:ist|sind|darf|dürfen|muss|müssen|kann|können|soll|sollen|wird|werden|gilt|gelten|beträgt|is|are|must|may|cannot|shall|should|will)(?!\p{L})/iu;
const ASKS =
  /\?\s*$|^(?:wie|was|wer|wen|wem|wo|wohin|woher|wann|warum|wieso|welche|wenn|falls|how|what|who|when|where|why|which|if)(?!\p{L})/iu;

/** Whether a heading has a figure with its unit, which the text below then need not repeat. */
export const hasFigure = (heading: string): boolean => FIGURE.test(heading.replace(NUMBERING, ''));

/** Whether a heading says something itself: a figure, or a whole statement (`Smoking is not allowed`). */
export const saysItself = (heading: string): boolean =>
  hasFigure(heading) || (FINITE.test(heading) && !ASKS.test(heading));
