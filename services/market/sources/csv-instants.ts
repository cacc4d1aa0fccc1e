import { quoted } from './quoted.ts';

/** A date as written, and its line. */
export interface WrittenDate {
  readonly text: string;
  readonly line: number;
}

type TellFault = (line: number, message: string) => void;

const DAY_MS = 86_400_000;
/** Seconds or milliseconds since 1970. Figures with fewer digits, which are times before 1973, do not count. */
const SINCE_1970 = /^(?:(\d{9,10})|(\d{12,13}))(?:\.0+)?$/u;
const IN_UTC = /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]00:?00)$/u;
/** A date followed by a time of the exchange. */
const TIMED = /^([\d./-]{8,10})[T ]\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:[+-]\d{2}:?\d{2})?$/u;
/**
 * An instant before noon UTC is on the same day in nearly all time zones. A later one may already be midnight or
 * morning of the next day at the exchange.
 */
const NOON_MS = DAY_MS / 2;

/** The milliseconds since 1970 of a date that is written as an instant; `null` for any other date. */
function instantOf(text: string): number | null {
  const [, seconds, milliseconds] = SINCE_1970.exec(text) ?? [];
  if (seconds !== undefined) return Number(seconds) * 1_000;
  if (milliseconds !== undefined) return Number(milliseconds);
  return IN_UTC.test(text) ? Date.parse(text) : null;
}

const dayOf = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

/**
 * Turns dates that are instants, or have a time, into days, if most dates of the column are like that and each day
 * comes once; otherwise they stay as they are. The whole column tells which day an instant is on: no exchange trades in
 * the evenings from Sunday to Thursday.
 */
export function daysOf(dates: readonly WrittenDate[], fault: TellFault): (text: string) => string {
  const texts = dates.map(({ text }) => text.trim());
  const instants = texts.flatMap((text) => instantOf(text) ?? []);
  if (instants.length * 2 > texts.length) {
    const shift = shiftOf(instants);
    const [first] = dates.filter(({ text }) => instantOf(text.trim()) !== null);
    if (shift === null)
      fault(
        first!.line,
        `date ${quoted(first!.text)} may be of two days, and no other date decides; write dates like 2020-01-31`,
      );
    return (text) => {
      const instant = instantOf(text.trim());
      return instant === null ? text : dayOf(instant + (shift ?? 0));
    };
  }
  const timed = texts.flatMap((text) => TIMED.exec(text)?.[1] ?? []);
  const isDaily = timed.length > 1 && new Set(timed).size === timed.length;
  return isDaily && timed.length * 2 > texts.length
    ? (text) => TIMED.exec(text.trim())?.[1] ?? text
    : (text) => text;
}

/** The milliseconds to add to instants in UTC to get their days; `null` if the instants do not tell. */
function shiftOf(instants: readonly number[]): number | null {
  if (instants.every((instant) => instant % DAY_MS < NOON_MS)) return 0;
  const isOpen = (shift: number): boolean =>
    instants.every((instant) => ![0, 6].includes(new Date(instant + shift).getUTCDay()));
  const open = [0, DAY_MS].filter(isOpen);
  return open.length === 1 ? open[0]! : null;
}
