import { cpSync, mkdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LexicalIndex } from '../../kb/index/lexical-index.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { openKnowledge } from '../../kb/open.ts';
import { prepareSnapshot, snapshotOf } from '../../kb/snapshot/prepare.ts';
import type { Snapshot } from '../../kb/snapshot/snapshot.ts';
import { STARTER_BASE } from '../../services/knowledge/settings.ts';
import { wholeSnapshot } from '../whole-snapshot.ts';
import { withoutToken } from './clients.ts';
import { foundBy } from './kept-index.ts';

/** The sources of the starter base that the questions ask about. The second base lacks the last one. */
const SOURCES = ['urlaub/URL-DAUER.md', 'entgeltfortzahlung/EFZ-DAUER.md', 'arbeitszeit/AZ-HOECHST.md'];

/** A base: its index, what a snapshot has of it, and what it finds. */
export interface SmallBase {
  readonly index: KnowledgeIndex;
  readonly snapshot: Snapshot;
  readonly found: string;
}

/** Two small knowledge bases, so that a reindex changes something. */
export async function openBases(folder: string): Promise<readonly SmallBase[]> {
  const opening = [SOURCES, SOURCES.slice(0, 2)].map(async (sources, n) => {
    const base = join(folder, `base${n}`);
    mkdirSync(base);
    for (const name of sources) cpSync(join(STARTER_BASE, name), join(base, basename(name)));
    const options = { folder: base, snapshotDir: null };
    const snapshot = await wholeSnapshot(await snapshotOf(await prepareSnapshot(options)));
    const { index } = await openKnowledge(options);
    // A source takes turns of the event loop when a question finds it first, which only the first story would see.
    await index.search(index.sources.map(({ title }) => title).join(' '), { topK: sources.length });
    return {
      index: withoutTokens(index),
      snapshot,
      found: foundBy(new LexicalIndex(snapshot.data, snapshot.about)),
    };
  });
  return Promise.all(opening);
}

/** Gives the same for all questions that differ only in their token. */
const withoutTokens = (index: KnowledgeIndex): KnowledgeIndex => ({
  ...index,
  search: (query, options) => index.search(withoutToken(query), options),
  coverage: (query, hits) => index.coverage(withoutToken(query), hits),
});
