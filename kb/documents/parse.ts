import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';

import { hashOfBytes } from '../base/files.ts';
import { documentSchema } from './document-schema.ts';
import { LIMITS, type Limits } from './document-limits.ts';
import { ParsedCache, type Parsed } from './parsed-cache.ts';
import { languagesOfTesseract } from './pdf/ocr.ts';
import { Parser, type Outcome } from './parser.ts';
import type { Job } from './parse-process.ts';
import type { Document } from './unit.ts';

export interface ParseOptions {
  /** The folder with parsed documents, which are kept while the files exist; `null` for no cache. */
  readonly cacheDir: string | null;
  /** If `files` are not the whole base: the removed files, by the SHA-256 of their bytes. */
  readonly gone?: readonly { readonly path: string; readonly hash: string }[];
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
  /** The module whose `kindOf` selects the parser of a file. */
  readonly kinds?: URL;
  readonly limits?: Partial<Limits>;
}

export interface ParsedDocument {
  readonly path: string;
  readonly document?: Document;
  /** Why there is no document, for the person who added the file. */
  readonly fault?: string;
  /** The time of its parser; absent if it was cached. */
  readonly seconds?: number;
  /** Whether its parser ended for another reason, such as a busy machine: the next start tries it again. */
  readonly tryAgain?: true;
}

const MAX_PROCESSES = 4;
const READ_AT_ONCE = 64;

/**
 * Parses files of known kinds in child processes; a file that cannot be read is returned with its reason and never
 * stops the rest.
 *
 * @throws where no process can be started, and the file system's error where the cache cannot be written
 */
export async function parseDocuments(
  files: readonly Job[],
  options: ParseOptions,
): Promise<readonly ParsedDocument[]> {
  const { cacheDir, gone, onProgress, kinds = new URL('./kinds.ts', import.meta.url) } = options;
  const limits = { ...LIMITS, ...options.limits };
  const cache = cacheDir === null ? null : await ParsedCache.open(cacheDir, await languagesOfTesseract());
  const results: ParsedDocument[] = [];
  let done = 0;
  const finish = (at: number, result: ParsedDocument): void => {
    results[at] = result;
    done += 1;
    onProgress?.(done, files.length);
  };

  const waiting: { readonly at: number; readonly file: Job; readonly name: string | undefined }[] = [];
  for (let from = 0; from < files.length; from += READ_AT_ONCE) {
    const batch = files.slice(from, from + READ_AT_ONCE).map(async (file, i) => {
      const name = cache?.use(file.path, hashOfBytes(file.bytes));
      const known = name === undefined ? undefined : await cache!.read(name);
      if (known === undefined) waiting.push({ at: from + i, file, name });
      else finish(from + i, { path: file.path, ...known });
    });
    await Promise.all(batch);
  }
  waiting.reverse();

  async function workThrough(): Promise<void> {
    let parser: Parser | undefined;
    try {
      for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
        const { at, file, name } = next;
        const started = performance.now();
        parser ??= await Parser.start(kinds, limits);
        let outcome = await parser.parse(file);
        if (outcome.kind === 'ended' && outcome.by === 'wear') {
          parser = await Parser.start(kinds, limits);
          outcome = await parser.parse(file);
        }
        if (outcome.kind === 'ended') parser = undefined;
        const seconds = (performance.now() - started) / 1000;
        const parsed = parsedOf(outcome);
        const isFinal = outcome.kind !== 'ended' || outcome.by === 'file';
        if (name !== undefined && isFinal) await cache!.write(name, parsed);
        finish(at, { path: file.path, ...parsed, seconds, ...(isFinal ? {} : { tryAgain: true }) });
      }
    } finally {
      // If one of them fails, the others stop as well.
      waiting.length = 0;
      await parser?.stop();
    }
  }

  const processes = Math.min(MAX_PROCESSES, availableParallelism(), waiting.length);
  const ended = await Promise.allSettled(Array.from({ length: processes }, workThrough));
  for (const each of ended) if (each.status === 'rejected') throw each.reason;
  if (gone === undefined) await cache?.removeUnused();
  else await cache?.remove(gone.map(({ path, hash }) => cache.use(path, hash)));
  return results;
}

/**
 * Removes what is kept of other documents than these, as a killed process may have left it.
 *
 * @param files is asked only where something is kept
 */
export async function keepParsed(
  cacheDir: string,
  files: () => Promise<Iterable<{ readonly path: string; readonly hash: string }>>,
): Promise<void> {
  if (!existsSync(cacheDir)) return;
  const cache = await ParsedCache.open(cacheDir, await languagesOfTesseract());
  for (const { path, hash } of await files()) cache.use(path, hash);
  await cache.removeUnused();
}

function parsedOf(outcome: Outcome): Parsed {
  if (outcome.kind !== 'document') return { fault: outcome.fault };
  try {
    return { document: documentSchema.parse(JSON.parse(outcome.json)) };
  } catch {
    return { fault: 'cannot be read (its parser gave no document)' };
  }
}
