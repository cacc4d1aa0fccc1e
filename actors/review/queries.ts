import { currentHits } from '../ask/validity.ts';
import type { Hit, Source } from '../../kb/knowledge.ts';
import type { ReviewContext } from './check.ts';
import { readKey } from './key.ts';
import { workOf } from './restrictor.ts';

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
  const queries = [...facts, ...(computation?.components ?? [])]
    .map(({ key, value }) => {
      const { words, date } = readKey(key);
      // A value that is no figure says what is meant: `drittletzter Bankarbeitstag`.
      const text = /^\p{L}[\p{L} -]{6,80}$/u.test(value) ? [value] : [];
      const time = date === null ? [] : [String(date.year)];
      const work = words.map(workOf).find((each) => each !== undefined);
      const query = [...words, ...time, ...text].join(' ');
      // A statute does not name its own subject in each section: `§ 241 SGB V: Allgemeiner Beitragssatz`.
      return work === undefined
        ? [query]
        : [query, [...words.filter((word) => workOf(word) === undefined), work, ...time].join(' ')];
    })
    .flat();
  for (const { key } of facts) queries.push(...wordingsOf(key));
  if (computation !== undefined) queries.push(computation.label);
  return [...new Set(queries)].filter((query) => query !== '' && query !== question).slice(0, MAX_QUERIES);
}

/** How statutes put what a pay slip calls otherwise: where a key's word alone finds other sections first. */
const WORDINGS: readonly (readonly [RegExp, string])[] = [
  [/stundenlohn|hourly/u, 'Mindestlohn brutto je Zeitstunde'],
  [/urlaub(?!s?(?:geld|entgelt))|leave/u, 'Dauer des Urlaubs jährlich mindestens Werktage'],
  [/arbeitszeit|working_time/u, 'werktägliche Arbeitszeit Stunden nicht überschreiten'],
  [/minijob|geringf/u, 'geringfügige Beschäftigung Arbeitsentgelt Monat nicht übersteigt'],
  [/midijob|uebergangsbereich/u, 'Übergangsbereich Arbeitsentgelte Monat nicht übersteigen'],
  [/f(?:ae)?lligkeit.*beitr|beitr.*f(?:ae)?llig/u, 'Beiträge fällig Bankarbeitstag des Monats'],
];

const wordingsOf = (key: string): string[] =>
  WORDINGS.filter(([words]) => words.test(key)).map(([, wording]) => wording);

/**
 * The passages of a review that hold for its time: as for any ask, but a year that a fact's key names counts like one
 * that the question names.
 */
export function hitsInForce(question: string, { facts = [] }: ReviewContext, hits: readonly Hit[]) {
  const years = facts.map(({ key }) => readKey(key).date?.year).filter((year) => year !== undefined);
  return currentHits([question, ...years].join(' '), hits);
}

/**
 * The last year that a base speaks of: of its texts' last changes, and of what they are for. A text for more than the
 * year after its own looks ahead (`bis 2025`) and does not count.
 */
export function lastYearOf(sources: readonly Source[]): number {
  return sources.reduce((last, { year, stand }) => {
    const changed = Number(stand.slice(0, 4));
    return Math.max(last, changed, year !== null && year <= changed + 1 ? year : 0);
  }, 0);
}
