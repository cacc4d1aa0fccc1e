import { z } from 'zod';
import type { Language } from '../knowledge.ts';
import { readYaml } from './yaml.ts';

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
  const read = readYaml(text, File, fault);
  if (read === undefined) return undefined;
  const { as_of: asOf, ...rest } = read.data;
  return { ...rest, asOf };
}
