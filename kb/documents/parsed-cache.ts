import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';

import { ifAbsent } from '../if-absent.ts';
import { hashOfCode } from '../snapshot/code-hash.ts';
import { documentSchema } from './document-schema.ts';
import { extensionOf } from './kinds.ts';
import type { Document } from './unit.ts';

/** The document of a file, or the reason why there is none. */
export type Parsed = { readonly document: Document } | { readonly fault: string };

const parsedSchema = z.union([
  z.strictObject({ document: documentSchema }),
  z.strictObject({ fault: z.string() }),
]);

/** The fastest compression, which reduces text to a third and is no slower than the disk. */
const FAST = { level: 1 };
const FILE = /^[0-9a-f]{64}\.json\.gz$/u;
const LOCK_FILE = new URL('../../package-lock.json', import.meta.url);

/** The results of parsers, one file each, by the hash of their input. */
export class ParsedCache {
  readonly #folder: string;
  readonly #version: string;
  readonly #used = new Set<string>();

  private constructor(folder: string, version: string) {
    this.#folder = folder;
    this.#version = version;
  }

  /**
   * Opens the cache. Results of another version of our code or of a library do not count, because they may differ; the
   * same holds if a program was installed or removed.
   */
  static async open(folder: string, programs: string): Promise<ParsedCache> {
    const hash = createHash('sha256')
      .update(await hashOfCode())
      .update(await readFile(LOCK_FILE))
      .update(programs);
    return new ParsedCache(folder, hash.digest('hex'));
  }

  /**
   * The name under which a file's result is cached; from now on it counts as used.
   *
   * @param bytes the SHA-256 of the file's bytes.
   */
  use(path: string, bytes: string): string {
    const hash = createHash('sha256').update(`${this.#version}\0${extensionOf(path)}\0${bytes}`);
    const name = `${hash.digest('hex')}.json.gz`;
    this.#used.add(name);
    return name;
  }

  /** Reads a result. A damaged entry counts as missing, because its checksum does not match. */
  async read(name: string): Promise<Parsed | undefined> {
    try {
      const json = await promisify(gunzip)(await readFile(join(this.#folder, name)));
      return parsedSchema.parse(JSON.parse(json.toString()));
    } catch {
      return undefined;
    }
  }

  async write(name: string, parsed: Parsed): Promise<void> {
    await mkdir(this.#folder, { recursive: true });
    await writeFile(join(this.#folder, name), await promisify(gzip)(JSON.stringify(parsed), FAST));
  }

  remove(names: readonly string[]): Promise<unknown> {
    return Promise.all(names.map((name) => rm(join(this.#folder, name), { force: true })));
  }

  /** Removes entries that were not used since the cache was opened: those of removed files, or of other versions. */
  async removeUnused(): Promise<void> {
    const names = await readdir(this.#folder).catch(ifAbsent([]));
    await this.remove(names.filter((name) => FILE.test(name) && !this.#used.has(name)));
  }
}
