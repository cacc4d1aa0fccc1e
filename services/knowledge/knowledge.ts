import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Fault } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { openKnowledge as openIndex, type OpenOptions } from '../../kb/open.ts';
import type { Settings } from '../config.ts';
import { makeDataDir } from '../data-dir.ts';

/** The knowledge base in service: one immutable index at a time. */
export interface Knowledge {
  readonly index: KnowledgeIndex;
  /** What the loader found odd but usable. */
  readonly warnings: readonly Fault[];
  /** Builds an index of the files as they are now, in a worker; the one in service stays. */
  build(): Promise<KnowledgeIndex>;
  /** Asks that begin from now on use this index; those that run keep theirs. */
  swap(index: KnowledgeIndex): void;
}

/**
 * Opens `PV_KB_PATH`, from its snapshot below `DATA_DIR/index` where that still matches the files. Each base has a
 * folder of its own there, so that trying another one does not cost the service its quick start.
 *
 * @throws {KnowledgeBaseInvalid} with every fault of the base
 * @throws {SettingsError} where `DATA_DIR` cannot be created
 */
export async function openKnowledge(
  settings: Settings,
  onProgress?: OpenOptions['onProgress'],
): Promise<Knowledge> {
  await makeDataDir(settings);
  const folder = settings.kbPath;
  const base = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const embedding =
    settings.embeddingModel === null
      ? null
      : { model: settings.embeddingModel, allowRemote: settings.allowRemoteModels };
  const options = { folder, snapshotDir: join(settings.dataDir, 'index', base), embedding };
  const opened = await openIndex({ ...options, ...(onProgress === undefined ? {} : { onProgress }) });
  let { index } = opened;
  return {
    get index() {
      return index;
    },
    warnings: opened.warnings,
    build: async () => (await openIndex(options)).index,
    swap: (next) => {
      index = next;
    },
  };
}
