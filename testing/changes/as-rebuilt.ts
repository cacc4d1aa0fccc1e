import { isDeepStrictEqual } from 'node:util';

import { openKnowledge } from '../../kb/open.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';

/** What tells an index from one that is built of the files alone; empty where nothing does. */
export async function differencesToRebuild(
  index: KnowledgeIndex,
  folder: string,
  questions: readonly string[],
): Promise<string[]> {
  const rebuilt = (await openKnowledge({ folder, snapshotDir: null })).index;
  const parts = ['hash', 'passageCount', 'languages', 'about', 'files', 'sources'] as const;
  const faults: string[] = parts.filter((part) => !isDeepStrictEqual(index[part], rebuilt[part]));
  for (const question of questions) {
    const [found, expected] = await Promise.all(
      [index, rebuilt].map((each) => each.search(question, { topK: 10 })),
    );
    if (!isDeepStrictEqual(found, expected)) faults.push(`the hits of "${question}"`);
  }
  await rebuilt.close();
  return faults;
}
