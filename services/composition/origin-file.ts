import { join } from 'node:path';
import { readText, writeDurably } from '../../kb/snapshot/durable-file.ts';

/**
 * The file in `DATA_DIR` with the origin of the shared record (see `originReader`), by which this host recognises the
 * record. Tables and checkpoints have the origin too, but a host without `audit` and `trading` has none of these, and
 * may have answers that wait for the record.
 */
export const originFileIn = (dataDir: string): string => join(dataDir, 'record-origin');

/** Reads the origin; `null` if none was noted yet. */
export async function readOriginFile(file: string): Promise<string | null> {
  return (await readText(file))?.trim() || null;
}

/** Notes the origin. Rejects with the fault of the disk. */
export async function writeOriginFile(file: string, origin: string): Promise<void> {
  if ((await readOriginFile(file)) !== origin) await writeDurably(file, `${origin}\n`);
}
