import { z } from 'zod';

/**
 * Exact numbers for trading, as integers of a smallest unit; never floats. Sums, and the value of a quantity at a
 * price, are exact. A share of an amount (a fee rate, the cost of a part of a position) is rounded once by `mulDiv`,
 * and the rest is calculated by subtraction, so nothing is lost.
 */

/** Unit: 10^-8 of the currency. */
export type Price = bigint;
/** Unit: 10^-8 shares. Negative for a sale or a short position. */
export type Quantity = bigint;
/** Unit: 10^-16 of the currency, so that a price times a quantity needs no rounding. */
export type Money = bigint;

export const PRICE_DECIMALS = 8;
const QUANTITY_DECIMALS = 8;
const MONEY_DECIMALS = 16;

/** A ratio of two positive whole numbers in lowest terms, for instance 7 new shares for 1 old. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

const TEXT = /^(-?)(\d{1,24})(?:\.(\d+))?$/;

/** Numbers of up to this many digits are exact when they are converted to a double and back to text. */
const EXACT_DIGITS = 15;
const POWERS = Array.from({ length: MONEY_DECIMALS + 1 }, (_, n) => 10n ** BigInt(n));
/** The powers of ten as doubles, all of them exact. */
const DOUBLES = POWERS.map(Number);

/**
 * The integer for a plain decimal text, in units of 10^-`decimals`.
 *
 * @throws {RangeError} for anything else: an exponent, more decimal places (unless they are zeros), 25 digits or more.
 */
function parse(text: string, decimals: number): bigint {
  for (let at = 0; at < KEPT; at += 1) {
    if (texts[at] === text && places[at] === decimals) return values[at]!;
  }
  const value = parseShort(text, decimals) ?? parseLong(text, decimals);
  keep(text, value, decimals, false);
  return value;
}

/**
 * The number of last amounts that are kept, because most are read again at once: the price of a fill goes from the
 * broker's event into the account's event, and from there into order, position, cash and the strategy's holding.
 */
const KEPT = 4;
const texts = Array.from({ length: KEPT }, () => '');
const values = Array.from({ length: KEPT }, () => 0n);
const places = Array.from({ length: KEPT }, () => -1);
/** Whether each text is in our own form. Other texts may have zeros at the end. */
const ours = Array.from({ length: KEPT }, () => false);
let next = 0;

function keep(text: string, value: bigint, decimals: number, isOurs: boolean): void {
  texts[next] = text;
  values[next] = value;
  places[next] = decimals;
  ours[next] = isOurs;
  next = (next + 1) % KEPT;
}

/**
 * Reads a short text by character, which is several times as fast; most texts are short. `null` means that `parse` has
 * to read it.
 */
function parseShort(text: string, decimals: number): bigint | null {
  const start = text.charCodeAt(0) === MINUS ? 1 : 0;
  let digits = 0;
  let point = -1;
  for (let at = start; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === POINT && point < 0 && at > start) point = at;
    else if (code >= ZERO && code <= ZERO + 9) digits = digits * 10 + (code - ZERO);
    else return null;
  }
  const places = point < 0 ? 0 : text.length - point - 1;
  const length = text.length - start - (point < 0 ? 0 : 1);
  if (length === 0 || length > EXACT_DIGITS || places > decimals || (point >= 0 && places === 0)) return null;
  const scaled = digits * DOUBLES[decimals - places]!;
  // Most products are exact as doubles, and multiplying those is faster than multiplying bigints.
  const value = Number.isSafeInteger(scaled)
    ? integerOf(scaled)
    : integerOf(digits) * POWERS[decimals - places]!;
  return start === 1 ? -value : value;
}

const MINUS = 45;
const POINT = 46;
const ZERO = 48;

function parseLong(text: string, decimals: number): bigint {
  const [, sign, whole, fraction = ''] = TEXT.exec(text) ?? [];
  const places = fraction.replace(/0+$/, '');
  if (whole === undefined || places.length > decimals) throw new RangeError(`not a decimal number: ${text}`);
  const value = BigInt(whole + places.padEnd(decimals, '0'));
  return sign === '-' ? -value : value;
}

/** The shortest plain text of an amount: without an exponent, zeros at the end or a negative zero. */
function format(value: bigint, decimals: number): string {
  for (let at = 0; at < KEPT; at += 1) {
    if (places[at] === decimals && ours[at]! && values[at] === value) return texts[at]!;
  }
  const text = write(value, decimals);
  keep(text, value, decimals, true);
  return text;
}

