import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

import { withPath } from '../../events/system-error.ts';

/**
 * Writes a new file that only its owner can read, because it has free text or a key. The file is complete and on disk,
 * or does not exist.
 *
 * @throws {Error} if it exists already, or cannot be written.
 */
export async function writeNewFile(
  path: string,
  content: string | AsyncIterable<string>,
  signal?: AbortSignal,
): Promise<void> {
  const file = resolve(path);
  const part = `${file}.${randomUUID()}.part`;
  await holdName(path, file);
  try {
    {
      await using out = await open(part, 'wx', 0o600);
      await out.writeFile(content, { signal });
      await out.sync();
    }
    await rename(part, file);
  } catch (error) {
    await Promise.all([rm(part, { force: true }), rm(file, { force: true })]);
    throw withPath(error, path);
  }
  await using folder = await open(dirname(file), 'r');
  await folder.sync();
}

async function holdName(path: string, file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    const fault =
      code === 'EEXIST' ? 'already exists and is not overwritten; name another file' : 'cannot be written';
    throw new Error(`${path} ${fault}`, { cause });
  }
}
