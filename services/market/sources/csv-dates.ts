import type { Parsed } from './csv-numbers.ts';
import { daysOf, type WrittenDate } from './csv-instants.ts';
import { quoted } from './quoted.ts';

/** A date with the year first. MetaTrader writes points between the numbers, and pandas appends midnight. */
const ISO = /^(\d{4})[-/.](\d{2})[-/.](\d{2})([T ]00:00:00(\.0+)?(Z|[+-]\d{2}:?\d{2})?)?$/u;
const COMPACT = /^(\d{4})(\d{2})(\d{2})$/u;
const GERMAN = /^(\d{1,2})\.(\d{1,2})\.(\d{4}|\d{2})$/u;
/** A date with a year of two digits. Only the order of the rows can tell which number is the year. */
const SHORT = /^(\d{1,2})\.(\d{1,2})\.(\d{2})$/u;
const SLASHED = /^(\d{1,2})[/-](\d{1,2})[/-](\d{4})( 0?0:00(:00)?)?$/u;
const DAY_NAMED = /^(\d{1,2})[- ]([a-z]{3})[a-z]*\.?[- ,]+(\d{4})$/iu;
const MONTH_NAMED = /^([a-z]{3})[a-z]*\.? (\d{1,2}),? (\d{4})$/iu;
const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

const numberOf = (month: string): string => String(MONTHS.indexOf(month.toLowerCase()) + 1);

/** Whether the day or the month comes first in `01/02/2020`. */
type DateOrder = 'day' | 'month';

/**
 * The order of day and month in a column, by all its dates: a number above 12 is a day. A column without evidence, or
 * with both orders, is a fault.
 */
function dateOrderOf(
  dates: readonly WrittenDate[],
  fault: (line: number, message: string) => void,
): DateOrder {
  let open: WrittenDate | undefined;
  const lines: Partial<Record<DateOrder, WrittenDate>> = {};
  for (const date of dates) {
    const [, first, second] = SLASHED.exec(date.text.trim()) ?? [];
    if (first === undefined) continue;
    if (Number(first) > 12) lines.day ??= date;
    else if (Number(second) > 12) lines.month ??= date;
    else if (first !== second) open ??= date;
  }
  const short = dates.filter(({ text }) => SHORT.test(text.trim()));
  const [first] = short;
  if (first !== undefined && !areInOrder(short, 'dmy') && areInOrder(short, 'ymd')) {
    fault(
      first.line,
      `date ${quoted(first.text)} and those after it are in no order as day, month and year: their order is not understood; write dates like 2020-01-31`,
    );
  }
  const { day, month } = lines;
  if (day !== undefined && month !== undefined) {
    fault(
      month.line,
      `date ${quoted(month.text)} has the month first, ${quoted(day.text)} in line ${day.line} the day; write dates like 2020-01-31`,
    );
  } else if (day === undefined && month === undefined && open !== undefined) {
    fault(
      open.line,
      `date ${quoted(open.text)} may have the day or the month first, and no other date decides; write dates like 2020-01-31`,
    );
  }
  return day === undefined ? 'month' : 'day';
}

/** Decides how the dates of a column are read, from all of them together. */
export function dateReader(
  dates: readonly WrittenDate[],
  fault: (line: number, message: string) => void,
): (text: string) => Parsed<string> {
  const day = daysOf(dates, fault);
  const order = dateOrderOf(
    dates.map(({ text, line }) => ({ text: day(text), line })),
    fault,
  );
  return (text) => parseDate(day(text), order);
}

/** Whether the dates all ascend, or all descend, if their numbers are read in this way. */
function areInOrder(dates: readonly { readonly text: string }[], meaning: 'dmy' | 'ymd'): boolean {
  const days = dates.map(({ text }) => {
    const [, one = '', two = '', three = ''] = SHORT.exec(text.trim())!;
    return meaning === 'dmy'
      ? joined(wholeYear(three), two, one)
      : joined(wholeYear(one.padStart(2, '0')), two, three);
  });
  const pairs = days.slice(1).map((day, at) => [days[at]!, day] as const);
  return pairs.every(([one, next]) => one <= next) || pairs.every(([one, next]) => one >= next);
}

/**
 * Reads a date such as `2020-01-31`, also with the time of midnight. `order` says whether the day or the month comes
 * first in a date such as `01/31/2020`.
 */
export function parseDate(text: string, order?: DateOrder): Parsed<string> {
  const date = dateOf(text.trim(), order);
  if (date === null) return { fault: `${quoted(text)} is not a date like 2020-01-31` };
  const time = Date.parse(date);
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
  return exists ? { value: date } : { fault: `${date} is not a valid date` };
}

function dateOf(text: string, order: DateOrder | undefined): string | null {
  const iso = ISO.exec(text) ?? COMPACT.exec(text);
  if (iso !== null) return `${iso[1]}-${iso[2]}-${iso[3]}`;
  if (order === undefined) return null;
  const german = GERMAN.exec(text);
  if (german !== null) return joined(wholeYear(german[3]!), german[2]!, german[1]!);
  const slashed = SLASHED.exec(text);
  if (slashed !== null) {
    const [, first = '', second = '', year = ''] = slashed;
    return order === 'day' ? joined(year, second, first) : joined(year, first, second);
  }
  const day = DAY_NAMED.exec(text);
  if (day !== null) return joined(day[3]!, numberOf(day[2]!), day[1]!);
  const month = MONTH_NAMED.exec(text);
  return month === null ? null : joined(month[3]!, numberOf(month[1]!), month[2]!);
}

/** The year in full: `24` is 2024, but `70` to `99` are of the last century, because no table has future prices. */
const wholeYear = (year: string): string =>
  year.length === 4 ? year : `${Number(year) < 70 ? '20' : '19'}${year}`;

const joined = (year: string, month: string, day: string): string =>
  `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
