import { z } from 'zod';

/** A visible character: any but spaces, control and format characters, and others that show nothing on the screen. */
const VISIBLE = /[^\p{White_Space}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** The message for a text that is too long. */
export const atMost = (max: number): string => `At most ${max.toLocaleString('en')} characters`;

/** A text by a person, with at least one visible character. An empty text gets one message and not two. */
export const visibleText = (max: number) =>
  z
    .string()
    .trim()
    .min(1, 'Must not be empty')
    .max(max, atMost(max))
    .refine((text) => text === '' || VISIBLE.test(text), 'Must not be empty');
