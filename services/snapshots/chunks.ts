import { crc32 } from 'node:zlib';

/** Lines of a chunk, on average. */
const LINES = 128;
/** Characters of a line that say whether a chunk ends with it: the name of what it is about, which stays as it changes. */
const NAME = 48;

/**
 * Lines in runs, each joined by line feeds. Where a run ends, its last line alone says: equal lines give equal runs
 * wherever they stand, so that a state of thousands of lines shares all but a few runs with the state before it.
 */
export function chunksOf(lines: readonly string[]): string[] {
  const chunks: string[] = [];
  let start = 0;
  for (let end = 1; end <= lines.length; end++) {
    if (end < lines.length && crc32(lines[end - 1]!.slice(0, NAME)) % LINES !== 0) continue;
    chunks.push(lines.slice(start, end).join('\n'));
    start = end;
  }
  return chunks;
}

export const linesIn = (chunk: string): string[] => chunk.split('\n');
