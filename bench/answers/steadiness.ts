import { existsSync } from 'node:fs';
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { openPipeline, type Response } from '../eval-pipeline.ts';
import { SHARED } from '../eval-sets.ts';
import type { Row } from './rows.ts';

/** Encyclopaedia articles in German and English: nothing to do with pay. */
const UNRELATED = ['xquad-de-kb', 'squad2-en-kb'].map((name) => join(SHARED, 'eval', name));
const PASSAGES = 1000;

/**
 * How many of the questions are answered otherwise (another status, other sources) when a thousand passages on other
 * subjects stand beside the starter base: they must not decide what is said about pay. `null` where those are not there.
 */
export async function flippedByUnrelated(
  rows: readonly Row[],
  before: ReadonlyMap<string, Response>,
  workFolder: string,
): Promise<number | null> {
  if (!UNRELATED.every((folder) => existsSync(folder))) return null;
  const folder = join(workFolder, 'unrelated-kb');
  await cp(STARTER_BASE, folder, { recursive: true });
  const files = await Promise.all(
    UNRELATED.map(async (from) => (await readdir(from)).toSorted().map((name) => join(from, name))),
  );
  for (const [i, file] of files.flat().slice(0, PASSAGES).entries())
    await cp(file, join(folder, 'unrelated', `${i}.md`));
  const pipeline = await openPipeline(folder, join(workFolder, 'unrelated-data'));
  try {
    let flipped = 0;
    for (const { id, question } of rows) {
      const { status, citations } = await pipeline.ask(id, question);
      const known = before.get(id)!;
      if (status !== known.status || citations.join(' ') !== known.citations.join(' ')) flipped += 1;
    }
    return flipped / rows.length;
  } finally {
    await pipeline.close();
  }
}
