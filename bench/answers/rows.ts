import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { z } from 'zod';

const FOLDER = resolve(import.meta.dirname, '../questions/dev');

/** Sets of development questions: `tuning` may be read and fitted on, of `untouched` only figures are seen. */
export const HALVES = ['tuning', 'untouched'] as const;
export type Half = (typeof HALVES)[number];

const Pattern = z.string().transform((text, context) => {
  try {
    return new RegExp(text, 'iu');
  } catch (error) {
    context.addIssue(`is no regular expression: ${String(error)}`);
    return z.NEVER;
  }
});

/** A question with its key; each field is described in `bench/questions/dev/README.md`. */
export const Row = z
  .strictObject({
    id: z.string().min(1),
    question: z.string().min(1),
    style: z.string().min(1),
    topic: z.string().min(1),
    expect: z.enum(['answered', 'refused']),
    kind: z.enum(['near', 'far', 'year', 'country', 'own-facts']).optional(),
    facts: z.array(z.array(Pattern).min(1)).max(3),
    may_cite: z.array(z.string()),
    misleading: z.array(Pattern),
    parts: z.int().min(1),
  })
  .refine(
    ({ expect, facts, may_cite }) => expect === 'refused' || (facts.length > 0 && may_cite.length > 0),
    {
      message: 'a question to be answered needs facts and sources that may be cited',
    },
  )
  .refine(({ expect, facts }) => expect === 'answered' || facts.length === 0, {
    message: 'a question to be refused has no facts',
  })
  .refine(({ expect, kind }) => (expect === 'refused') === (kind !== undefined), {
    message: 'a question to be refused has a kind, and no other has one',
  });
export type Row = z.output<typeof Row>;

/**
 * The rows of one half, or `null` where its file is not there.
 *
 * @throws with every faulty line, without its text
 */
export async function readRows(half: Half): Promise<Row[] | null> {
  const file = join(FOLDER, `${half}.jsonl`);
  return existsSync(file) ? parseRows(await readFile(file, 'utf8')) : null;
}

/** @throws with every faulty line, without its text */
export function parseRows(text: string): Row[] {
  const faults: string[] = [];
  const rows = text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return [];
    try {
      return [Row.parse(JSON.parse(line))];
    } catch (error) {
      const why =
        error instanceof z.ZodError
          ? error.issues.map(({ path, message }) => `${path.join('.')} ${message}`).join('; ')
          : 'is no JSON';
      faults.push(`line ${i + 1}: ${why}`);
      return [];
    }
  });
  const seen = new Set<string>();
  for (const { id } of rows) {
    if (seen.has(id)) faults.push(`id ${id} stands twice`);
    seen.add(id);
  }
  if (faults.length > 0) throw new Error(`faulty questions\n${faults.join('\n')}`);
  return rows;
}
