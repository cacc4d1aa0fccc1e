import { constants, existsSync, statSync } from 'node:fs';
import { mkdir, open, type FileHandle } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CHECKPOINTS_STREAM } from '../../../events/catalog/audit.ts';
import { formatCheckpointLine, parseCheckpointLine } from '../../../events/proof/checkpoint-line.ts';
import { readCheckpoint } from '../../../events/proof/checkpoint.ts';
import { Malformed } from '../../../events/proof/malformed.ts';
import { parseNote } from '../../../events/proof/signed-note.ts';
import { parseTreeHead } from '../../../events/proof/tree-head.ts';
import { NO_STREAM, type RecordedEvent, type RecordReader } from '../../../events/store/store.ts';
import { writeAt } from '../../foundation/write-at.ts';

type StreamReader = Pick<RecordReader, 'readStream'>;

/** The file contradicts the record. It is left unchanged, so that somebody can find out why. */
export class ForeignCheckpoints extends Error {
  override readonly name = 'ForeignCheckpoints';
}

/** How far the file follows the stream: its last checkpoint, and the number of bytes up to the end of that line. */
type Written = Awaited<ReturnType<typeof writeLine>>;

const NEWLINE = 0x0a;
const CHUNK = 64 * 1024;
/** The longest line. An append takes at most 1 MiB, so no checkpoint is larger. */
const MAX_LINE = 1024 * 1024;

/**
 * The checkpoints outside the record, one on each line: a copy of the stream that is byte-identical whichever process
 * writes it. A line is written at its own offset, not at the end of the file, so that two processes that write at once
 * write equal bytes.
 */
export function checkpointFile(path: string) {
  let last: Written | undefined;
  /** The identity and length of the file when it was last written or found wrong. */
  let known: string | undefined;

  return {
    /**
     * Whether somebody has removed, replaced, cut or lengthened the file. The check is synchronous, so that nothing can
     * happen in between.
     */
    isChanged: (): boolean => known !== undefined && signOf(path) !== known,

    /**
     * Adds the checkpoints that the file lacks and repairs lines that were cut off; durable when it resolves. Rejects
     * with `ForeignCheckpoints` if the file belongs to another record or is ahead of this one, and with the faults of
     * file and store.
     */
    async bringUp(store: StreamReader): Promise<void> {
      try {
        await bringUp(store);
      } finally {
        known = signOf(path);
      }
    },
  };

  async function bringUp(store: StreamReader): Promise<void> {
    await using file = await openOrCreate(path);
    const { size } = await file.stat();
    let written = last;
    if (written?.end !== size) {
      // Existing lines may not be on disk yet. They must be there before another line follows.
      await file.datasync();
      written = await findWritten(file, size, store);
    }
    let torn = await readAt(file, written.end, size);
    for await (const event of store.readStream(CHECKPOINTS_STREAM, { from: written.revision + 1n })) {
      const line = lineOf(event);
      if (!isCutOff(torn.subarray(0, line.length), line))
        throw new ForeignCheckpoints('its last line belongs to a different record');
      torn = torn.subarray(line.length);
      written = await writeLine(file, line, written.end, event.revision);
    }
    if (torn.some((byte) => byte !== 0))
      throw new ForeignCheckpoints('it has more checkpoints than the record');
    if (written.end < size) await file.truncate(written.end);
    last = written;
  }
}

function signOf(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? 'gone' : `${found.ino} ${found.size}`;
}

/**
 * Checks, for readers, that the file ends with a checkpoint of this record. Rejects as `bringUp` does, and if there is
 * no file.
 */
export async function checkCheckpointFile(path: string, store: StreamReader): Promise<void> {
  await using file = await open(path, 'r');
  await findWritten(file, (await file.stat()).size, store);
}

/**
 * The name of the record that the file belongs to (see `parseTreeHead`); `null` if there is no file or its first line
 * is not complete.
 */
