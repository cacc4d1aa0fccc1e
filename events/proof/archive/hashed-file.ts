import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

/** A new file that is written from its beginning to its end, and what it then is. */
export class HashedFile {
  readonly #handle: FileHandle;
  readonly #hash = createHash('sha256');
  #bytes = 0;

  private constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  /** For its owner alone. Rejects where the file exists. */
  static async create(path: string): Promise<HashedFile> {
    return new HashedFile(await open(path, 'wx', 0o600));
  }

  async write(text: string): Promise<void> {
    const bytes = Buffer.from(text);
    this.#hash.update(bytes);
    this.#bytes += bytes.length;
    // Goes on where a write was cut short.
    await this.#handle.appendFile(bytes);
  }

  /** Resolves when it is on disk. */
  async finish(): Promise<{ bytes: number; sha256: string }> {
    await this.#handle.sync();
    await this.#handle.close();
    return { bytes: this.#bytes, sha256: this.#hash.digest('hex') };
  }

  async abandon(): Promise<void> {
    await this.#handle.close();
  }
}
