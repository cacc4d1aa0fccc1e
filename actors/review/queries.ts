import { currentHits } from '../ask/validity.ts';
import type { Hit, Source } from '../../kb/knowledge.ts';
import type { ReviewContext } from './check.ts';
import { readKey } from './key.ts';

/** Searches beside the question's own: a review of 40 facts stays bounded. */
const MAX_QUERIES = 12;

/**
 * Further search strings, so that the passages for each fact are found: a key's words with its year, facts of the
 * same words once.
 *
 * @example reviewQueries('Stimmt das?', { facts: [{ key: 'bbg_rv_2022', value: '7.050 €' }] })
 * // ['Beitragsbemessungsgrenze Rentenversicherung 2022']
 */
export function reviewQueries(question: string, { facts = [], computation }: ReviewContext): string[] {
  const queries = [...facts, ...(computation?.components ?? [])].map(({ key, value }) => {
    const { words, date } = readKey(key);
    // A value that is no figure says what is meant: `drittletzter Bankarbeitstag`.
    const text = /^\p{L}[\p{L} -]{6,80}$/u.test(value) ? [value] : [];
    return [...words, ...(date === null ? [] : [String(date.year)]), ...text].join(' ');
  });
  if (computation !== undefined) queries.push(computation.label);
  return [...new Set(queries)].filter((query) => query !== '' && query !== question).slice(0, MAX_QUERIES);
}

/**
 * The passages of a review that hold for its time: as for any ask, but a year that a fact's key names counts like one
 * that the question names.
 */
export function hitsInForce(question: string, { facts = [] }: ReviewContext, hits: readonly Hit[]) {
  const years = facts.map(({ key }) => readKey(key).date?.year).filter((year) => year !== undefined);
  return currentHits([question, ...years].join(' '), hits);
}

/** The last year that a base speaks of, by the years of its sources and of their last change. */
export function lastYearOf(sources: readonly Source[]): number {
  return sources.reduce((last, { year, stand }) => Math.max(last, year ?? 0, Number(stand.slice(0, 4))), 0);
}
