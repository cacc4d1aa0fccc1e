import { z } from 'zod';

/** Space, control and format characters, and what else leaves nothing on the screen. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** What is said of a text that is too long. */
export const atMost = (max: number): string => `At most ${max.toLocaleString('en')} characters`;

/** A text that a person writes, of which something must be seen. An empty one is told once. */
export const visibleText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'Must not be empty')
    .max(max, atMost(max))
    .refine((text) => text === '' || VISIBLE.test(text), 'Must not be empty');
