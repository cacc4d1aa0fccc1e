const ISO = /^(?<year>\d{4})-(?<month>0[1-9]|1[0-2])(?!\d)/u;
const GERMAN = /^(?:\d{1,2}\.\s?)?(?<month>0?[1-9]|1[0-2])\.(?<year>(?:19|20)\d{2})(?!\d)/u;
/** The first days of computer clocks, in any time zone. A program without a date writes such a day. */
const BEGIN_OF_CLOCK =
  /^(?:0001-01-01|1601-01-01|1899-12-3[01]|1900-01-0[01]|1904-01-01|1969-12-31|1970-01-01|1979-12-31|1980-01-01)/u;

/**
 * The month `YYYY-MM` of the usual forms of a date (`2024-03-01T10:00:00Z`, `1.3.2024`, `03.2024`); otherwise
 * `undefined`. The first day of a clock is no date.
 */
export function monthOf(date: string): string | undefined {
  const written = date.trim();
  if (BEGIN_OF_CLOCK.test(written)) return undefined;
  const { year, month } = (ISO.exec(written) ?? GERMAN.exec(written))?.groups ?? {};
  return year === undefined || month === undefined ? undefined : `${year}-${month.padStart(2, '0')}`;
}
