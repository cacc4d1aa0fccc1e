import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { lookAt, type FolderLook } from '../../kb/base/look.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import { buildKnowledge, changeKnowledge, isWhole, openKnowledge as openIndex } from '../../kb/open.ts';
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
  let swappedAt = performance.now();
  /** What runs on the index in service. */
  let running = new Set<Promise<unknown>>();
  let closing: Promise<unknown> = Promise.resolve();
  const closeInService = (): void => {
    const closed = closeAfter(running, index);
    // An index that could not be closed ends with the process.
    closing = Promise.allSettled([closing, closed]);
  };
  /** Work that begins from now on uses this index; what runs keeps the one before, which closes after it. */
  const swap = (next: KnowledgeIndex): void => {
    closeInService();
    index = next;
    running = new Set();
    swappedAt = performance.now();
  };
  return {
    get index() {
      return index;
    },

    /** What a quick start is made from. */
    snapshotFile: join(options.snapshotDir, SNAPSHOT_FILE),

    /** Milliseconds since when the index in service is not as its snapshot is, and has not changed again; 0 where it is. */
    get unmergedMs(): number {
      return isWhole(index) ? 0 : performance.now() - swappedAt;
    },

    /**
     * Has a worker build the index of the files as they are now whole, and put its snapshot on the disk: what has left the files
     * leaves it too, and memory. It takes the place of the one in service where that is of the same files and is not whole.
     */
    async merge(): Promise<void> {
      const before = index;
      const whole = (await buildKnowledge(options)).index;
      if (index !== before || isWhole(before) || whole.hash !== before.hash) return whole.close();
      const look = looks.get(before);
      if (look !== undefined) looks.set(whole, look);
      swap(whole);
    },

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

    /**
     * Builds an index of the files as they are now; the one in service stays. Who does not swap it in closes it. Where few files
     * have changed, it is the one in service with those changes, and else one that a worker builds.
     *
     * @param how `readAll`: whatever the files look like
     */
    async build({ readAll = false }: { readonly readAll?: boolean } = {}): Promise<KnowledgeIndex> {
      const changed = readAll ? null : await changeKnowledge(index, options);
      if (changed !== null) {
        looks.set(changed.index, changed.look);
        return changed.index;
      }
      const look = await lookAt(folder).catch(() => null);
      const built = (await buildKnowledge(options)).index;
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

    swap,

    /** Closes once the current work is done. */
    async close(): Promise<void> {
      closeInService();
      await closing;
    },
  };
}

type Opened = Awaited<ReturnType<typeof openKnowledge>>;

/** What of it who answers needs. */
export type Knowledge = Omit<Opened, keyof SnapshotOwner>;

/** What keeps the snapshot needs. */
export type SnapshotOwner = Pick<Opened, 'snapshotFile' | 'unmergedMs' | 'merge'>;

async function closeAfter(running: ReadonlySet<Promise<unknown>>, index: KnowledgeIndex): Promise<void> {
  await Promise.allSettled(running);
  await index.close();
}
