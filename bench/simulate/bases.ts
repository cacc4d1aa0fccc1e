import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Coverage, KnowledgeIndex } from '../../kb/knowledge.ts';
import { openKnowledge } from '../../kb/open.ts';
import { STARTER_BASE } from '../../services/config.ts';
import { withoutToken } from './clients.ts';

/** Of the starter base: what the questions ask for. The second base lacks the last one. */
const SOURCES = ['urlaub/URL-DAUER.md', 'entgeltfortzahlung/EFZ-DAUER.md', 'arbeitszeit/AZ-HOECHST.md'];

/** Two small knowledge bases, so that a reindex changes something. */
export async function openBases(folder: string): Promise<readonly KnowledgeIndex[]> {
  const opening = [SOURCES, SOURCES.slice(0, 2)].map(async (sources, n) => {
    const base = join(folder, `base${n}`);
    mkdirSync(base);
    for (const name of sources) cpSync(join(STARTER_BASE, name), join(base, basename(name)));
    return remembering((await openKnowledge({ folder: base, snapshotDir: null })).index);
  });
  return Promise.all(opening);
}

/** What was searched for before is found at once: the same for the same question, in every story. */
function remembering(index: KnowledgeIndex): KnowledgeIndex {
  const found = new Map<string, ReturnType<KnowledgeIndex['search']>>();
  const covered = new Map<string, Coverage>();
  return {
    ...index,
    search: (query, options) => {
      const asked = withoutToken(query);
      return getOr(found, JSON.stringify([asked, options]), () => index.search(asked, options));
    },
    coverage: (query, hits) => {
      const asked = withoutToken(query);
      const key = JSON.stringify([asked, hits.map(({ source, score }) => [source.id, score])]);
      return getOr(covered, key, () => index.coverage(asked, hits));
    },
  };
}

function getOr<T>(map: Map<string, T>, key: string, make: () => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}
