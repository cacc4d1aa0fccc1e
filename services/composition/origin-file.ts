import { join } from 'node:path';
import { readText, writeDurably } from '../../kb/snapshot/durable-file.ts';

/**
 * The file in `DATA_DIR` by which a host knows its shared record again (see `originReader`). Tables and checkpoints of a
 * record say that too, but a host without `audit` and `trading` has none, and may have answers that wait for the record.
 */
export const originFileIn = (dataDir: string): string => join(dataDir, 'record-origin');

/** `null` where no record was noted yet. */
export async function readOriginFile(file: string): Promise<string | null> {
  return (await readText(file))?.trim() || null;
}

/** Rejects with the fault of the disk. */
export async function writeOriginFile(file: string, origin: string): Promise<void> {
  if ((await readOriginFile(file)) !== origin) await writeDurably(file, Buffer.from(`${origin}\n`));
}
