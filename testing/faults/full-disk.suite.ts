import { open, type FileHandle } from 'node:fs/promises';
import { vi } from 'vitest';

type Write = (
  bytes: Uint8Array,
  offset: number,
  length: number,
  position: number,
) => ReturnType<FileHandle['write']>;

/** Until the mocks are restored, the disk has space for this many bytes: like ext4 it writes what fits. */
export async function fillDisk(room: number): Promise<void> {
  const file = await open(import.meta.filename);
  const prototype = Object.getPrototypeOf(file) as { write: Write };
  await file.close();
  const write = prototype.write;
  let left = room;
  vi.spyOn(prototype, 'write').mockImplementation(function (
    this: FileHandle,
    bytes: Uint8Array,
    offset: number,
    length: number,
    position: number,
  ) {
    if (left === 0) return Promise.reject(Object.assign(new Error('no space left'), { code: 'ENOSPC' }));
    const taken = Math.min(length, left);
    left -= taken;
    return write.call(this, bytes, offset, taken, position);
  });
}
