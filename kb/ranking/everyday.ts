import { readFileSync } from 'node:fs';

/** What a word still counts for that is asked about everything. */
const LEAST = 0.05;

/**
 * Stems that questions on every topic use, and on how many of the topics: written by `npm run fit -- everyday` from how people
 * ask for the passages of the starter base, and the same for every base. Other stems are asked on `NARROW` topics at most.
 */
const FILE = new URL('everyday.txt', import.meta.url);
export const NARROW = 4;

const [header = '', ...lines] = readFileSync(FILE, 'utf8').trim().split('\n');
const TOPICS = Number(/\d+/u.exec(header)?.[0]);
const SPREAD: ReadonlyMap<string, number> = new Map(
  lines.map((line) => {
    const [stem = '', topics] = line.split(' ');
    return [stem, Number(topics)];
  }),
);

/** How telling a stem is whatever the base: 1 for what few topics are asked with, near 0 for what all are. */
export function tellingOf(stem: string): number {
  const topics = Math.max(NARROW, SPREAD.get(stem) ?? 0);
  return Math.max(LEAST, Math.log(TOPICS / topics) / Math.log(TOPICS / NARROW));
}

/** Whether people ask about everything with it: no slip of another word, then. */
export const isEveryday = (stem: string): boolean => SPREAD.has(stem);
