import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { ifAbsent } from '../if-absent.ts';
import { BytesOfFile, openToRead } from './stored-bytes.ts';

/**
 * Writes a file so that at any moment, also after a crash, either the old or the new file exists: a temporary file is
 * flushed to disk and renamed, and the folder is flushed. Without `flush` this holds for a kill, but not for a power
 * failure.
 *
 * @param content a text, all bytes, or pieces that are made and written one at a time
 */
export async function writeDurably(
  path: string,
  content: string | Uint8Array | Iterable<Uint8Array>,
  { mode, flush = true }: { readonly mode?: number; readonly flush?: boolean } = {},
): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // The name does not use the process id, because containers that share a folder may all have the same process id.
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, content, { flush, mode });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    // The system's error for a failed write, such as on a full disk, has no path.
    throw Object.assign(error as Error, { path });
  }
  if (!flush) return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** A file that has not changed for this time is no longer being written. */
const WRITTEN_MS = 60_000;

/**
 * Removes the temporary files that `writeDurably` has left if the process was killed. They may contain text that was
 * deleted everywhere else.
 */
export async function removeLeftParts(folder: string, now: number = Date.now()): Promise<void> {
  for (const name of await readdir(folder).catch(ifAbsent([]))) {
    if (!PART.test(name)) continue;
    const path = join(folder, name);
    const written = await stat(path).catch(ifAbsent(undefined));
    if (written !== undefined && now - written.mtimeMs > WRITTEN_MS) await rm(path, { force: true });
  }
}

const PART = /\.[0-9a-f-]{36}\.part$/u;

/** The text of a file; undefined if it does not exist. */
export async function readText(path: string): Promise<string | undefined> {
  const bytes = await readWhole(path);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

/**
 * The file's bytes in a separate aligned buffer; undefined if the file does not exist. Rejects with a `RangeError` if
 * the file has more than `maxBytes`.
 */
export async function readWhole(
  path: string,
  maxBytes: number = Infinity,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  await using file = await openToRead(path);
  if (file === undefined) return undefined;
  // Reads only as many bytes as the file's size, because reading a device would never end.
  const { size } = await file.stat();
  if (size > maxBytes) throw new RangeError(`it has ${size} bytes, but at most ${maxBytes} are allowed`);
  const bytes = new Uint8Array(size);
  const read = await (await BytesOfFile.of(file)).read(bytes, 0);
  return read === size ? bytes : bytes.slice(0, read);
}
