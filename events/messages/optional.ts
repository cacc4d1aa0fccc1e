import type { z } from 'zod';

/** An optional field of a request: many clients send `null` for what is not given. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((sent) => sent ?? undefined)
    .optional();
}

/** The same with a default. The document does not show it as `default`, which some clients would send. */
export function optionalOr<T extends z.ZodType>(schema: T, otherwise: NonNullable<z.output<T>>) {
  return schema.nullish().transform((sent) => sent ?? otherwise);
}
