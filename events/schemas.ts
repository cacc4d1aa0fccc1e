import { z } from 'zod';

/** A number of things, or a step of a progress. */
export const Count = z.int().nonnegative();

/** A SHA-256, hexadecimal. */
export const Hash = z.string().regex(/^[0-9a-f]{64}$/);
