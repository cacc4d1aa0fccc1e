import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const KB = dirname(import.meta.dirname);

/**
 * A hash of the code that turns files into an index, including its lists of words: all of `kb/` except tests and the
 * starter base. An index of another version of the code is never reused.
 */
export const hashOfCode = (): Promise<string> => (hashed ??= hashNow());

/** Cached, because a process keeps the code with which it has started. */
let hashed: Promise<string> | undefined;

async function hashNow(): Promise<string> {
  const entries = await readdir(KB, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$|^common-.*\.txt$/u.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const hash = createHash('sha256');
  for (const path of paths)
    hash
      .update(path.slice(KB.length))
      .update('\0')
      .update(await readFile(path));
  return hash.digest('hex');
}
