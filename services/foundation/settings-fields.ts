import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { z } from 'zod';
import { unclearNumber } from './unclear-number.ts';

/** Only `true` switches the flag on, in upper or lower case; anything else leaves it off, with a warning. */
export const Flag = z
  .string()
  .default('')
  .transform((value) => value.toLowerCase() === 'true')
  .meta({ flag: true });

/** Only `false` switches the flag off, in upper or lower case; anything else leaves it on, with a warning. */
export const OnFlag = z
  .string()
  .default('true')
  .transform((value) => value.toLowerCase() !== 'false')
  .meta({ flag: true });

/** A secret setting, which may be in a file instead (`secret-files.ts`). */
export const secret = <Field extends z.ZodType>(field: Field, description: string): Field =>
  field.meta({ description, secret: true });

/** Bearer keys separated by commas: while a key is being replaced there are two. Commands send the first one. */
export const Keys = z
  .string()
  .default('')
  .transform(listOf)
  .refine((keys) => keys.every((key) => /^[A-Za-z0-9._~+/=-]+$/.test(key)), {
    message: 'a key may only contain letters, digits and . _ ~ + / = - ; separate several keys with commas',
  });

/** The values of a setting that takes several, separated by commas. */
export function listOf(value: string): string[] {
  return value === '' ? [] : value.split(',').map((part) => part.trim());
}

/** Whether two settings of values separated by commas have a value in common. */
export function overlap(one = '', other = ''): boolean {
  const there = listOf(other);
  return listOf(one).some((each) => there.includes(each));
}

export function whole(from: number, to: number, fallback: number) {
  const range = `must be a whole number from ${from} to ${to}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, {
      error: ({ input }) =>
        `${range}${/^\d+\s*(?!e\d+$)[\p{L}%/]/iu.test(String(input)) ? ', without a unit' : ''}`,
    })
    .transform(Number)
    .refine((value) => value >= from && value <= to, range)
    .default(fallback);
}

/** A whole number for settings in which 0 means "not set"; 0 is read as `null`. */
export function wholeOrNull(from: number, to: number) {
  return whole(from, to, 0).transform((value) => (value === 0 ? null : value));
}

/** A path relative to the folder in which the process was started. */
export const OptionalFile = z
  .string()
  .transform((path) => resolve(path))
  .optional();

const HOST_NAME = /^(?!-)[A-Za-z0-9-]{1,63}(\.[A-Za-z0-9-]{1,63})*$/;

export function isHost(host: string): boolean {
  return isIP(host) !== 0 || HOST_NAME.test(host);
}

/** An address to listen on. By default only this machine can reach it. */
export const Host = z.string().refine(isHost, 'must be an IP address or a host name').default('127.0.0.1');

/** Whether an address is loopback: 127.0.0.0/8, ::1 (also as IPv4 in IPv6) and `localhost`. */
export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase().replace(/^::ffff:/, '');
  return plain === 'localhost' || plain === '::1' || (isIP(plain) === 4 && plain.startsWith('127.'));
}

/** The beginnings of the services' own paths. A base path with such a beginning could not be told from them. */
const OWN_PATHS =
  'actors api ask audit docs health live metrics openapi.json pages ready reindex v1 ws'.split(' ');

/** The path below which a proxy serves the pages: without a slash at its end, empty if there is none. */
export function basePath() {
  return z
    .string()
    .default('')
    .transform((path) => path.replace(/\/$/, ''))
    .refine((path) => /^(?:\/(?!\.\.?(?:\/|$))[A-Za-z0-9._~-]+)*$/.test(path), {
      message: 'must be a path like /beleg, of letters, digits and . _ ~ -',
    })
    .refine((path) => !OWN_PATHS.includes(path.split('/')[1] ?? ''), {
      message: `must not begin with a path of the services: ${OWN_PATHS.join(', ')}`,
    });
}

/** A decimal number, kept as the given text. A number that can be read in two ways is refused (see `unclearNumber`). */
export function decimal(what: string, { min, max }: { min: number; max: number }, fallback: string) {
  const message = `must be ${what}, ${min} to ${max}, with a point before decimals and no separators of thousands`;
  const isWithin = (value: number): boolean => value >= min && value <= max;
  return z
    .string()
    .superRefine((text, context) => {
      const isNumber = /^\d{1,15}(\.\d{1,8})?$/.test(text) && isWithin(Number(text));
      const unclear = unclearNumber(text);
      if (!isNumber) context.addIssue({ code: 'custom', message });
      else if (unclear !== null && isWithin(Number(text.replace('.', ''))))
        context.addIssue({ code: 'custom', message: unclear });
    })
    .default(fallback);
}
