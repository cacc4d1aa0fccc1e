import { lookAt, type FolderLook } from '../../kb/base/look.ts';
import { snapshotIn } from '../../kb/snapshot/listed-files.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import {
  buildKnowledge,
  changeKnowledge,
  filesOf,
  hidesText,
  isDamaged,
  isWhole,
  openKnowledge as openIndex,
  type OpenOptions,
} from '../../kb/open.ts';
import { indexFolderOf } from './index-folder.ts';
import type { AnswerModelSettings, KnowledgeSettings } from './settings.ts';
import { compareFiles, compareSources, type Changes } from './source-changes.ts';
import { makeDataDir } from '../foundation/data-dir.ts';
import { changesBetween, NO_FILES, type FolderChanges } from '../../kb/base/folder-changes.ts';

/**
 * Opens `PV_KB_PATH` for service, one immutable index at a time, from its snapshot below `DATA_DIR/index` if that still
 * matches the files. Each base has a folder of its own there, so that another base does not replace the snapshot.
 *
 * @throws {KnowledgeBaseInvalid} with every fault of the base
 * @throws {SettingsError} where `DATA_DIR` cannot be created
 */
export async function openKnowledge(
  settings: KnowledgeSettings & AnswerModelSettings & { dataDir: string },
  indexing: Indexing = {},
) {
  await makeDataDir(settings);
  const folder = settings.kbPath;
  const embedding =
    settings.embeddingModel === null
      ? null
      : { model: settings.embeddingModel, allowRemote: settings.allowRemoteModels };
  const options = { folder, snapshotDir: indexFolderOf(settings), embedding };
  const opened = await openIndex({ ...options, ...indexing });
  /** The state of the files when an index was built; absent if the folder could not be read. */
  const looks = new WeakMap<KnowledgeIndex, () => Promise<FolderLook>>();
  looks.set(opened.index, opened.look);
  let { index } = opened;
  const { before } = opened;
  const changedAtStart: ChangedAtStart | null = before && {
    index: index.hash,
    files: compareFiles(before.files, await filesOf(index)),
    sources: compareSources(before.sources, index.sources),
  };
  /**
   * The times of the first and the last change that the snapshot of the index in service lacks. If text had left the
   * files before the start, it has waited long enough, so the times are infinitely early.
   */
  let firstChange = hidesText(index) ? -Infinity : performance.now();
  let lastChange = firstChange;
  /** The work that uses the index in service. */
  let running = new Set<Promise<unknown>>();
  let closing: Promise<unknown> = Promise.resolve();
  const closeInService = (): void => {
    const closed = closeAfter(running, index);
    // An index that could not be closed ends with the process.
    closing = Promise.allSettled([closing, closed]);
  };
  /** New work uses this index; running work keeps the previous one, which is closed afterwards. */
  const swap = (next: KnowledgeIndex): void => {
    if (next === index) return;
    closeInService();
    lastChange = performance.now();
    if (isWhole(index)) firstChange = lastChange;
    index = next;
    running = new Set();
  };
  const buildWhole = async (): Promise<KnowledgeIndex> => {
    const built = await buildKnowledge(options);
    built.load();
    return built.index;
  };
  return {
    get index() {
      return index;
    },

    /**
     * Reads, in the background, everything else of the opened index that searches need. To be called once nobody waits
     * for the start any more.
     */
    load: opened.load,

    /** The file for a quick start. */
    snapshotFile: snapshotIn(options.snapshotDir),

    /** The changes that the snapshot of the index in service lacks; `null` if it lacks none. */
    get unmerged(): Unmerged | null {
      if (isWhole(index)) return null;
      const now = performance.now();
      return { firstMs: now - firstChange, lastMs: now - lastChange, hidesText: hidesText(index) };
    },

    /** Whether something in the snapshot of the index in service could not be read: asks that need it fail until a merge. */
    get isDamaged(): boolean {
      return isDamaged(index);
    },

    /**
     * Lets a worker build the whole index of the present files and writes its snapshot to disk, so that text that has
     * left the files also leaves the snapshot and memory, and puts it in service.
     */
    async merge(): Promise<void> {
      await this.takeOver(await buildWhole());
    },

    /**
     * Puts an index that was built whole in service, with what has changed in the files since. This is done only if the
     * index in service is of the same files, and has changes beside its snapshot or a damaged snapshot. Otherwise the
     * new index is closed.
     */
    async takeOver(whole: KnowledgeIndex): Promise<void> {
      const later = whole.hash === index.hash ? null : await changeKnowledge(whole, options);
      const next = later?.index ?? whole;
      if ((isWhole(index) && !isDamaged(index)) || next.hash !== index.hash) return whole.close();
      const look = later === null ? looks.get(index) : async () => later.look;
      if (look !== undefined) looks.set(next, look);
      swap(next);
      firstChange = lastChange;
    },

    /** Warnings of the loader: unusual things in the base, which can be used all the same. */
    warnings: opened.warnings,

    changedAtStart,

    /** The index in service, which stays open until it is disposed of. */
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
     * Builds an index of the present files and leaves the one in service. The caller swaps it in or closes it. If few
     * files have changed it is the index in service with those changes, otherwise a worker builds it.
     *
     * @param how `lookAtAll`: also where the system has told of no change; `readAll`: whatever the files look like
     */
    async build({ lookAtAll = false, readAll = false }: BuildOptions = {}): Promise<KnowledgeIndex> {
      const changed = readAll ? null : await changeKnowledge(index, { ...options, all: lookAtAll });
      if (changed !== null) {
        looks.set(changed.index, async () => changed.look);
        return changed.index;
      }
      const look = await lookAt(folder).catch(() => null);
      const built = await buildWhole();
      if (look !== null) looks.set(built, async () => look);
      return built;
    },

    folder,

    /**
     * The changes in the folder since the index in service was built.
     *
     * @throws the file system's error where the folder cannot be looked at
     */
    async changes(): Promise<FolderChanges> {
      const before = await looks
        .get(index)?.()
        .catch(() => NO_FILES);
      return changesBetween(before ?? NO_FILES, await lookAt(folder));
    },

    swap,

    /** Closes when the current work is done. */
    async close(): Promise<void> {
      closeInService();
      await closing;
    },
  };
}

