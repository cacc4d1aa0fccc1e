import { constants, readSync } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

import { ifAbsent } from '../if-absent.ts';

/** Bytes that can be read from any place. */
export interface StoredBytes extends AsyncDisposable {
  readonly size: number;
  /** Fills the array with the bytes from this place on, and returns their number. */
  read(into: Uint8Array, place: number): Promise<number>;
  /** Reads synchronously, for few bytes. */
  readNow(into: Uint8Array, place: number): number;
}

/** The most bytes that one read of a file returns: less than the two gigabytes that systems allow. */
const AT_ONCE = 1024 ** 3;

/** Files that are closed when nothing refers to their bytes any more. */
const unused = new FinalizationRegistry<FileHandle>((file) => void file.close().catch(() => undefined));

/** An open file. Its content stays readable if another file takes its name. */
export class BytesOfFile implements StoredBytes {
  readonly #file: FileHandle;
  readonly size: number;

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  static async of(file: FileHandle): Promise<BytesOfFile> {
    return new BytesOfFile(file, (await file.stat()).size);
  }

  /** Opens a file; undefined if it does not exist. */
  static async open(path: string): Promise<BytesOfFile | undefined> {
    const file = await openToRead(path);
    return file && BytesOfFile.of(file);
  }

  /** Closes the file when nothing refers to it any more, for callers that do not know when they last need the bytes. */
  closedWhenUnused(): this {
    unused.register(this, this.#file);
    return this;
  }

  async read(into: Uint8Array, place: number): Promise<number> {
    let read = 0;
    for (let more = 1; more > 0 && read < into.length; read += more) {
      const length = Math.min(AT_ONCE, into.length - read);
      more = (await this.#file.read(into, read, length, place + read)).bytesRead;
    }
    return read;
  }

  readNow(into: Uint8Array, place: number): number {
    let read = 0;
    for (let more = 1; more > 0 && read < into.length; read += more)
      more = readSync(this.#file.fd, into, read, into.length - read, place + read);
    return read;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

/** Opens a file for reading; undefined if it does not exist. Opening does not block, because a pipe would wait. */
export const openToRead = (path: string): Promise<FileHandle | undefined> =>
  open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(ifAbsent(undefined));

/** Bytes that were never written to a file. */
export class BytesInMemory implements StoredBytes {
  readonly #pieces: readonly Uint8Array[];
  readonly size: number;

  constructor(pieces: readonly Uint8Array[]) {
    this.#pieces = pieces;
    this.size = pieces.reduce((sum, { length }) => sum + length, 0);
  }

  read(into: Uint8Array, place: number): Promise<number> {
    return Promise.resolve(this.readNow(into, place));
  }

  readNow(into: Uint8Array, place: number): number {
    let read = 0;
    let before = 0;
    for (const piece of this.#pieces) {
      const from = Math.max(0, place + read - before);
      const some = piece.subarray(from, from + into.length - read);
      into.set(some, read);
      read += some.length;
      before += piece.length;
    }
    return read;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