function write(value: bigint, decimals: number): string {
  const digits = (value < 0n ? -value : value).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  let end = digits.length;
  while (end > point && digits.charCodeAt(end - 1) === ZERO) end--;
  const whole = digits.slice(0, point);
  return `${value < 0n ? '-' : ''}${end === point ? whole : `${whole}.${digits.slice(point, end)}`}`;
}

/** @throws {RangeError} unless it is plain decimal text with at most 8 decimal places. */
export const parsePrice = (text: string): Price => parse(text, PRICE_DECIMALS);
/** @throws {RangeError} unless it is plain decimal text with at most 8 decimal places. */
export const parseQuantity = (text: string): Quantity => parse(text, QUANTITY_DECIMALS);
/** @throws {RangeError} unless it is plain decimal text with at most 16 decimal places. */
export const parseMoney = (text: string): Money => parse(text, MONEY_DECIMALS);

/** The price in a text; `null` if the order has no such price. */
export const parseOptionalPrice = (text: string | null): Price | null =>
  text === null ? null : parsePrice(text);
export const optionalPriceText = (price: Price | null): string | null =>
  price === null ? null : priceText(price);

export const priceText = (price: Price): string => format(price, PRICE_DECIMALS);
export const quantityText = (quantity: Quantity): string => format(quantity, QUANTITY_DECIMALS);
export const moneyText = (money: Money): string => format(money, MONEY_DECIMALS);

/** The nearest double of a price, for JSON numbers and charts. It is rounded, so never calculate on with it. */
export const priceNumber = (price: Price): number => shownNumber(price);
/** The nearest double of a quantity, for JSON numbers. It is rounded, so never calculate on with it. */
export const quantityNumber = (quantity: Quantity): number => shownNumber(quantity);
/**
 * The nearest double of an amount of money, in as many decimal places as a price has, for JSON numbers. It is rounded,
 * so never calculate on with it.
 */
export function moneyNumber(money: Money): number {
  const scaled = Number(money) / DOUBLES[MONEY_DECIMALS - PRICE_DECIMALS]!;
  // The zero is added because the rounded number could be a negative zero.
  const rounded = Math.round(scaled) + 0;
  // The two steps together are wrong by less than this. If the fraction is farther than this from one half, the doubles
  // have rounded to the right side.
  const error = Math.abs(scaled) * 2 ** -51;
  const sure = Math.abs(scaled - rounded) + error < 0.5 && Number.isSafeInteger(rounded);
  return sure ? rounded / PRICE_SCALE : shownNumber(mulDiv(money, 1n, MONEY_IN_SHOWN));
}

/** The nearest double, by a division of two integers that are exact as doubles. This takes half the time of a text. */
function shownNumber(scaled: bigint): number {
  const number = numberOf(scaled);
  return Number.isNaN(number) ? Number(format(scaled, PRICE_DECIMALS)) : number / PRICE_SCALE;
}

/**
 * A 64-bit integer and its two 32-bit halves. Converting through them takes a fraction of the time of `BigInt` and
 * `Number`.
 */
const integer = new BigInt64Array(1);
const halves = new Uint32Array(integer.buffer);
const [LOW, HIGH] = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1 ? [0, 1] : [1, 0];
const HALF = 2 ** 32;

/** A faster `BigInt(number)`. */
export function integerOf(number: number): bigint {
  if (!Number.isSafeInteger(number)) return BigInt(number);
  const high = Math.floor(number / HALF);
  halves[LOW] = number - high * HALF;
  halves[HIGH] = high;
  return integer[0]!;
}

/** A safe integer as a number; NaN for any other bigint. */
function numberOf(value: bigint): number {
  integer[0] = value;
  // A longer integer does not fit into 64 bits.
  if (integer[0] !== value) return Number.NaN;
  const number = (halves[HIGH]! | 0) * HALF + halves[LOW]!;
  return Number.isSafeInteger(number) ? number : Number.NaN;
}

const MONEY_IN_SHOWN = 10n ** BigInt(MONEY_DECIMALS - PRICE_DECIMALS);

/** The value of one share as a JSON number, the nearest double. `quantity` must not be 0. */
export const perShareNumber = (value: Money, quantity: Quantity): number =>
  nearestDouble(mulDiv(value, POWERS[QUANTITY_DECIMALS]!, quantity));

