import { z } from 'zod';

/** Exact numbers as the text of their integers. */
export const Int = z.codec(z.string().regex(/^-?\d+$/), z.bigint(), { decode: BigInt, encode: String });

/** A map as an object. */
export const mapOf = <Value extends z.ZodType>(value: Value) =>
  z.codec(z.record(z.string(), value), z.custom<Map<string, z.output<Value>>>(), {
    decode: (values) => new Map(Object.entries(values)),
    encode: (map) => Object.fromEntries(map),
  });

/** A set of names as a list. */
export const Names = z.codec(z.array(z.string()), z.custom<Set<string>>(), {
  decode: (names) => new Set(names),
  encode: (set) => [...set],
});
