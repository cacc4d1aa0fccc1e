import { randomUUID } from 'node:crypto';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Writes a file that does not exist yet, for its owner alone: there is free text in it, or a key. It is there whole and on disk, or
 * not at all.
 *
 * @throws {Error} where it exists already, or cannot be written.
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
    const out = await open(part, 'wx', 0o600);
    try {
      await out.writeFile(content, { signal });
      await out.sync();
    } finally {
      await out.close();
    }
    await rename(part, file);
  } catch (error) {
    await Promise.all([rm(part, { force: true }), rm(file, { force: true })]);
    throw error;
  }
  await syncFolder(dirname(file));
}

async function holdName(path: string, file: string): Promise<void> {
  try {
    await (await open(file, 'wx', 0o600)).close();
  } catch (cause) {
    const exists = codeOf(cause) === 'EEXIST';
    throw new Error(
      exists
        ? `${path} already exists and is not overwritten; name another file`
        : `${path} cannot be written`,
      { cause },
    );
  }
}

async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r');
  await folder.sync();
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
