import { readFile } from 'node:fs/promises';
import { z } from 'zod';

const FOLDER = new URL('../questions/', import.meta.url);

/** Fields that are told in `bench/questions/README.md`. */
const Training = z.object({
  id: z.string(),
  question: z.string(),
  topic: z.string(),
  expect: z.enum(['answered', 'refused']),
  best: z.array(z.string()),
  also: z.array(z.string()),
  parts: z.int(),
});
export type Training = z.output<typeof Training>;

/** A question on a topic of the base that none of its passages answers. */
const NearMiss = z.strictObject({ question: z.string(), topic: z.string() });

export const readTraining = (): Promise<Training[]> => read('training.jsonl', Training);
export const readNearMisses = (): Promise<z.output<typeof NearMiss>[]> => read('near-misses.jsonl', NearMiss);

async function read<T>(name: string, row: z.ZodType<T>): Promise<T[]> {
  const text = await readFile(new URL(name, FOLDER), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => row.parse(JSON.parse(line)));
}
