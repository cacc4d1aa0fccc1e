import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { z } from 'zod';
import { readJson } from '../../../events/json.ts';
import { readVerifierKey, type VerifierKey } from '../../../events/proof/keys.ts';
import { readLines } from '../../../events/proof/read-lines.ts';
import { Malformed } from '../../../events/proof/malformed.ts';
import { UsageError } from '../report-failure.ts';

/** Reads SIZE:ROOT, as `beleg audit checkpoint` prints it. */
export function parseExpected(text: string): { size: number; root: string } {
  const [, size, root] = /^(\d{1,15}):([0-9a-f]{64})$/i.exec(text.trim()) ?? [];
  if (root === undefined || Number(size) === 0) {
    throw new UsageError(
      '--expect must be SIZE:ROOT as `beleg audit checkpoint` prints it, for example 1234: followed by 64 hexadecimal digits',
    );
  }
  return { size: Number(size), root: root.toLowerCase() };
}

export async function readKey(path: string): Promise<VerifierKey> {
  try {
    return readVerifierKey(await readFile(path, 'utf8'));
  } catch (cause) {
    const fault = cause instanceof Malformed ? `: ${cause.message}` : ' cannot be read';
    throw new UsageError(`--key ${path}${fault}`, { cause });
  }
}

/**
 * A function for the lines of a checkpoint file, which reads them from the first one at each call; `undefined` if there
 * is no file. A last line without a line end counts if it is complete, as in a copy made by hand. If it is incomplete,
 * it is being written, or a crash cut it off and the next checkpoint repairs it.
 */
export function linesOf(path: string): (() => AsyncIterable<string>) | undefined {
  if (!existsSync(path)) return undefined;
  return async function* () {
    for await (const { text, isEnded } of readLines(path)) {
      if (isEnded || readJson(z.unknown(), text) !== undefined) yield text;
    }
  };
}
