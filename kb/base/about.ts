import { isMap, LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import type { Language } from '../knowledge.ts';

/** What a base says of itself. */
export interface AboutBase {
  readonly title: string;
  readonly language: Language;
  /** Month as of which its law stands, `YYYY-MM`; `null` for a base that does not say. */
  readonly asOf: string | null;
  readonly topics: readonly string[];
  /** Questions to begin with. */
  readonly questions: readonly string[];
}

/** The year of a base's law; `null` where it does not say. */
export const lawYearOf = (about: AboutBase | null): number | null =>
  about === null || about.asOf === null ? null : Number(about.asOf.slice(0, 4));

const Text = z.string().trim().min(1).max(200);
const File = z.strictObject({
  title: Text,
  language: z.enum(['de', 'en']).default('de'),
  as_of: z
    .string()
    .regex(/^\d{4}-(?:0[1-9]|1[0-2])$/u, 'must be a year and month, YYYY-MM')
    .nullable()
    .default(null),
  topics: z.array(Text).max(100).default([]),
  questions: z.array(Text).max(20).default([]),
});

/** Reads `base.yaml`; `undefined`, and every fault told by line, where it cannot be read. */
export function parseAbout(
  text: string,
  fault: (line: number, message: string) => void,
): AboutBase | undefined {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, schema: 'failsafe' });
  for (const { pos, message } of document.errors) {
    fault(lines.linePos(pos[0]).line, (message.split('\n')[0] ?? '').replace(/ at line \d+.*$/u, ''));
  }
  if (document.errors.length > 0) return undefined;
  const read = File.safeParse(document.toJS());
  if (read.success) {
    const { as_of: asOf, ...rest } = read.data;
    return { ...rest, asOf };
  }
  for (const { path, message } of read.error.issues) {
    const [field] = path;
    const pair = isMap(document.contents)
      ? document.contents.items.find(({ key }) => String(key) === String(field))
      : undefined;
    const range = (pair?.key as { range?: [number, number, number] } | undefined)?.range;
    fault(
      range === undefined ? 1 : lines.linePos(range[0]).line,
      `${field === undefined ? '' : `${String(field)}: `}${message}`,
    );
  }
  return undefined;
}
