import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file so that after a crash at any moment the old one or the new one is there, never half of one: a
 * temporary file beside it, flushed to the disk, renamed, and the folder flushed.
 */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // The process's id would not do: containers that share a folder may all have the same id.
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    await writeFile(temporary, bytes, { flush: true });
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await using handle = await open(folder, 'r');
  await handle.sync();
}

/** The text of a file; undefined where there is none. */
export async function readText(path: string): Promise<string | undefined> {
  const bytes = await readWhole(path);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString();
}

/**
 * The file's bytes in a buffer of their own, on an aligned border; undefined where there is none. Rejects with a
 * `RangeError` where it has more than `maxBytes`.
 */
export async function readWhole(
  path: string,
  maxBytes: number = Infinity,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  // Opened without blocking, so that a pipe is not waited for.
  await using file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    },
  );
  if (file === undefined) return undefined;
  // Reads only as many bytes as the file claims to have: a device in its place would never end.
  const { size } = await file.stat();
  if (size > maxBytes) throw new RangeError(`it has ${size} bytes, but at most ${maxBytes} are allowed`);
  const bytes = new Uint8Array(size);
  let read = 0;
  for (let more = 1; more > 0 && read < size; read += more) {
    more = (await file.read(bytes, read, size - read)).bytesRead;
  }
  return read === size ? bytes : bytes.slice(0, read);
}
