import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** Bytes that are read once, from the first one on. */
export interface BytesInOrder extends AsyncDisposable {
  /** The next bytes in an aligned buffer of their own; fewer than these at the end. */
  read(count: number): Promise<Uint8Array<ArrayBuffer>>;
  /** The same for a reader that is done with them when it reads on, so that many of them need the memory of one. */
  pass(count: number): Promise<Uint8Array<ArrayBuffer>>;
}

/** The most bytes that one read of a file gives, less than the two gigabytes that systems allow. */
const AT_ONCE = 1024 ** 3;

/** A file that is open. */
export class BytesOfFile implements BytesInOrder {
  readonly #file: FileHandle;
  #at = 0;
  readonly #size: number;
  #passing = new Uint8Array(0);

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.#size = size;
  }

  static async of(file: FileHandle): Promise<BytesOfFile> {
    return new BytesOfFile(file, (await file.stat()).size);
  }

  /** Undefined where there is no file. */
  static async open(path: string): Promise<BytesOfFile | undefined> {
    const file = await openToRead(path);
    return file && BytesOfFile.of(file);
  }

  read(count: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.#fill(new Uint8Array(this.#left(count)));
  }

  pass(count: number): Promise<Uint8Array<ArrayBuffer>> {
    const length = this.#left(count);
    if (this.#passing.length < length) this.#passing = new Uint8Array(2 * length);
    return this.#fill(this.#passing.subarray(0, length));
  }

  #left(count: number): number {
    return Math.min(count, this.#size - this.#at);
  }

  async #fill(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
    let read = 0;
    for (let more = 1; more > 0 && read < bytes.length; read += more) {
      const length = Math.min(AT_ONCE, bytes.length - read);
      more = (await this.#file.read(bytes, read, length, this.#at + read)).bytesRead;
    }
    this.#at += read;
    return read === bytes.length ? bytes : bytes.slice(0, read);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#file.close();
  }
}

/** Undefined where there is no file. It is opened without blocking, because a pipe would wait. */
export const openToRead = (path: string): Promise<FileHandle | undefined> =>
  open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });

/** What was never written to a file. */
export class BytesInMemory implements BytesInOrder {
  readonly #pieces: Uint8Array[];

  constructor(pieces: Iterable<Uint8Array>) {
    this.#pieces = [...pieces];
  }

  read(count: number): Promise<Uint8Array<ArrayBuffer>> {
    const read: Uint8Array[] = [];
    for (let left = count; left > 0 && this.#pieces.length > 0;) {
      const [piece] = this.#pieces as [Uint8Array];
      if (piece.length <= left) this.#pieces.shift();
      else this.#pieces[0] = piece.subarray(left);
      read.push(piece.subarray(0, left));
      left -= Math.min(left, piece.length);
    }
    return Promise.resolve(new Uint8Array(Buffer.concat(read)));
  }

  pass(count: number): Promise<Uint8Array<ArrayBuffer>> {
    return this.read(count);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return Promise.resolve();
  }
}
