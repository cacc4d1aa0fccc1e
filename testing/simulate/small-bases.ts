import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { openKnowledge } from '../../kb/open.ts';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { withoutToken } from './clients.ts';

/** The sources of the starter base that the questions ask about. The second base lacks the last one. */
const SOURCES = ['urlaub/URL-DAUER.md', 'entgeltfortzahlung/EFZ-DAUER.md', 'arbeitszeit/AZ-HOECHST.md'];

/** Two small knowledge bases, so that a reindex changes something. */
export async function openBases(folder: string): Promise<readonly KnowledgeIndex[]> {
  const opening = [SOURCES, SOURCES.slice(0, 2)].map(async (sources, n) => {
    const base = join(folder, `base${n}`);
    mkdirSync(base);
    for (const name of sources) cpSync(join(STARTER_BASE, name), join(base, basename(name)));
    return withoutTokens((await openKnowledge({ folder: base, snapshotDir: null })).index);
  });
  return Promise.all(opening);
}

/** Gives the same for all questions that differ only in their token. */
const withoutTokens = (index: KnowledgeIndex): KnowledgeIndex => ({
  ...index,
  search: (query, options) => index.search(withoutToken(query), options),
  coverage: (query, hits) => index.coverage(withoutToken(query), hits),
});
