import { deserialize, serialize } from 'node:v8';

import { WordReader, type KeptWords, type WordsToKeep } from '../index/word-reader.ts';
import type { SourceWords } from '../index/source-words.ts';
import { inShortTurns, type AsyncSteps } from '../steps.ts';
import { writeDurably } from './durable-file.ts';
import { Damaged, Sealed, sealing } from './sealed.ts';
import { BytesOfFile } from './stored-bytes.ts';

/** The number of sources whose words are one part of the file. */
const GROUP = 200;

/**
 * A reader that reuses the words of the previous build. Without a valid file of this version of the code, all sources
 * are read.
 */
export async function openWordReader(path: string | null, codeHash: string): Promise<WordReader> {
  await using bytes = path === null ? undefined : await BytesOfFile.open(path);
  if (bytes === undefined) return new WordReader();
  try {
    const sealed = await Sealed.open(bytes);
    return new WordReader(sealed.hash === codeHash ? await inShortTurns(reading(sealed)) : undefined);
  } catch (error) {
    if (!(error instanceof Damaged)) throw error;
    return new WordReader();
  }
}

async function* reading(sealed: Sealed): AsyncSteps<KeptWords> {
  const words = deserialize(yield* sealed.part(0)) as Omit<KeptWords, 'sources'>;
  const sources = new Map<string, SourceWords>();
  for (let part = 1; part < sealed.count; part++)
    for (const [key, known] of deserialize(yield* sealed.part(part)) as [string, SourceWords][])
      sources.set(key, known);
  return { ...words, sources };
}

export const keepWords = (path: string, codeHash: string, words: WordsToKeep): Promise<void> =>
  writeDurably(path, sealing(codeHash, partsOf(words)));

function* partsOf({ sources, ...words }: WordsToKeep): Generator<Uint8Array> {
  yield serialize(words);
  let group: (readonly [string, SourceWords])[] = [];
  for (const source of sources) {
    group.push(source);
    if (group.length < GROUP) continue;
    yield serialize(group);
    group = [];
  }
  yield serialize(group);
}
