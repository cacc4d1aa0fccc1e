import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { Source } from '../source.ts';
import { WordReader, type KeptWords } from './word-reader.ts';

/** Characters of texts that take about a second to read; with less of them a second thread does not pay for its start. */
const WORTH_A_THREAD = 10_000_000;

/**
 * Has the reader know the words of sources, where there is much to read: half of them are read in a thread of its own, so that
 * two cores are at work. What is built with the reader is the same without it.
 */
export async function readAhead(
  sources: readonly Source[],
  reader: WordReader,
  worthAThread = WORTH_A_THREAD,
): Promise<void> {
  const unread = sources.filter((source) => !reader.knows(source));
  const letters = unread.reduce((sum, source) => sum + lettersOf(source), 0);
  if (letters < worthAThread) return;
  const middle = middleOf(unread, letters);
  const others = readInThread(unread.slice(middle));
  // Where the thread dies, the `await` below says so; this one is busy until then.
  others.catch(() => undefined);
  const own = new WordReader();
  for (const source of unread.slice(0, middle)) own.read(source);
  reader.takeOver(own.kept());
  reader.takeOver(await others);
}

async function readInThread(sources: readonly Source[]): Promise<KeptWords> {
  const worker = new Worker(new URL('reading-worker.ts', import.meta.url), { workerData: sources });
  const [words] = (await once(worker, 'message')) as [KeptWords];
  return words;
}

/** The first source of the second half, by their letters. */
function middleOf(sources: readonly Source[], letters: number): number {
  let before = 0;
  return sources.findIndex((source) => (before += lettersOf(source)) > letters / 2);
}

const lettersOf = ({ text, asked = [] }: Source): number =>
  asked.reduce((sum, line) => sum + line.length, text.length);
