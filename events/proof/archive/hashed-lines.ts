import { createHash } from 'node:crypto';
import { stat } from 'node:fs/promises';
import { readLines } from '../read-lines.ts';

/** Reads a file line by line. Hash and size are known once all of it was read. */
export class HashedLines {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** The SHA-256 of everything read so far. It can be called only once. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** The lines without their ends. Bytes after the last line end are a line too. Rejects if the file cannot be read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    // Only regular files are read: a pipe may never end, so it counts as empty.
    if (!(await stat(this.#path)).isFile()) return;
    const lines = readLines(this.#path, (chunk) => {
      this.#hash.update(chunk);
      this.bytes += chunk.length;
    });
    for await (const { text } of lines) yield text;
  }
}
