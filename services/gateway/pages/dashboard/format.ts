const LOCALE = 'en-US';
const MISSING = '–';

const decimals = (
  minimumFractionDigits: number,
  maximumFractionDigits: number,
  more: Intl.NumberFormatOptions = {},
): Intl.NumberFormat =>
  new Intl.NumberFormat(LOCALE, { minimumFractionDigits, maximumFractionDigits, ...more });

const AMOUNT = decimals(2, 2);
const SIGNED = decimals(2, 2, { signDisplay: 'exceptZero' });
const PERCENT = decimals(2, 2, { style: 'percent', signDisplay: 'exceptZero' });
const SHARE = decimals(1, 1, { style: 'percent' });
const SMALL_PRICE = decimals(4, 6);
const COUNT = decimals(0, 6);
const FINE = decimals(4, 4, { signDisplay: 'negative' });
const LEVEL = decimals(2, 4, { signDisplay: 'negative' });
const TENTHS = decimals(1, 1);
const ROUGH = new Intl.NumberFormat(LOCALE, { maximumSignificantDigits: 3 });
const COMPACT = new Intl.NumberFormat(LOCALE, { notation: 'compact', maximumFractionDigits: 2 });
const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

const currencies = new Map<string, Intl.NumberFormat>();

/** What is not known is a dash. */
const some =
  <Rest extends unknown[]>(format: (value: number, ...rest: Rest) => string) =>
  (value: number | null | undefined, ...rest: Rest): string =>
    typeof value === 'number' && Number.isFinite(value) ? format(value, ...rest) : MISSING;

export const amount = some((value) => AMOUNT.format(value));
/** With its sign: what is gained and lost never depends on a colour. */
export const signed = some((value) => SIGNED.format(value));
/** Of a fraction, with its sign. */
export const percent = some((value) => PERCENT.format(value));
export const share = some((value) => SHARE.format(value));
export const count = some((value) => COUNT.format(value));
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
/** What was measured, as precise as it is. */
export const rough = some((value) => ROUGH.format(value));
/** Losses and scores, to four places. */
export const fine = some((value) => FINE.format(value));
/** Of an axis of them. */
export const level = some((value) => LEVEL.format(value));
export const tenths = some((value) => TENTHS.format(value));
export const compact = some((value) => COMPACT.format(value));
export const price = some((value) => (Math.abs(value) < 1 ? SMALL_PRICE : AMOUNT).format(value));
export const money = some((value, currency: string) => currencyFormat(currency).format(value));

/** `YYYY-MM-DD` as a date to read. */
export const day = (date: string | null): string =>
  date === null ? MISSING : DAY.format(new Date(`${date}T00:00:00Z`));
export const clock = (date: Date): string => CLOCK.format(date);
/** Seconds as the two largest units of them. */
export const duration = some((seconds) => {
  const whole = Math.round(seconds);
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor(whole / 60) % 60} min`;
});
/** `stop_limit` as words. */
export const words = (name: string): string => name.replaceAll('_', ' ');

export const directionOf = (value: number): string => (value > 0 ? 'gain' : value < 0 ? 'loss' : 'flat');

function currencyFormat(currency: string): Intl.NumberFormat {
  const known = currencies.get(currency);
  if (known !== undefined) return known;
  const format = decimals(2, 2, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  currencies.set(currency, format);
  return format;
}
