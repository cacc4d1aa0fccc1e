import { realpath, stat, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';

import { withPath } from '../../events/with-path.ts';
import { writeDurably } from '../../kb/snapshot/durable-file.ts';

/**
 * Writes a file of results whole, in place of one that is there, or leaves that as it was. A device or a pipe is written to as
 * it is.
 */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  const file = await realpath(path).catch(() => resolve(path));
  const found = await stat(file).catch(() => undefined);
  if (found === undefined || found.isFile()) return writeDurably(file, Buffer.from(text));
  await writeFile(file, text).catch((error: unknown) => {
    throw withPath(error, path);
  });
}
