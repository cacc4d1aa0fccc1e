import { createReadStream } from 'node:fs';

/** The longest line that is read. Events and checkpoints are shorter, because an append takes at most 1 MiB. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

interface Line {
  /** The text of the line. It is empty if the line is longer than `MAX_LINE_BYTES`, because such a line is not read into memory. */
  readonly text: string;
  /** False for bytes after the last line end. */
  readonly isEnded: boolean;
}

/** The lines of a file. Rejects where it cannot be read. */
export async function* readLines(
  path: string,
  onChunk: (chunk: Buffer) => void = () => undefined,
): AsyncGenerator<Line> {
  let rest: Buffer[] = [];
  let length = 0;
  const take = (part: Buffer): void => {
    length += part.length;
    if (length <= MAX_LINE_BYTES) rest.push(part);
    else rest = [];
  };
  const end = (isEnded: boolean): Line => {
    const text = rest.length === 1 ? rest[0]!.toString() : Buffer.concat(rest).toString();
    rest = [];
    length = 0;
    return { text, isEnded };
  };
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    onChunk(chunk);
    let from = 0;
    for (let at = chunk.indexOf(0x0a); at !== -1; at = chunk.indexOf(0x0a, from)) {
      take(chunk.subarray(from, at));
      yield end(true);
      from = at + 1;
    }
    if (from < chunk.length) take(chunk.subarray(from));
  }
  if (length > 0) yield end(false);
}
