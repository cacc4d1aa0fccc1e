import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

import { readFolder, walk, type ReadFolder, type Walk } from './walk.ts';

/** What a system does not tell of, such as changes by others on a network drive, is seen after this time at the latest. */
const READ_ALL_MS = 50_000;

interface WatchedFolderOptions {
  /** The folder of a base. */
  readonly folder: string;
  readonly onChange: () => void;
  /** Called once where the system cannot watch, or not that many folders. */
  readonly onFault: (error: unknown) => void;
}

/**
 * The folder of a base, each folder of which is watched: of a large base only those are read again of which the system has told.
 * Node's own recursive watch takes a watch of the system for each file, of which it has few, and blocks while it does so.
 */
export class WatchedFolder {
  readonly #options: WatchedFolderOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  /** The folders that have not changed since they were read. */
  readonly #read = new Map<string, ReadFolder>();
  #allRead = -Infinity;
  /** Whether the system tells nothing of this folder. */
  hasFault = false;

  constructor(options: WatchedFolderOptions) {
    this.#options = options;
  }

  /**
   * Lists the folder.
   *
   * @param all whether each folder is read, whatever the system has told
   * @throws the file system's error where the folder itself cannot be read
   */
  walk(all: boolean): Walk {
    const now = performance.now();
    if (all || this.hasFault || now - this.#allRead > READ_ALL_MS) {
      this.#read.clear();
      this.#allRead = now;
    }
    const seen = new Set<string>();
    const walked = this.#walkOrForget((root, below) => {
      seen.add(below);
      return this.#folder(root, below);
    });
    for (const below of this.#watchers.keys()) if (!seen.has(below)) this.#forget(below);
    return walked;
  }

  /** A folder that is away may come back as another one. */
  #walkOrForget(reading: typeof readFolder): Walk {
    try {
      return walk(this.#options.folder, reading);
    } catch (error) {
      this.#read.clear();
      throw error;
    }
  }

  #folder(root: string, below: string): ReadFolder {
    const known = this.#read.get(below);
    if (known !== undefined) return known;
    // It is watched before it is read, so that no change falls in between.
    this.#watch(root, below);
    const read = readFolder(root, below);
    if (this.#watchers.has(below)) this.#read.set(below, read);
    return read;
  }

  #watch(root: string, below: string): void {
    if (this.hasFault) return;
    // Another folder may have taken this one's name, so that it is watched anew.
    const before = this.#watchers.get(below);
    try {
      const watcher = watch(join(root, below), () => {
        this.#read.delete(below);
        this.#options.onChange();
      });
      watcher.on('error', (error) => this.#giveUp(error));
      this.#watchers.set(below, watcher);
      before?.close();
    } catch (error) {
      this.#giveUp(error);
    }
  }

  #giveUp(error: unknown): void {
    if (!this.hasFault) this.#options.onFault(error);
    this.hasFault = true;
    this.close();
  }

  #forget(below: string): void {
    this.#watchers.get(below)?.close();
    this.#watchers.delete(below);
    this.#read.delete(below);
  }

  close(): void {
    for (const below of this.#watchers.keys()) this.#forget(below);
  }
}
