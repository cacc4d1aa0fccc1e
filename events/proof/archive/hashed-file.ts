import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';

/**
 * Creates a file that only its owner can read. It is written from beginning to end and hashed. Rejects if the file
 * exists.
 */
export async function openHashedFile(path: string) {
  const handle = await open(path, 'wx', 0o600);
  const hash = createHash('sha256');
  let bytes = 0;
  return {
    async write(text: string): Promise<void> {
      const part = Buffer.from(text);
      hash.update(part);
      bytes += part.length;
      // Continues after an incomplete write.
      await handle.appendFile(part);
    },
    /** Resolves when the file is on disk. */
    async finish() {
      await handle.sync();
      await handle.close();
      return { bytes, sha256: hash.digest('hex') };
    },
    abandon: () => handle.close(),
  };
}
