import { readFacts } from '../../../kb/review/facts.ts';
import type { ReviewBase } from '../../../kb/review/review-base.ts';
import { spansIn } from '../../../kb/review/time-spans.ts';
import { UsageError } from '../report-failure.ts';
import type { SlipRow } from './slip-row.ts';

/** The question about every slip, with the month if the command names one. */
export const questionFor = (month: string | null): string =>
  month === null ? 'Stimmt die Abrechnung?' : `Stimmt die Abrechnung für ${month}?`;

/** Whether a slip has a time, even if its facts contradict it; without a time almost nothing can be checked. */
export const hasTime = ({ facts }: SlipRow, month: string | null, base: ReviewBase): boolean =>
  readFacts({ facts }, base, questionFor(month)).time !== 'none';

/** The month of a slip, `YYYY-MM`; `null` if it has none or more than one. */
export function monthOfSlip({ facts }: SlipRow, month: string | null, base: ReviewBase): string | null {
  const { time } = readFacts({ facts }, base, questionFor(month));
  return typeof time === 'object' && time.from === time.to ? time.from : null;
}

/** Reads the month that was given to the command, in each usual spelling, as `YYYY-MM`. */
export function readMonth(text: string): string {
  const [span, ...others] = spansIn(text, true);
  if (span === undefined || others.length > 0 || span.from === null || span.from !== span.to)
    throw new UsageError(`--month ${text}: ein Monat wird so geschrieben: 2022-01, 01/2022 oder Januar 2022`);
  return span.from;
}

/**
 * The month before a month.
 * @example monthBefore('2022-01') // '2021-12'
 */
export function monthBefore(month: string): string {
  const [year, number] = month.split('-').map(Number) as [number, number];
  return number === 1 ? `${year - 1}-12` : `${year}-${String(number - 1).padStart(2, '0')}`;
}
