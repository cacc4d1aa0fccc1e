import * as real from 'node:fs/promises';
import { diskOf } from '../disk.ts';

export * from 'node:fs/promises';
export type { FileHandle } from 'node:fs/promises';

type Real = Record<string, (...given: unknown[]) => unknown>;

/** Uses the simulated disk of the path's machine, else the real one. */
const onDisk =
  (name: 'readFile' | 'writeFile' | 'rename' | 'rm' | 'mkdir' | 'open' | 'access' | 'readdir') =>
  (path: string | URL, ...more: unknown[]): unknown => {
    const disk = diskOf(String(path));
    return disk === undefined
      ? (real as unknown as Real)[name]!(path, ...more)
      : (disk as unknown as Real)[name]!.call(disk, String(path), ...more);
  };

export const readFile = onDisk('readFile');
export const writeFile = onDisk('writeFile');
export const rename = onDisk('rename');
export const rm = onDisk('rm');
export const mkdir = onDisk('mkdir');
export const open = onDisk('open');
export const access = onDisk('access');
export const readdir = onDisk('readdir');
