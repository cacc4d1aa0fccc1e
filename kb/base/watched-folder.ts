import { watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';

import { readFolder, walk, type ReadFolder, type Walk } from './walk.ts';

/**
 * The longest time in milliseconds after which a change is seen that the system does not report, such as one by another
 * computer on a network drive.
 */
const READ_ALL_MS = 50_000;

interface WatchedFolderOptions {
  /** The folder of a base. */
  readonly folder: string;
  readonly onChange: () => void;
  /** Called once if the system cannot watch the folder, or cannot watch as many folders as it contains. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Watches each folder of a base, so that only the folders are read again in which the system has reported a change.
 * Node's own recursive watch is not used: it needs a watch of the system for each file, of which there are few, and
 * blocks while it sets them up.
 */
export class WatchedFolder {
  readonly #options: WatchedFolderOptions;
  readonly #watchers = new Map<string, FSWatcher>();
  /** The folders that have not changed since they were read. */
  readonly #read = new Map<string, ReadFolder>();
  #allRead = -Infinity;
  /** Whether the system cannot report changes of this folder. */
  hasFault = false;

  constructor(options: WatchedFolderOptions) {
    this.#options = options;
  }

  /**
   * Lists the folder.
   *
   * @param all whether each folder is read again, even if the system has reported no change in it
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

  /** Forgets everything if the folder cannot be read, because another folder may be there when it can be read again. */
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
    // The watch begins before the folder is read, so that no change between the two is missed.
    this.#watch(root, below);
    const read = readFolder(root, below);
    if (this.#watchers.has(below)) this.#read.set(below, read);
    return read;
  }

  #watch(root: string, below: string): void {
    if (this.hasFault) return;
    // The folder is watched again even if its path was watched before, because another folder may have this path now.
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