/** The nearest double of an amount, in a third of the time of parsing a text. */
function nearestDouble(money: Money): number {
  if (money < 0n) return -nearestDouble(-money);
  const number = Number(money);
  if (number <= Number.MAX_SAFE_INTEGER) return number / DOUBLES[MONEY_DECIMALS]!;
  if (number > MANY) return Number(moneyText(money));
  // The quotient has more bits than a double. The last bit says that the division had a remainder, so that the
  // conversion rounds in the right direction.
  return Number(((money << 64n) / POWERS[MONEY_DECIMALS]!) | 1n) / 2 ** 64;
}
/** Below this limit an amount that divides without a remainder fits into a double. */
const MANY = 2 ** 89;

/**
 * The decimal number that a double is written as (its shortest text), rounded half away from zero to 8 places. For bars
 * of a data source; numbers of clients are parsed as text and refused instead of rounded.
 */
export function priceOf(number: number): Price {
  const scaled = Math.round(number * PRICE_SCALE);
  // If the number has few digits and no more than 8 decimals, the rounded integer is exact.
  if (Math.abs(scaled) < 10 ** EXACT_DIGITS && scaled / PRICE_SCALE === number) return integerOf(scaled);
  const text = plainText(number);
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const kept = BigInt(whole + fraction.slice(0, PRICE_DECIMALS).padEnd(PRICE_DECIMALS, '0'));
  const price = (fraction[PRICE_DECIMALS] ?? '0') >= '5' ? kept + 1n : kept;
  return text.startsWith('-') ? -price : price;
}

const PRICE_SCALE = 10 ** PRICE_DECIMALS;

/** The shortest decimal text of a finite double, without an exponent. */
export function plainText(number: number): string {
  if (!Number.isFinite(number)) throw new RangeError(`not a decimal number: ${number}`);
  const text = String(number);
  const [mantissa = '', exponent] = text.split('e');
  if (exponent === undefined) return text;
  const negative = mantissa.startsWith('-');
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.');
  const shift = Number(exponent);
  const digits = whole + fraction;
  const point = whole.length + shift;
  const plain =
    point <= 0
      ? `0.${'0'.repeat(-point)}${digits}`
      : point >= digits.length
        ? digits.padEnd(point, '0')
        : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return negative ? `-${plain}` : plain;
}

export const ONE_SHARE: Quantity = parseQuantity('1');

/** The exact value of a quantity at a price. */
export const valueOf = (quantity: Quantity, price: Price): Money => quantity * price;

/** `value × numerator / denominator`, rounded half away from zero. `denominator` must not be 0. */
export function mulDiv(value: bigint, numerator: bigint, denominator: bigint): bigint {
  let product = value * numerator;
  let divisor = denominator;
  if (divisor < 0n) {
    product = -product;
    divisor = -divisor;
  }
  const half = divisor / 2n;
  return product < 0n ? -((-product + half) / divisor) : (product + half) / divisor;
}

export const abs = (value: bigint): bigint => (value < 0n ? -value : value);

/** A ratio as it is stored: `"7/1"`. */
export const ratioText = ({ numerator, denominator }: Ratio): string => `${numerator}/${denominator}`;

/**
 * Reads `7/1`, `7:1`, `7` or `0.05` in lowest terms.
 *
 * @throws {RangeError} for anything else, and for numbers that are not positive.
 */
export function parseRatio(text: string): Ratio {
  const [left = '', right = '1', ...more] = text.split(/[/:]/);
  const numerator = parse(left.trim(), RATIO_DECIMALS);
  const denominator = parse(right.trim(), RATIO_DECIMALS);
  if (more.length > 0 || numerator <= 0n || denominator <= 0n) throw new RangeError(`not a ratio: ${text}`);
  const divisor = greatestCommonDivisor(numerator, denominator);
  return { numerator: numerator / divisor, denominator: denominator / divisor };
}

const RATIO_DECIMALS = 12;

function greatestCommonDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestCommonDivisor(b, a % b);
}

/** The nearest double of a ratio, for charts and JSON. */
export const ratioNumber = ({ numerator, denominator }: Ratio): number =>
  Number(numerator) / Number(denominator);

const decimalText = (decimals: number) =>
  z.string().regex(new RegExp(`^-?\\d{1,24}(\\.\\d{1,${decimals}})?$`), `at most ${decimals} decimal places`);

/** Amounts in events and messages are decimal text. */
export const PriceText = decimalText(PRICE_DECIMALS);
export const QuantityText = decimalText(QUANTITY_DECIMALS);
export const MoneyText = decimalText(MONEY_DECIMALS);
export const RatioText = z.string().regex(/^[1-9]\d{0,23}\/[1-9]\d{0,23}$/, 'a ratio like 7/1');
