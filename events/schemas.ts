import { z } from 'zod';

/** How many of something there are, or how far something is. */
export const Count = z.int().nonnegative();

/** A SHA-256, hexadecimal. */
export const Hash = z.string().regex(/^[0-9a-f]{64}$/);
