import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lookAt, type FolderLook } from '../../kb/base/files.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { openKnowledge as openIndex } from '../../kb/open.ts';
import { SNAPSHOT_FILE, type PrepareOptions } from '../../kb/snapshot/prepare.ts';
import type { AnswerModelSettings, KnowledgeSettings } from './settings.ts';
import { makeDataDir } from '../foundation/data-dir.ts';
import { changesBetween, type FolderChanges } from '../../kb/base/folder-changes.ts';

/**
 * Opens `PV_KB_PATH` for service, one immutable index at a time: from its snapshot below `DATA_DIR/index` where that still matches the files. Each base has a
 * folder of its own there, so that trying another one does not cost the service its quick start.
 *
 * @throws {KnowledgeBaseInvalid} with every fault of the base
 * @throws {SettingsError} where `DATA_DIR` cannot be created
 */
export async function openKnowledge(
  settings: KnowledgeSettings & AnswerModelSettings & { dataDir: string },
  onProgress?: PrepareOptions['onProgress'],
) {
  await makeDataDir(settings);
  const folder = settings.kbPath;
  const base = createHash('sha256').update(folder).digest('hex').slice(0, 16);
  const embedding =
    settings.embeddingModel === null
      ? null
      : { model: settings.embeddingModel, allowRemote: settings.allowRemoteModels };
  const options = { folder, snapshotDir: join(settings.dataDir, 'index', base), embedding };
  // Before the files are read: what changes meanwhile is seen as a change.
  const atStart = await lookAt(folder).catch(() => null);
  const opened = await openIndex({ ...options, onProgress });
  /** How the files were that an index was built from; absent where the folder could not be looked at. */
  const looks = new WeakMap<KnowledgeIndex, FolderLook>();
  if (atStart !== null) looks.set(opened.index, atStart);
  let { index } = opened;
  /** What runs on the index in service. */
  let running = new Set<Promise<unknown>>();
  let closing: Promise<unknown> = Promise.resolve();
  const closeInService = (): void => {
    const closed = closeAfter(running, index);
    // An index that could not be closed ends with the process.
    closing = Promise.allSettled([closing, closed]);
  };
  return {
    get index() {
      return index;
    },

    /** What a quick start is made from. */
    snapshotFile: join(options.snapshotDir, SNAPSHOT_FILE),

    /** What the loader found odd but usable. */
    warnings: opened.warnings,

    /** The index in service, which stays open until it is let go. */
    hold(): Disposable & { readonly index: KnowledgeIndex } {
      const among = running;
      const { promise, resolve } = Promise.withResolvers<void>();
      among.add(promise);
      const letGo = (): void => {
        among.delete(promise);
        resolve();
      };
      return { index, [Symbol.dispose]: letGo };
    },

    /** Builds an index of the files as they are now, in a worker; the one in service stays. Who does not swap it in closes it. */
    async build(): Promise<KnowledgeIndex> {
      const look = await lookAt(folder).catch(() => null);
      const built = (await openIndex(options)).index;
      if (look !== null) looks.set(built, look);
      return built;
    },

    folder,

    /**
     * What lies in the folder otherwise than when the index in service was built.
     *
     * @throws the file system's error where the folder cannot be looked at
     */
    async changes(): Promise<FolderChanges> {
      return changesBetween(looks.get(index) ?? new Map(), await lookAt(folder));
    },

    /** Work that begins from now on uses this index; what runs keeps the one before, which closes after it. */
    swap(next: KnowledgeIndex): void {
      closeInService();
      index = next;
      running = new Set();
    },

    /** Closes once the current work is done. */
    async close(): Promise<void> {
      closeInService();
      await closing;
    },
  };
}

type Opened = Awaited<ReturnType<typeof openKnowledge>>;

/** What of it who answers needs. */
export type Knowledge = Omit<Opened, 'snapshotFile'>;

async function closeAfter(running: ReadonlySet<Promise<unknown>>, index: KnowledgeIndex): Promise<void> {
  await Promise.allSettled(running);
  await index.close();
}
