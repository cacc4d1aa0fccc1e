import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Writes a file so that after a crash at any moment the old one or the new one is there, never half of one: a
 * temporary file beside it, flushed to the disk, renamed, and the folder flushed.
 */
export async function writeDurably(path: string, bytes: Uint8Array): Promise<void> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true });
  // Not by the process's id: containers that share a folder may all have the same.
  const temporary = `${path}.${randomUUID()}.part`;
  try {
    const file = await open(temporary, 'w');
    try {
      await file.writeFile(bytes);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * The file's bytes in a buffer of their own, on an aligned border; undefined where there is none. Rejects with a
 * `RangeError` where it has more than `maxBytes`.
 */
export async function readWhole(
  path: string,
  maxBytes: number = Infinity,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  let file;
  try {
    // Nobody waits for the other end of a pipe.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    // As long as it says it is, and no longer: a device in its place would never end.
    const { size } = await file.stat();
    if (size > maxBytes) throw new RangeError(`it has ${size} bytes, but at most ${maxBytes} are allowed`);
    const bytes = new Uint8Array(size);
    let read = 0;
    for (let more = 1; more > 0 && read < size; read += more) {
      more = (await file.read(bytes, read, size - read)).bytesRead;
    }
    return read === size ? bytes : bytes.slice(0, read);
  } finally {
    await file.close();
  }
}
