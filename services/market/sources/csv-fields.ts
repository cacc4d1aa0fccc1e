/** Beyond any price in any currency, and far within what a decimal price can hold. */
const MAX_PRICE = 1e12;
/** Whole numbers up to here are exact. */
const MAX_VOLUME = Number.MAX_SAFE_INTEGER;

const NUMBER = /^\d{1,30}(\.\d{1,30})?(e[+-]?\d{1,3})?$/iu;
/** Pandas writes the time of midnight behind it. */
const DATE = /^(\d{4}-\d{2}-\d{2})([T ]00:00:00(\.0+)?(Z|[+-]\d{2}:?\d{2})?)?$/u;

/** A field's value, or what is wrong with it, without naming the field. */
export type Parsed<T> = { readonly value: T } | { readonly fault: string };

/** `2020-01-31`, also with the time of midnight behind it. */
export function parseDate(text: string): Parsed<string> {
  const date = DATE.exec(text.trim())?.[1];
  if (date === undefined) return { fault: `${quoted(text)} is not a date like 2020-01-31` };
  const time = Date.parse(date);
  const exists = !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
  return exists ? { value: date } : { fault: `${date} is not a valid date` };
}

/** Above 0. */
export function parsePrice(text: string): Parsed<number> {
  return parseNumber(text, (price) =>
    price <= 0 ? 'is not greater than 0' : price > MAX_PRICE ? 'is too large for a price' : null,
  );
}

/** A whole number, also as `6315000.0`. */
export function parseVolume(text: string): Parsed<number> {
  return parseNumber(text, (volume) =>
    volume > MAX_VOLUME
      ? 'is too large'
      : Number.isInteger(volume)
        ? null
        : 'is not a whole number of shares',
  );
}

function parseNumber(text: string, objection: (value: number) => string | null): Parsed<number> {
  const trimmed = text.trim();
  if (trimmed === '') return { fault: 'is empty' };
  if (/^[+-]?\d+,\d+$/u.test(trimmed)) {
    return { fault: `${quoted(text)} has a decimal comma; use a decimal point` };
  }
  if (/^-\d/u.test(trimmed)) return { fault: `${quoted(text)} is negative` };
  if (!NUMBER.test(trimmed)) return { fault: `${quoted(text)} is not a number` };
  const value = Number(trimmed);
  const fault = objection(value);
  return fault === null ? { value } : { fault: `${quoted(text)} ${fault}` };
}

/** At most 30 characters of what somebody else wrote, safe in a log. */
export function quoted(text: string): string {
  return JSON.stringify(text.length > 30 ? `${text.slice(0, 30)}…` : text);
}
