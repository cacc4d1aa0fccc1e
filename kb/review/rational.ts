/** An exact number: a fraction of two integers in lowest terms, with `d` above 0. Never a float. */
export interface Rational {
  readonly n: bigint;
  readonly d: bigint;
}

export const ZERO: Rational = { n: 0n, d: 1n };

/**
 * A rational number in lowest terms.
 *
 * @throws {RangeError} for a denominator of 0.
 */
export function rational(n: bigint, d = 1n): Rational {
  if (d === 0n) throw new RangeError('division by 0');
  const sign = d < 0n ? -1n : 1n;
  const divisor = gcd(n < 0n ? -n : n, d * sign);
  return { n: (sign * n) / divisor, d: (sign * d) / divisor };
}

/**
 * Parses plain decimal text (`-1234.56`).
 *
 * @throws {RangeError} for anything else.
 */
export function decimal(text: string): Rational {
  const [, sign = '', whole, fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/u.exec(text) ?? [];
  if (whole === undefined) throw new RangeError(`not a decimal number: ${text}`);
  return rational(BigInt(sign + whole + fraction), 10n ** BigInt(fraction.length));
}

export const add = (a: Rational, b: Rational): Rational => rational(a.n * b.d + b.n * a.d, a.d * b.d);
export const negate = (a: Rational): Rational => ({ n: -a.n, d: a.d });
export const subtract = (a: Rational, b: Rational): Rational => add(a, negate(b));
export const multiply = (a: Rational, b: Rational): Rational => rational(a.n * b.n, a.d * b.d);
export const absolute = (a: Rational): Rational => (a.n < 0n ? negate(a) : a);
export const sum = (values: readonly Rational[]): Rational => values.reduce(add, ZERO);

/** -1, 0 or 1 if the first number is smaller, equal or larger. */
export function compare(a: Rational, b: Rational): -1 | 0 | 1 {
  const difference = a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/**
 * The values multiplied by their least common denominator: integers, which add up and compare in the same way but
 * faster.
 */
export function scaled(values: readonly Rational[]): bigint[] {
  const common = values.reduce((least, { d }) => (least / gcd(least, d)) * d, 1n);
  return values.map(({ n, d }) => n * (common / d));
}

export const equal = (a: Rational, b: Rational): boolean => a.n === b.n && a.d === b.d;

/** Rounds half away from zero to `places` decimal places. */
export function round(value: Rational, places: number): Rational {
  const scale = 10n ** BigInt(places);
  const scaled = (value.n < 0n ? -value.n : value.n) * scale;
  const rounded = (2n * scaled + value.d) / (2n * value.d);
  return rational(value.n < 0n ? -rounded : rounded, scale);
}

/** A number with `places` decimal places, rounded half away from zero: `1.234,56` in German, `1,234.56` in English. */
export function format(value: Rational, places: number, language: 'de' | 'en'): string {
  const rounded = round(value, places);
  const digits = ((rounded.n < 0n ? -rounded.n : rounded.n) * 10n ** BigInt(places)) / rounded.d;
  const text = digits.toString().padStart(places + 1, '0');
  const [group, point] = language === 'de' ? ['.', ','] : [',', '.'];
  const whole = text
    .slice(0, text.length - places)
    .replaceAll(/(\d)(?=(?:\d{3})+$)/gu, (digit) => `${digit}${group}`);
  return `${rounded.n < 0n ? '-' : ''}${whole}${places === 0 ? '' : point + text.slice(-places)}`;
}

/** The number of decimals that the value needs; `limit` if they never end. */
export function placesOf(value: Rational, limit: number): number {
  for (let places = 0; places < limit; places++) if (equal(round(value, places), value)) return places;
  return limit;
}

/** A loop, because recursion with numbers of some hundred digits would overflow the stack. */
function gcd(first: bigint, second: bigint): bigint {
  let [a, b] = [first, second];
  while (b !== 0n) [a, b] = [b, a % b];
  return a === 0n ? 1n : a;
}
