import { closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { makePrivateFile } from './private-file.ts';

const GONE = 'gone';

/** What can be seen at a path. */
export interface Seen {
  /** Which file it is; `gone` if none can be seen there. */
  readonly identity: string;
  /** Changes whenever anybody writes to the file. Of a database with a log, only a checkpoint does. */
  readonly written: string;
}

export function lookAt(path: string): Seen {
  try {
    const { dev, ino, size, mtimeNs } = statSync(path, { bigint: true });
    return { identity: `${dev} ${ino}`, written: `${size} ${mtimeNs}` };
  } catch {
    return { identity: GONE, written: GONE };
  }
}

const identityOf = (path: string): string => lookAt(path).identity;

/**
 * Where a database that is open in this process was opened: its file and its write-ahead log. If one of them is
 * removed, this process alone still has it: it would go on writing to what nobody can open later, without any fault.
 */
export class FilePlace {
  readonly #path: string;
  readonly #file: string;
  readonly #log: string;

  /** Call it after the first read: from then on there is a log. */
  constructor(path: string) {
    this.#path = path;
    this.#file = identityOf(path);
    this.#log = identityOf(logOf(path));
  }

  /** False if the file or its log was removed or replaced. */
  get isKept(): boolean {
    return this.isKeptWith(lookAt(this.#path));
  }

  /** The same, where the path was looked at already: each append looks, and a look takes its time. */
  isKeptWith(seen: Seen): boolean {
    return seen.identity === this.#file && identityOf(logOf(this.#path)) === this.#log;
  }

  /** False if the file was removed or replaced, whatever happened to its log. */
  get hasFile(): boolean {
    return identityOf(this.#path) === this.#file;
  }

  /** Whether another file has taken its path. */
  get isTaken(): boolean {
    return !this.hasFile && identityOf(this.#path) !== GONE;
  }

  /** Removes its log from the path, unless that is another one. Who has it open keeps it. */
  removeLog(): void {
    if (identityOf(logOf(this.#path)) !== this.#log) return;
    for (const suffix of ['-wal', '-shm']) rmSync(`${this.#path}${suffix}`, { force: true });
  }
}

/** Removes a database's file and the files that SQLite keeps beside it. */
export function removeDatabase(file: string): void {
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

/** The interval between two checks of the file. */
const LOOK_MS = 2_000;

/** Calls `onVanished`, once, when `isInPlace` says no. Returns what ends the looking. */
export function whenVanished(isInPlace: () => boolean, onVanished: () => void): () => void {
  const look = setInterval(() => {
    if (isInPlace()) return;
    clearInterval(look);
    onVanished();
  }, LOOK_MS).unref();
  return () => clearInterval(look);
}

const logOf = (path: string): string => `${path}-wal`;

/**
 * Writes a copy of an open database and returns when it is on disk. Throws as SQLite and the file system do, and leaves
 * nothing then.
 *
 * @returns its path, beside `path`
 */
export function copyBeside(db: DatabaseSync, path: string): string {
  const beside = `${path}.saved-${Date.now()}`;
  try {
    makePrivateFile(beside);
    db.prepare('VACUUM INTO ?').run(beside);
    sync(beside);
    sync(dirname(beside));
    return beside;
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}

/**
 * Puts such a copy where the file was, once this process has closed the file. Throws if somebody has put another file
 * there meanwhile.
 */
export function putInPlace(beside: string, path: string, place: FilePlace): void {
  // They belong to the previous file: SQLite would take them for later writes to the copy.
  for (const suffix of ['-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
  if (place.hasFile) {
    renameSync(beside, path);
  } else {
    linkSync(beside, path);
    rmSync(beside);
  }
  sync(dirname(path));
}

function sync(path: string): void {
  const descriptor = openSync(path, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
