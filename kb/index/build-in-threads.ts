import type { SynonymGroup } from '../base/synonyms.ts';
import type { Source } from '../source.ts';
import { buildIndex, countWords, type IndexData } from './build.ts';
import { GramsInThread } from './grams-in-thread.ts';
import { WordReader } from './word-reader.ts';

/**
 * The number of letters that take about a second to index. With fewer letters a second thread costs more than it saves.
 */
const WORTH_A_THREAD = 10_000_000;

export interface BuildOptions {
  readonly reader?: WordReader;
  /** Called with the number of sources read so far, and the number of all sources. */
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** Called when all words are read. Their memory is freed afterwards. */
  readonly onRead?: () => Promise<void>;
  readonly worthAThread?: number;
}

/** Reads sources and builds their index, as `buildIndex` does; in two threads where there is much to read. */
export async function buildInThreads(
  sources: readonly Source[],
  synonyms: readonly SynonymGroup[],
  { reader = new WordReader(), onProgress, onRead, worthAThread = WORTH_A_THREAD }: BuildOptions = {},
): Promise<IndexData> {
  if (sources.reduce((sum, source) => sum + lettersOf(source), 0) < worthAThread) {
    reader.read(sources, onProgress);
    await onRead?.();
    return buildIndex(sources, synonyms, reader);
  }
  await using grams = new GramsInThread(reader.table);
  reader.read(sources, onProgress, (words) => grams.add(words));
  const built = grams.build();
  // An error is reported by the `await` below.
  built.catch(() => undefined);
  await onRead?.();
  const words = countWords(sources, synonyms, reader);
  return { ...words, grams: await built };
}

function lettersOf({ text, asked = [], unanswered = [] }: Source): number {
  let letters = text.length;
  for (const line of asked) letters += line.length;
  for (const line of unanswered) letters += line.length;
  return letters;
}
