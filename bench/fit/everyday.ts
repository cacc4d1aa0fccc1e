import { writeFile } from 'node:fs/promises';
import { plainAnalysis } from '../../kb/analysis/analysis.ts';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { NARROW } from '../../kb/ranking/everyday.ts';
import { STARTER_BASE } from '../../services/config.ts';

const FILE = new URL('../../kb/ranking/everyday.txt', import.meta.url);

/** Counts on how many topics of the starter base people ask with a word; ids of one topic begin alike. */
export async function fitEveryday(): Promise<void> {
  const { sources } = await loadKnowledgeBase(STARTER_BASE);
  const topicsOf = new Map<string, Set<string>>();
  const all = new Set<string>();
  for (const { id, asked = [], lang } of sources) {
    const topic = id.split('-')[0]!;
    all.add(topic);
    for (const { term } of asked.flatMap((line) => plainAnalysis.wordsOfLine(line, lang))) {
      if (/\p{N}/u.test(term)) continue;
      const topics = topicsOf.get(term) ?? new Set();
      topicsOf.set(term, topics.add(topic));
    }
  }
  const lines = [...topicsOf]
    .filter(([, topics]) => topics.size > NARROW)
    .toSorted(([a, x], [b, y]) => y.size - x.size || (a < b ? -1 : 1))
    .map(([stem, topics]) => `${stem} ${topics.size}\n`);
  await writeFile(
    FILE,
    `# ${all.size} topics in all; each stem with the topics that people ask on with it\n${lines.join('')}`,
  );
  console.log(`${lines.length} stems`);
}
