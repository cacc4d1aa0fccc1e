import { mkdir, open, readFile, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { BelegError } from '../../events/errors.ts';
import type { Json } from '../../events/json.ts';
import type { NewEvent } from '../../events/store/store.ts';
import { writeAt } from '../write-at.ts';

/** One append that the store could not take yet. Its free text is ciphertext already. */
export interface SpoolEntry {
  readonly stream: string;
  readonly events: readonly NewEvent[];
}

const Line = z.object({
  stream: z.string(),
  events: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      data: z.custom<Json>((value) => value !== undefined),
      metadata: z.looseObject({
        at: z.string(),
        version: z.int(),
        $correlationId: z.string(),
        $causationId: z.string(),
        traceparent: z.string().exactOptional(),
        key: z.string().exactOptional(),
      }),
    }),
  ),
});

/** What it may hold while the store is away. */
const MAX_SPOOL_BYTES = 64 * 1024 * 1024;

/**
 * A bounded, durable queue of appends: one JSON line each in `DATA_DIR/spool/events.jsonl`, with its checksum.
 *
 * `push` resolves only when the line is on disk. A kill can tear the last line, which was not acknowledged then and is
 * dropped at the next start. Where power fails after writes that were never synced, parts of several may stand there as
 * one line; its checksum tells. The file is emptied when the last entry has been taken out; a kill before that brings
 * delivered entries back, so whoever delivers must recognise events that are stored already (by their ids).
 */
export async function openSpool(folder: string, { maxBytes = MAX_SPOOL_BYTES } = {}) {
  const path = join(folder, 'events.jsonl');
  // Writes nothing yet: a disk that is full must not stop the start.
  const content = await readFile(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return Buffer.alloc(0);
    throw error;
  });
  const entries: SpoolEntry[] = [];
  /** Length of the whole lines in the file: where the next line goes. */
  let bytes = 0;
  let damaged = 0;
  for (let end = content.indexOf('\n'); end !== -1; end = content.indexOf('\n', bytes)) {
    const entry = parseLine(content.toString('utf8', bytes, end));
    if (entry === undefined) damaged += 1;
    else entries.push(entry);
    bytes = end + 1;
  }
  let size = entries.reduce((sum, entry) => sum + entry.events.length, 0);
  let file: FileHandle | undefined;
  /** Writes go one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  return {
    /** Whole lines that could not be read at the start: appends that are lost. */
    damaged,

    /** Events that wait. */
    get size() {
      return size;
    },

    first: () => entries[0],

    /** True when text under this vault key waits here. */
    usesKey: (key: string): boolean =>
      entries.some(({ events }) => events.some(({ metadata }) => metadata.key === key)),

    /** Rejects with `STORE_UNAVAILABLE` when the spool is full or cannot be written; then nothing was kept. */
    push: (entry: SpoolEntry) =>
      inTurn(async () => {
        const line = Buffer.from(`${lineOf(entry)}\n`);
        if (bytes + line.length > maxBytes) {
          throw new BelegError('STORE_UNAVAILABLE', { detail: 'The spool is full' });
        }
        try {
          file ??= await openDurably(path);
          // At a fixed place: what a failed write left behind is overwritten.
          await writeAt(file, line, bytes);
          await file.truncate(bytes + line.length);
          await file.datasync();
        } catch (error) {
          throw new BelegError('STORE_UNAVAILABLE', { detail: 'The spool cannot be written', cause: error });
        }
        bytes += line.length;
        entries.push(entry);
        size += entry.events.length;
      }),

    /** Takes out the first entry, which has been delivered; empties the file with the last one. */
    shift: () =>
      inTurn(async () => {
        size -= entries.shift()?.events.length ?? 0;
        if (entries.length > 0) return;
        file ??= await openDurably(path);
        await file.truncate(0);
        // Whether or not that gets to the disk, the next line goes to the start.
        bytes = 0;
        await file.datasync();
      }),

    async close(): Promise<void> {
      await last;
      await file?.close();
      file = undefined;
    },
  };
}

export type Spool = Awaited<ReturnType<typeof openSpool>>;

/** The entry as one JSON object, before all a checksum of the rest. */
function lineOf(entry: SpoolEntry): string {
  const json = JSON.stringify(entry);
  return `{"crc":${crc32(json)},${json.slice(1)}`;
}

/** What stands on a line; `undefined` where that is not what was written. Earlier releases wrote no checksum. */
function parseLine(line: string): SpoolEntry | undefined {
  const [head, crc] = /^\{"crc":(\d+),/.exec(line) ?? [];
  if (head !== undefined && crc32(`{${line.slice(head.length)}`) !== Number(crc)) return undefined;
  try {
    return Line.parse(JSON.parse(line));
  } catch {
    return undefined;
  }
}

/** Creates the file where it is missing, and makes its directory entry durable too. */
async function openDurably(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true });
  const file = await open(path, 'r+').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return open(path, 'w+', 0o600);
    throw error;
  });
  const folder = await open(dirname(path), 'r');
  await folder.sync();
  await folder.close();
  return file;
}
