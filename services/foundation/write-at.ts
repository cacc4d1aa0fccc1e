import type { FileHandle } from 'node:fs/promises';

/**
 * Writes all bytes at an offset, or rejects with the fault of the file system. A single `write` may write fewer: on a
 * full disk it writes as much as fits without a fault, and only the next one fails.
 */
export async function writeAt(file: FileHandle, bytes: Uint8Array, at: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten;
  }
}
