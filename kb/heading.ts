import type { Source } from './source.ts';

/** A longer path of headings is told by its first and its last one. */
const LONGEST = 120;

/** What a passage stands under, from its document's title down to its own: `Haus › Küche › Spüldienst`. */
export function headingOf({ section, title }: Pick<Source, 'section' | 'title'>): string {
  const above = section.split(' › ').filter((each) => each !== '' && each !== title);
  const path = [...above, title].join(' › ');
  return path.length <= LONGEST ? path : [...above.slice(0, 1), title].join(' › ');
}

/** Headings without case and signs, as they may stand in a question. */
export const headingKey = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

/** What a passage of a document may be asked for by: its own heading, or all of them. */
export const headingKeysOf = (source: Pick<Source, 'section' | 'title'>): ReadonlySet<string> =>
  new Set([source.title, headingOf(source)].map(headingKey));

/** What is asked to be told a source: a passage of a document by all its headings, since many have the same title. */
export const suggestionFor = (source: Source): string =>
  source.units === undefined ? source.title : headingOf(source);
