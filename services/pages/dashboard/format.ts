import { twoUnits } from '../two-units.ts';

const LOCALE = 'en-US';
const MISSING = '–';

const numbers = (options: Intl.NumberFormatOptions): ((value: number) => string) => {
  const format = new Intl.NumberFormat(LOCALE, options);
  return (value) => format.format(value);
};
const decimals = (least: number, most: number, more: Intl.NumberFormatOptions = {}) =>
  numbers({ minimumFractionDigits: least, maximumFractionDigits: most, ...more });

const CLOCK = new Intl.DateTimeFormat(LOCALE, { timeStyle: 'medium', hourCycle: 'h23' });
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeZone: 'UTC' });

/** Formats a number; an unknown one is a dash. */
const some =
  <Rest extends unknown[]>(format: (value: number, ...rest: Rest) => string) =>
  (value: number | null | undefined, ...rest: Rest): string =>
    typeof value === 'number' && Number.isFinite(value) ? format(value, ...rest) : MISSING;

export const amount = some(decimals(2, 2));
/** A number with a sign, because gain and loss must not be told apart by colour alone. */
export const signed = some(decimals(2, 2, { signDisplay: 'exceptZero' }));
/** A fraction as a percentage with a sign. */
export const percent = some(decimals(2, 2, { style: 'percent', signDisplay: 'exceptZero' }));
export const share = some(decimals(1, 1, { style: 'percent' }));
export const count = some(decimals(0, 6));
export const counted = (value: number, noun: string): string =>
  `${count(value)} ${noun}${value === 1 ? '' : 's'}`;
/** A measured value with three significant digits. */
export const rough = some(numbers({ maximumSignificantDigits: 3 }));
/** Losses and scores with four decimals. */
export const fine = some(decimals(4, 4, { signDisplay: 'negative' }));
/** A loss or a score on an axis. */
export const level = some(decimals(2, 4, { signDisplay: 'negative' }));
/** A ratio with two decimals. */
export const fixed = some(decimals(2, 2, { signDisplay: 'negative' }));
export const tenths = some(decimals(1, 1));
export const compact = some(decimals(0, 2, { notation: 'compact' }));
const smallPrice = decimals(4, 6);
export const price = some((value) => (Math.abs(value) < 1 ? smallPrice(value) : amount(value)));
export const money = some((value, currency: string) =>
  decimals(2, 2, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })(value),
);

/** `YYYY-MM-DD` as a readable date. */
export const day = (date: string | null): string =>
  date === null ? MISSING : DAY.format(new Date(`${date}T00:00:00Z`));
export const clock = (date: Date): string => CLOCK.format(date);
/** A duration in seconds; from a minute on in its two largest units. */
export const duration = some((seconds) => {
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : twoUnits(whole);
});
/** `stop_limit` as words. */
export const words = (name: string): string => name.replaceAll('_', ' ');

export const directionOf = (value: number): string => (value > 0 ? 'gain' : value < 0 ? 'loss' : 'flat');
