import type { Figure } from './figure.ts';
import type { SlipTime } from './slip-time.ts';

/** A year; numbers that are amounts do not count. */
const YEARS = /(?<![\d.,]|§\s?)(?:19|20)\d{2}(?![\d.,]*\d)(?!\s*(?:Euro|€|%|Prozent))/gu;
/** The date of a text, which does not say for which time the text holds. */
const STATE = /(?:rechts)?stand(?:\s+(?:vom|von))?\s+(?:\p{L}+\s+)?\d{4}/giu;
/** A thing that began in a year and continues. */
const BEGUN = /beginn im Jahr \d{4}|im Jahr \d{4} begonnen/giu;
const SINCE = /(?:\bseit|\bab)(?:\s+dem)?(?:\s+\d{1,2}\.)?(?:\s+\p{L}+)?\s+(?:19|20)\d{2}/iu;
const UNTIL = /\bbis(?:\s+zum)?(?:\s+\d{1,2}\.)?(?:\s+\p{L}+)?\s+(?:19|20)\d{2}/iu;

/**
 * Whether the sentence of a figure may prove a value of that time: it names no year, or years that include the time. A
 * sentence of another year is not quoted, even if its figure is equal.
 *
 * @example isOfTime({ quote: 'Im Jahr 2022 also bis zu 3.384 Euro', … }, { from: '2020-09', to: '2020-09' })
 * false
 */
export function isOfTime({ quote }: Pick<Figure, 'quote'>, time: SlipTime): boolean {
  const years = (quote.replaceAll(STATE, '').replaceAll(BEGUN, '').match(YEARS) ?? []).map(Number);
  if (typeof time !== 'object' || time.from === null || time.to === null || years.length === 0) return true;
  const [from, to] = [time.from, time.to].map((month) => Number(month.slice(0, 4)));
  const begins = UNTIL.test(quote) && new Set(years).size === 1 ? -Infinity : Math.min(...years);
  const ends = SINCE.test(quote) ? Infinity : Math.max(...years);
  return from! >= begins && to! <= ends;
}
