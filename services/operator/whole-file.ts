import { readlink, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

import { withPath } from '../../events/system-error.ts';
import { writeDurably } from '../../kb/snapshot/durable-file.ts';

/**
 * Writes a file of results. An existing file is replaced as a whole, or stays as it was if the write fails. A device or
 * a pipe is written to directly.
 */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const file = await realpath(path).catch(() => targetOf(path));
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile()) return writeDurably(file, text);
  await writeFile(file, text).catch((error: unknown) => {
    throw withPath(error, path);
  });
}

/**
 * The target of a link to something that does not exist as a file, as `/dev/stdout` is for a pipe; the path itself if
 * it is no link.
 */
async function targetOf(path: string): Promise<string> {
  return resolve(dirname(path), await readlink(path).catch(() => basename(path)));
}
