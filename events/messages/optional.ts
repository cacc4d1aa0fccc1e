import type { z } from 'zod';

/** An optional field of a request. `null` counts as not given, because many clients send it. */
export function optional<T extends z.ZodType>(schema: T) {
  return schema
    .nullish()
    .transform((sent) => sent ?? undefined)
    .optional();
}

/**
 * An optional field with a default. The OpenAPI document does not show it as `default`, because some clients would then
 * send it.
 */
export function optionalOr<T extends z.ZodType>(schema: T, otherwise: NonNullable<z.output<T>>) {
  return schema.nullish().transform((sent) => sent ?? otherwise);
}
