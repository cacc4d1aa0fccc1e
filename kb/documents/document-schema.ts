import { z } from 'zod';

import { MAX_DEPTH } from './document-limits.ts';
import type { Document } from './unit.ts';

const place = { page: z.int().min(1).exactOptional(), ocr: z.literal(true).exactOptional() };
const text = z.string().min(1);

const unit = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('heading'),
    level: z.int().min(1).max(6),
    text,
    anchor: z.string().exactOptional(),
    ...place,
  }),
  z.strictObject({ kind: z.literal('paragraph'), text, ...place }),
  z.strictObject({
    kind: z.literal('item'),
    depth: z.int().min(0).max(MAX_DEPTH),
    marker: text.exactOptional(),
    text,
    points: z.literal(true).exactOptional(),
    ...place,
  }),
  z.strictObject({
    kind: z.literal('row'),
    caption: text.exactOptional(),
    begins: z.literal(true).exactOptional(),
    cells: z.array(z.strictObject({ head: z.string(), text })).min(1),
    ...place,
  }),
  z.strictObject({ kind: z.literal('code'), language: z.string().exactOptional(), text, ...place }),
  z.strictObject({ kind: z.literal('definition'), term: text, text, ...place }),
  z.strictObject({ kind: z.literal('note'), label: z.string(), text, ...place }),
]);

/** A document from a process that has read an untrusted file, or from the cache. */
export const documentSchema = z.strictObject({
  units: z.array(unit),
  title: text.exactOptional(),
  stand: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/u)
    .exactOptional(),
  lang: z.enum(['de', 'en']).exactOptional(),
  url: z.url().exactOptional(),
  tags: z.array(text).exactOptional(),
  slides: z.literal(true).exactOptional(),
  leftOut: z.record(z.string(), z.int().min(1)).exactOptional(),
}) satisfies z.ZodType<Document>;