/**
 * How the files of the base differed from the snapshot at the start, if they did. Changes that an earlier process took
 * in shortly before it ended, and that are not in the snapshot, count again.
 */
export interface ChangedAtStart {
  /** The hash of the index that was built from the files at the start. */
  readonly index: string;
  readonly files: Changes;
  readonly sources: Changes;
}

/** Changes that a snapshot lacks. */
export interface Unmerged {
  /**
   * Milliseconds since the first and the last of these changes; infinite where text had left the files before the
   * start.
   */
  readonly firstMs: number;
  readonly lastMs: number;
  /** Whether the snapshot has text that the files do not have any more. */
  readonly hidesText: boolean;
}

interface BuildOptions {
  readonly lookAtAll?: boolean;
  readonly readAll?: boolean;
}

type Opened = Awaited<ReturnType<typeof openKnowledge>>;

/**
 * Options for opening a base: a listener for the progress of a build, which may take minutes, and a listing of the
 * folder that has begun already.
 */
export type Indexing = Pick<OpenOptions, 'onProgress' | 'listing'>;

/** The part of an opened base that answering questions needs. */
export type Knowledge = Omit<Opened, keyof SnapshotOwner | 'load'>;

/** The part of an opened base that keeping the snapshot needs. */
export type SnapshotOwner = Pick<Opened, 'snapshotFile' | 'unmerged' | 'isDamaged' | 'merge' | 'takeOver'>;

async function closeAfter(running: ReadonlySet<Promise<unknown>>, index: KnowledgeIndex): Promise<void> {
  await Promise.allSettled(running);
  await index.close();
}
