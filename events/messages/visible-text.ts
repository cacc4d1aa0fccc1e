import { z } from 'zod';

/** Space, control and format characters, and what else leaves nothing on the screen. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** A text that a person writes, of which something must be seen. An empty one is told once. */
export const visibleText = (max: number, message: string) =>
  z
    .string()
    .trim()
    .min(1, 'Must not be empty')
    .max(max, message)
    .refine((text) => text === '' || VISIBLE.test(text), 'Must not be empty');
