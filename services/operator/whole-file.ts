import { readlink, realpath, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, resolve } from 'node:path';

import { withPath } from '../../events/with-path.ts';
import { writeDurably } from '../../kb/snapshot/durable-file.ts';

/**
 * Writes a file of results whole, in place of one that is there, or leaves that as it was. A device or a pipe is written to as
 * it is.
 */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const file = await realpath(path).catch(() => targetOf(path));
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile()) return writeDurably(file, text);
  await writeFile(file, text).catch((error: unknown) => {
    throw withPath(error, path);
  });
}

/** Where a link points that nothing stands behind yet, as `/dev/stdout` does to a pipe; another path is its own. */
async function targetOf(path: string): Promise<string> {
  return resolve(dirname(path), await readlink(path).catch(() => basename(path)));
}
