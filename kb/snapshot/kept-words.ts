import { deserialize, serialize } from 'node:v8';

import { WordReader, type KeptWords } from '../index/word-reader.ts';
import { readWhole, writeDurably } from './durable-file.ts';
import { seal, unseal } from './sealed.ts';

/**
 * A reader that reuses the words of the previous build. Without a valid file of this version of the code everything is
 * read.
 */
export async function openWordReader(path: string | null, codeHash: string): Promise<WordReader> {
  const bytes = path === null ? undefined : await readWhole(path);
  const kept = bytes === undefined ? undefined : unseal(bytes);
  return new WordReader(kept?.hash === codeHash ? (deserialize(kept.body) as KeptWords) : null);
}

export const keepWords = (path: string, codeHash: string, reader: WordReader): Promise<void> =>
  writeDurably(path, seal(codeHash, serialize(reader.kept())));
