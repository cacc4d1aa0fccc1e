import { z } from 'zod';
import { StreamHead } from '../catalog/audit.ts';
import type { Checkpoint } from './checkpoint.ts';
import { Malformed } from './malformed.ts';
import { orderedHeads } from './tree-head.ts';

/**
 * A line of JSON with a checkpoint, as it is kept outside the record: the signed note, and the heads that its hash
 * covers.
 */
export const CheckpointLine = z.strictObject({ note: z.string(), heads: z.array(StreamHead) });
export type CheckpointLine = z.output<typeof CheckpointLine>;

/** The line of a checkpoint: canonical JSON without a newline, so equal checkpoints give equal bytes. */
export function formatCheckpointLine({ note, heads }: Pick<Checkpoint, 'note' | 'heads'>): string {
  return JSON.stringify({ heads: orderedHeads(heads), note });
}

/**
 * Reads a line.
 *
 * @throws {Malformed} for any other text.
 */
export function parseCheckpointLine(line: string): CheckpointLine {
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    throw new Malformed('a line of the checkpoint file is not JSON');
  }
  const parsed = CheckpointLine.safeParse(json);
  if (!parsed.success)
    throw new Malformed('a line of the checkpoint file does not have the form {note, heads}');
  return parsed.data;
}
