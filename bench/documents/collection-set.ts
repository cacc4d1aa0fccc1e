import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parse } from 'csv-parse/sync';
import { z } from 'zod';
import type { Source } from '../../kb/source.ts';

/** A line of `questions.csv` beside the folder `docs` of a collection. */
const CollectionQuestion = z.object({
  id: z.string(),
  question: z.string(),
  kind: z.enum(['covered', 'uncovered']),
  /** Paths below `docs` of which one has the answer, `|` between them. */
  file: z.string().transform((files) => files.split('|').filter((file) => file !== '')),
  /** What an answer must hold to be right and complete: regular expressions, ` && ` between them. */
  key: z.string().transform((keys) =>
    keys
      .split(' && ')
      .filter((key) => key !== '')
      .map((key) => new RegExp(key, 'iu')),
  ),
});
export type CollectionQuestion = z.output<typeof CollectionQuestion>;

/** Documents that others wrote, and what people ask of them. */
export interface Collection {
  readonly name: string;
  readonly docs: string;
  readonly questions: readonly CollectionQuestion[];
}

/** The collections of these folders: each is one itself, or has one in each of its folders. */
export async function readCollections(folders: readonly string[]): Promise<Collection[]> {
  const found: Collection[] = [];
  for (const folder of folders) {
    const entries = await readdir(folder, { withFileTypes: true });
    if (!entries.some(({ name }) => name === 'questions.csv')) {
      const below = entries.filter((entry) => entry.isDirectory()).map(({ name }) => join(folder, name));
      found.push(...(await readCollections(below.toSorted())));
      continue;
    }
    const text = await readFile(join(folder, 'questions.csv'), 'utf8');
    const rows: unknown = parse(text, { columns: true, bom: true });
    found.push({
      name: basename(resolve(folder)),
      docs: join(resolve(folder), 'docs'),
      questions: z.array(CollectionQuestion).parse(rows),
    });
  }
  return found;
}

/** Whether a text says all that an answer to the question must say. */
export const holdsKey = ({ key }: CollectionQuestion, text: string): boolean => {
  const plain = text.replaceAll(/\s+/gu, ' ');
  return key.length > 0 && key.every((each) => each.test(plain));
};

export const isOfFile = ({ file }: CollectionQuestion, source: Source | undefined): boolean =>
  source?.path !== undefined && file.includes(source.path);

/** Whether the passage, read out whole, answers. */
export const answersWhole = (question: CollectionQuestion, source: Source): boolean =>
  answersTogether(question, [source]);

/** Whether the passages, read out whole, answer together, and one of them is where the answer was written down. */
export const answersTogether = (question: CollectionQuestion, sources: readonly Source[]): boolean =>
  sources.some((source) => isOfFile(question, source)) &&
  holdsKey(question, sources.map(({ section, title, text }) => `${section} › ${title}. ${text}`).join(' '));
