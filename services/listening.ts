import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const Listening = z.object({ url: z.url({ protocol: /^http$/ }) });

const fileIn = (dataDir: string): string => join(dataDir, 'listening.json');

/**
 * Notes where the process that has the record of this `DATA_DIR` listens, for commands that want something of it. Whoever
 * takes the record removes an older note first (`forgetListening`), so that while the record is held, the note is
 * its holder's: nothing else that listens on that port is taken for it.
 */
export async function noteListening(dataDir: string, url: string): Promise<void> {
  const file = fileIn(dataDir);
  await writeFile(`${file}.new`, JSON.stringify({ url } satisfies z.input<typeof Listening>), {
    mode: 0o600,
  });
  await rename(`${file}.new`, file);
}

export async function forgetListening(dataDir: string): Promise<void> {
  await rm(fileIn(dataDir), { force: true });
}

/** `null` where none is noted. */
export async function readListening(dataDir: string): Promise<string | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : Listening.parse(JSON.parse(text)).url;
}
