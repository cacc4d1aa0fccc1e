import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';

/** A file read line by line, and what it was once all of it was read. */
export class HashedLines {
  readonly #path: string;
  readonly #hash = createHash('sha256');
  bytes = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /** Of what was read so far; once. */
  sha256(): string {
    return this.#hash.digest('hex');
  }

  /** Each line without its end; bytes after the last line end are a line too. Rejects where the file cannot be read. */
  async *[Symbol.asyncIterator](): AsyncGenerator<string> {
    let rest: Buffer[] = [];
    for await (const chunk of createReadStream(this.#path) as AsyncIterable<Buffer>) {
      this.#hash.update(chunk);
      this.bytes += chunk.length;
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
        const line = chunk.subarray(from, at);
        yield rest.length === 0 ? line.toString() : Buffer.concat([...rest, line]).toString();
        rest = [];
        from = at + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
    }
    if (rest.length > 0) yield Buffer.concat(rest).toString();
  }
}
