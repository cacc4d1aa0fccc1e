import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all of these bytes at this place, or rejects with the fault of the file system. A single `write` may write
 * fewer: on a disk that fills up it writes what fits without a fault, and only the next one fails.
 */
export async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}