export async function originIn(path: string): Promise<string | null> {
  if (!existsSync(path)) return null;
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  const beginning = await readAt(file, 0, Math.min(size, MAX_LINE + 1));
  try {
    return headIn(beginning.subarray(0, beginning.indexOf(NEWLINE) + 1).toString('utf8')).origin;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    return null;
  }
}

/** Opens the file for writing, but not for appending, which would put each line at the end instead of its offset. */
async function openOrCreate(path: string): Promise<FileHandle> {
  const folder = dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = await open(path, constants.O_RDWR | constants.O_CREAT, 0o600);
  if ((await file.stat()).size === 0) {
    // The name of a new file is durable only after its folder is synced.
    await using entry = await open(folder, 'r');
    await entry.sync();
  }
  return file;
}

async function writeLine(file: FileHandle, line: Buffer, at: number, revision: bigint) {
  await writeAt(file, line, at);
  await file.datasync();
  return { revision, end: at + line.length };
}

function lineOf(event: RecordedEvent): Buffer {
  return Buffer.from(`${formatCheckpointLine(readCheckpoint(event))}\n`);
}

/**
 * Whether a crash during the write of `line` can have left these bytes: each byte is zero or equal to the byte of
 * `line` at its offset.
 */
function isCutOff(bytes: Buffer, line: Buffer): boolean {
  return bytes.every((byte, at) => byte === 0 || byte === line[at]);
}

/** Looks up the last whole line of the file in the stream. */
async function findWritten(file: FileHandle, size: number, store: StreamReader): Promise<Written> {
  let end = await startOfLine(file, size);
  let line: Buffer = Buffer.alloc(0);
  while (end > 0) {
    const start = await startOfLine(file, end - 1);
    line = await readAt(file, start, end);
    if (!line.includes(0)) break;
    end = start;
    if (size - end > MAX_LINE) throw new ForeignCheckpoints('it has lines that are not checkpoints');
  }
  if (end === 0) return { revision: NO_STREAM, end };
  const covered = sizeIn(line.toString('utf8'));
  let newest = -1;
  for await (const event of newestFirst(store)) {
    const checkpoint = readCheckpoint(event);
    newest = Math.max(newest, checkpoint.size);
    if (checkpoint.size > covered) continue;
    if (lineOf(event).equals(line)) return { revision: event.revision, end };
    break;
  }
  throw new ForeignCheckpoints(
    covered > newest
      ? 'it has more checkpoints than the record'
      : 'its last line belongs to a different record',
  );
}

/** Reads one event at a time: mostly the first one is right, and a page of events would be megabytes. */
async function* newestFirst(store: StreamReader): AsyncGenerator<RecordedEvent> {
  const newest = { direction: 'backwards', limit: 1 } as const;
  let from: bigint | undefined;
  while (from === undefined || from >= 0n) {
    const options = from === undefined ? newest : { ...newest, from };
    const [event] = await Array.fromAsync(store.readStream(CHECKPOINTS_STREAM, options));
    if (event === undefined) return;
    yield event;
    from = event.revision - 1n;
  }
}

/**
 * The tree head in a line.
 *
 * @throws {Malformed} for any other text.
 */
const headIn = (line: string) => parseTreeHead(parseNote(parseCheckpointLine(line).note).text);

function sizeIn(line: string): number {
  try {
    return headIn(line).size;
  } catch (error) {
    if (!(error instanceof Malformed)) throw error;
    throw new ForeignCheckpoints('its last line is not a checkpoint');
  }
}

/** The offset of the beginning of the line that contains the byte before `end`. */
async function startOfLine(file: FileHandle, end: number): Promise<number> {
  for (let to = end; to > 0;) {
    const from = Math.max(0, to - CHUNK);
    const at = (await readAt(file, from, to)).lastIndexOf(NEWLINE);
    if (at !== -1) return from + at + 1;
    if (end - from > MAX_LINE) throw new ForeignCheckpoints('it has lines that are not checkpoints');
    to = from;
  }
  return 0;
}

async function readAt(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const bytes = Buffer.alloc(to - from);
  const { bytesRead } = await file.read(bytes, 0, bytes.length, from);
  return bytes.subarray(0, bytesRead);
}
