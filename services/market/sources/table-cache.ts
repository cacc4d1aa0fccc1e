import { hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readFileSync, readSync, statSync, type Stats } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '../../../kb/snapshot/durable-file.ts';
import { makeDataDir } from '../../foundation/data-dir.ts';
import { decodeColumns, encodeColumns, readHead } from './columns-file.ts';
import type { FetchedColumns } from './source.ts';

/** The size of the cache, about twenty million bars. Tables that do not fit are parsed each time. */
const MAX_BYTES = 1024 * 1024 * 1024;
const OURS = /^[0-9a-f]{32}\.columns(\.[0-9a-f-]{36}\.part)?$/u;
const HEAD_BYTES = 16 * 1024;

/** The path of a table, and the time of its last change. */
interface TableFile {
  readonly path: string;
  readonly at: Pick<Stats, 'size' | 'mtimeMs'>;
}

/** A hash of all that a table's columns are made from, and what makes them. */
interface Opened {
  readonly key: string;
  readonly read: () => FetchedColumns;
}

/**
 * A cache of parsed tables in a folder of its own, so that a table is parsed again only when it has changed. Nothing
 * depends on the cache: a file that is damaged, of another table or of another version of the parser is replaced, and
 * if the folder cannot be written, tables are parsed each time.
 */
export function tableCache(folder: string) {
  /** The size of all files together, in bytes. */
  let total = 0;
  let tidied: Promise<void> | undefined;

  /** Removes cached files whose tables have changed or gone, and the oldest files beyond the size limit. */
  async function tidy(): Promise<void> {
    const names = await readdir(folder).catch(() => []);
    const kept: { path: string; size: number; mtimeMs: number }[] = [];
    for (const name of names.filter((each) => OURS.test(each))) {
      const path = join(folder, name);
      const size = sizeIfCurrent(path);
      if (size === null) await rm(path, { force: true });
      else kept.push({ path, ...size });
    }
    kept.sort((a, b) => b.mtimeMs - a.mtimeMs);
    for (const { path, size } of kept) {
      if (total + size > MAX_BYTES) await rm(path, { force: true });
      else total += size;
    }
  }

  async function keep(path: string, bytes: Buffer, before: number): Promise<void> {
    if (total + bytes.length - before > MAX_BYTES) return;
    try {
      await makeDataDir({ dataDir: folder });
      await writeDurably(path, bytes, { mode: 0o600, flush: false });
      total += bytes.length - before;
    } catch {
      // A table that cannot be kept is parsed again.
    }
  }

  const tidyOnce = (): Promise<void> => (tidied ??= tidy().catch(() => undefined));

  return {
    /** Tidies up once. Never rejects. */
    tidy: tidyOnce,
    /**
     * The columns of a table, from the cache if it has them under the key, otherwise from `read`. `open` and `read` are
     * called one directly after the other. Rejects with what they throw.
     */
    async columns({ path, at }: TableFile, open: () => Opened): Promise<FetchedColumns> {
      await tidyOnce();
      const { key, read } = open();
      const file = join(folder, `${hash('sha256', path).slice(0, 32)}.columns`);
      const bytes = readIfThere(file);
      const known = bytes === null ? null : decodeColumns(bytes, key);
      if (known !== null) return known;
      const columns = read();
      const made = encodeColumns(columns, { path, size: at.size, mtimeMs: at.mtimeMs, key });
      await keep(file, made, bytes?.length ?? 0);
      return columns;
    },
  };
}

function readIfThere(file: string): Buffer | null {
  try {
    return readFileSync(file);
  } catch {
    return null;
  }
}

export type TableCache = ReturnType<typeof tableCache>;

/** The size and age of a cached file whose table has not changed; `null` for other files. */
function sizeIfCurrent(path: string): { size: number; mtimeMs: number } | null {
  let file: number | undefined;
  try {
    file = openSync(path, 'r');
    const bytes = Buffer.allocUnsafe(HEAD_BYTES);
    const head = readHead(bytes.subarray(0, readSync(file, bytes, 0, HEAD_BYTES, 0)));
    if (head === null) return null;
    const table = statSync(head.path);
    if (table.size !== head.size || table.mtimeMs !== head.mtimeMs) return null;
    const { size, mtimeMs } = fstatSync(file);
    return { size, mtimeMs };
  } catch {
    return null;
  } finally {
    if (file !== undefined) closeSync(file);
  }
}
