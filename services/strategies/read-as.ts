import type { z } from 'zod';
import { StrategyFault } from './fault.ts';
import type { Place } from './hosted.ts';

/**
 * Reads an answer by its schema.
 *
 * @throws {StrategyFault} for an answer that does not fit, with the first three reasons.
 */
export function readAs<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  at: Place,
): z.output<Schema> {
  const read = schema.safeParse(value, {
    error: ({ code, input }) =>
      code === 'invalid_type' && input === undefined ? 'it is missing' : undefined,
  });
  if (read.success) return read.data;
  const faults = read.error.issues
    .slice(0, 3)
    .map(({ path, message }) => `${path.join('.') || 'the answer'}: ${message}`);
  throw new StrategyFault(`its answer cannot be read: ${faults.join('; ')}`, at);
}
