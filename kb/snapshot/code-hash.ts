import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const KB = dirname(import.meta.dirname);

/**
 * Hash of the code that turns files into an index: the whole of `kb/`, tests apart. What another analysis or
 * chunking built is then never taken for what this one would build.
 */
export const hashOfCode = (): Promise<string> => (hashed ??= hashNow());

/** A process goes on with the code that it has begun with. */
let hashed: Promise<string> | undefined;

async function hashNow(): Promise<string> {
  const entries = await readdir(KB, { recursive: true, withFileTypes: true });
  const paths = entries
    .filter((entry) => entry.isFile() && /(?<!\.test)\.ts$/u.test(entry.name))
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
