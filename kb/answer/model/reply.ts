import { z } from 'zod';
import { jsonInText } from './json-in-text.ts';

const MAX_CLAIMS = 24;

/** The schema of a model's reply. */
export const ModelReply = z.object({
  /** Whether the sources answer the question. */
  sufficient: z.boolean(),
  claims: z
    .array(
      z.object({
        /** The sentence. */
        text: z.string().max(2_000),
        /** The literal words of the source on which the sentence rests. */
        quote: z.string().max(2_000),
        /** The alias of that source. */
        source: z.string().max(64),
        /**
         * The number of the part of the question that the sentence answers, from 1; `null` if the question has no
         * parts.
         */
        part: z.int().nullable().default(null),
      }),
    )
    .max(MAX_CLAIMS),
  question_back: z.string().max(500).nullable(),
});
export type ModelReply = z.output<typeof ModelReply>;

/** The schema for servers that make a model follow one. Limits of lengths are only checked here. */
export const MODEL_REPLY_SCHEMA = {
  type: 'object',
  additionalProperties: false,
  required: ['sufficient', 'claims', 'question_back'],
  properties: {
    sufficient: { type: 'boolean' },
    claims: {
      type: 'array',
      items: {
        type: 'object',
        additionalProperties: false,
        required: ['text', 'quote', 'source', 'part'],
        properties: {
          text: { type: 'string' },
          quote: { type: 'string' },
          source: { type: 'string' },
          part: { type: ['integer', 'null'] },
        },
      },
    },
    question_back: { type: ['string', 'null'] },
  },
} as const;

/** Models that do not follow a schema leave out empty values. */
const Loose = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return { claims: [], question_back: null, ...value };
}, ModelReply);

/** The thoughts that reasoning models write first, if their server leaves them in the text. */
const THOUGHTS = /^\s*<think>.*?(?:<\/think>|$)/su;

/** Reads a model's text; `null` if it contains no object of this form. */
export function readReply(text: string): ModelReply | null {
  return Loose.safeParse(jsonInText(text.replace(THOUGHTS, ''))).data ?? null;
}
