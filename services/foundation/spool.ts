import { createReadStream } from 'node:fs';
import { mkdir, open, readFile, stat, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { BelegError } from '../../events/errors.ts';
import type { Json } from '../../events/json.ts';
import type { NewEvent } from '../../events/store/store.ts';
import { ifAbsent } from '../../kb/if-absent.ts';
import { readText, writeDurably } from '../../kb/snapshot/durable-file.ts';
import { writeAt } from './write-at.ts';

/** An append that is kept until the store takes it. Its free text is encrypted already. */
export interface SpoolEntry {
  readonly stream: string;
  readonly events: readonly NewEvent[];
  /**
   * Base64 of the key with which its text is encrypted, if the key of its request was unavailable. The text is
   * encrypted again with the request's key before it is delivered.
   */
  readonly key?: string;
}

/** The content of a spool in figures, for observers. */
export interface SpoolFigures {
  /** The number of events that wait. */
  readonly waiting: number;
  /** The number of lost events, as far as it was written down. */
  readonly lost: number;
}

/** A line of a spool that cannot be read. */
interface DamagedLine {
  /** The number of the line in the file, from 1. */
  readonly line: number;
  readonly reason: string;
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
  key: z.base64().exactOptional(),
});

/** The file with the waiting events, in the folder of a spool. */
export const EVENTS_FILE = 'events.jsonl';
const LOST_FILE = 'lost.json';
/** The file beside the events for bytes of lines that could not be read. */
const DAMAGED_FILE = `${EVENTS_FILE}.damaged`;

/** The most bytes that the spool may hold. */
const MAX_SPOOL_BYTES = 64 * 1024 * 1024;
/** The number of bytes that the events of one ask rarely exceed. */
const ENTRY_BYTES = 64 * 1024;

/**
 * A bounded, durable queue of appends: one JSON line each in `events.jsonl` (mode 0600) of its folder, with its
 * checksum. Beside it, `lost.json` counts the events that could be kept nowhere, over all restarts, until an operator
 * removes it. `lost.json` exists from the start, with the room that it needs on a full disk. Lines that cannot be read
 * go to `events.jsonl.damaged` (mode 0600) before the file is emptied.
 *
 * `push` resolves only when the line is on disk. A kill can cut off the last line, which was then not acknowledged and
 * is dropped at the next start. After a power failure, parts of several unsynced writes may form one line; its checksum
 * shows it. The file is emptied when the last entry has been taken out. A kill before that brings delivered entries
 * back, so the deliverer must recognise stored events (by their ids).
 */
export async function openSpool(folder: string, { maxBytes = MAX_SPOOL_BYTES } = {}) {
  const path = join(folder, EVENTS_FILE);
  const lostPath = join(folder, LOST_FILE);
  const damagedPath = join(folder, DAMAGED_FILE);
  // A disk that is full must not stop the start.
  const content = await readFile(path).catch(ifAbsent(Buffer.alloc(0)));
  const entries = new Set<SpoolEntry>();
  /** The length of the complete lines in the file, where the next line begins. */
  let bytes = 0;
  const damage: DamagedLine[] = [];
  /**
   * The bytes of lines that could not be read, and the number of their events. While they are in the file they count as
   * lost; afterwards they are added to the other files.
   */
  const unread: { bytes: Buffer[]; events: number } = { bytes: [], events: 0 };
  let line = 0;
  for (let end = content.indexOf('\n'); end !== -1; end = content.indexOf('\n', bytes)) {
    line += 1;
    const text = content.toString('utf8', bytes, end);
    const entry = parseLine(text);
    if (typeof entry === 'string') {
      damage.push({ line, reason: entry });
      unread.bytes.push(Buffer.from(content.subarray(bytes, end + 1)));
      unread.events += Math.max(1, eventsIn(text));
    } else entries.add(entry);
    bytes = end + 1;
  }
  /** A line that a kill has cut off was never acknowledged. */
  let torn = content.length > bytes;
  let size = [...entries].reduce((sum, { events }) => sum + events.length, 0);
  let writtenLost = await readLost(lostPath);
  let lost = writtenLost;
  // The count is created while there is room. If there is none already, the start goes on without it.
  await reserveCount(lostPath).catch(() => undefined);
  let file: FileHandle | undefined;
  /** Writes run one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = last.then(work);
    last = turn.catch(() => undefined);
    return turn;
  }

  /** The file with all waiting events. It is written again, with one more, if somebody has removed or emptied it. */
  async function wholeFile(more?: SpoolEntry): Promise<FileHandle> {
    file ??= await openDurably(path);
    const { nlink, size: length } = await file.stat();
    if (nlink !== 0 && length >= bytes) return file;
    await file.close();
    file = undefined;
    const made = await openDurably(path);
    file = made;
    const lines = Buffer.from(
      [...entries, ...(more === undefined ? [] : [more])].map((entry) => `${lineOf(entry)}\n`).join(''),
    );
    await writeAt(made, lines, 0);
    await made.truncate(lines.length);
    await made.datasync();
    bytes = lines.length;
    // If the disk does not take the unreadable lines now, `empty` tries again.
    await keepUnread().catch(() => undefined);
    return made;
  }

  /** Keeps the bytes of the lines that could not be read, and counts their events. Rejects if the disk does not take them. */
  async function keepUnread(): Promise<void> {
    if (unread.bytes.length === 0) return;
    await appendDurably(damagedPath, Buffer.concat(unread.bytes));
    lost += unread.events;
    unread.bytes = [];
    unread.events = 0;
  }

  async function writeLost(): Promise<void> {
    if (lost === writtenLost) return;
    const count = lost;
    await writeCount(lostPath, count);
    writtenLost = count;
  }

  async function empty(): Promise<void> {
    await keepUnread();
    torn = false;
    // If the count of lost events cannot be written now, `check` writes it later.
    await writeLost().catch(() => undefined);
    file ??= await openDurably(path);
    await file.truncate(0);
    // Whether or not this reaches the disk, the next line is written at the beginning of the file.
    bytes = 0;
    await file.datasync();
  }

  return {
    /** The number of events that wait. */
    get size() {
      return size;
    },

    /**
     * The number of events that could be kept nowhere, including those of earlier runs and those on lines that cannot be
     * read.
     */
    get lost() {
      return lost + unread.events;
    },
    /** The lines that could not be read when the spool was opened, with their file and the one that keeps their bytes. */
    damage: { file: path, kept: damagedPath, lines: damage as readonly DamagedLine[] },

    /** The oldest entries. */
    first: (count: number): SpoolEntry[] => [...Iterator.from(entries).take(count)],

    /** True if text under this vault key waits here. */
    usesKey: (key: string): boolean =>
      Iterator.from(entries).some(({ events }) => events.some(({ metadata }) => metadata.key === key)),

    /**
     * Adds an entry. Rejects with `STORE_UNAVAILABLE` if the spool is full or cannot be written; then nothing was kept.
     */
    push: (entry: SpoolEntry) =>
      inTurn(async () => {
        const line = Buffer.from(`${lineOf(entry)}\n`);
        if (bytes + line.length > maxBytes) {
          throw new BelegError('STORE_UNAVAILABLE', { detail: 'The spool is full' });
        }
        try {
          const whole = await wholeFile();
          // Writes at a fixed offset, so that the rest of a failed write is overwritten.
          await writeAt(whole, line, bytes);
          await whole.truncate(bytes + line.length);
          await whole.datasync();
          // The file may have been removed meanwhile: then the line is on disk, but nobody can find it.
          if ((await whole.stat()).nlink === 0) await wholeFile(entry);
          else bytes += line.length;
        } catch (error) {
          throw new BelegError('STORE_UNAVAILABLE', { detail: 'The spool cannot be written', cause: error });
        }
        entries.add(entry);
        size += entry.events.length;
      }),

    /** Whether an entry could be kept now. Bytes are written where the next line would be, and removed again. */
    hasRoom: () =>
      inTurn(async () => {
        if (bytes + ENTRY_BYTES > maxBytes) return false;
        try {
          const whole = await wholeFile();
          await writeAt(whole, Buffer.alloc(ENTRY_BYTES), bytes);
          await whole.datasync();
          await whole.truncate(bytes);
          return true;
        } catch {
          return false;
        }
      }),

    /** Takes out entries that have been delivered; empties the file with the last one. */
    remove: (delivered: readonly SpoolEntry[]) =>
      inTurn(async () => {
        for (const entry of delivered) if (entries.delete(entry)) size -= entry.events.length;
        if (entries.size === 0) await empty();
      }),

    /**
     * Counts events that could not be kept. It never rejects: if the count cannot be written now, `check` writes it
     * later.
     */
    lose: (count: number): Promise<void> => {
      lost += count;
      return inTurn(writeLost).catch(() => undefined);
    },

    /**
     * Restores what is missing on disk: files that were removed while events wait, and the count of lost events in
     * `lost.json`, if it could not be written. If an operator has removed that file, the count begins at 0. Rejects with
     * the fault of the file system.
     */
    check: () =>
      inTurn(async () => {
        if ((await readText(lostPath)) === undefined) {
          lost -= writtenLost;
          writtenLost = 0;
          await writeCount(lostPath, lost);
          writtenLost = lost;
        }
        await writeLost();
        if (entries.size > 0) await wholeFile();
        else if (unread.bytes.length > 0 || torn) await empty();
      }),

    async close(): Promise<void> {
      await last;
      // Nobody else checks the file any more, so it is checked once more.
      if (file !== undefined && entries.size > 0) await wholeFile().catch(() => undefined);
      await file?.close();
      file = undefined;
    },
  };
}

export type Spool = Awaited<ReturnType<typeof openSpool>>;

/** Figures on the spool of this folder, whichever process has it open. Empty if there is none. */
export async function readSpoolFigures(folder: string): Promise<SpoolFigures> {
  const [waiting, lost] = await Promise.all([
    countEvents(join(folder, EVENTS_FILE)),
    readLost(join(folder, LOST_FILE)),
  ]);
  return { waiting, lost };
}

/** The file with the lines of this folder's spool that could not be read; undefined if there is none. */
export async function damagedFileIn(folder: string): Promise<string | undefined> {
  const path = join(folder, DAMAGED_FILE);
  return (await sizeOf(path)) > 0 ? path : undefined;
}

/** Whether the spool of this folder contains anything, even a line that a kill has cut off. */
export async function holdsEvents(folder: string): Promise<boolean> {
  return (await sizeOf(join(folder, EVENTS_FILE))) > 0;
}

/** The length of a file; 0 if it does not exist. */
async function sizeOf(path: string): Promise<number> {
  return (await stat(path).catch(ifAbsent(undefined)))?.size ?? 0;
}

/** The number of events in a file. The file is read in pieces, so that memory stays small. */
async function countEvents(path: string): Promise<number> {
  let count = 0;
  try {
    for await (const line of createInterface({ input: createReadStream(path) })) {
      count += eventsIn(line);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  return count;
}

/**
 * The number of events on a line. It counts a text that occurs exactly once in each event, so that it works even if the
 * line cannot be parsed.
 */
const eventsIn = (line: string): number => line.split(CAUSE).length - 1;

/** The key as JSON writes it. Inside a text its quotes would be escaped. */
const CAUSE = '"$causationId":';

/**
 * The length of the file with the count, whatever the count is. A count that is overwritten in place needs no more
 * room, so it can be written even on a full disk.
 */
const COUNT_BYTES = 64;

async function writeCount(path: string, lost: number): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ lost }).padEnd(COUNT_BYTES - 1)}\n`);
  await using file = await open(path, 'r+').catch(ifAbsent(undefined));
  if (file === undefined) return writeDurably(path, bytes);
  await writeAt(file, bytes, 0);
  await file.truncate(bytes.length);
  await file.datasync();
}

/** Makes the file with the number of lost entries while there is room: when the first one is lost, the disk may be full. */
async function reserveCount(path: string): Promise<void> {
  const text = await readText(path);
  if (text !== undefined && text.length >= COUNT_BYTES) return;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  await writeCount(path, await readLost(path));
}

async function readLost(path: string): Promise<number> {
  const text = await readText(path);
  if (text === undefined) return 0;
  try {
    return z.object({ lost: z.int().nonnegative() }).parse(JSON.parse(text)).lost;
  } catch {
    // The file is damaged, so something was lost.
    return 1;
  }
}

/** The line of an entry: a JSON object that begins with a checksum of the rest. */
function lineOf(entry: SpoolEntry): string {
  const json = JSON.stringify(entry);
  return `{"crc":${crc32(json)},${json.slice(1)}`;
}

/** The entry on a line, or why the line cannot be read. Earlier releases wrote no checksum. */
function parseLine(line: string): SpoolEntry | string {
  const [head, crc] = /^\{"crc":(\d+),/.exec(line) ?? [];
  if (head !== undefined && crc32(`{${line.slice(head.length)}`) !== Number(crc)) {
    return 'its checksum does not match its content';
  }
  let json: unknown;
  try {
    json = JSON.parse(line);
  } catch {
    return 'it is not JSON';
  }
  const parsed = Line.safeParse(json);
  return parsed.success ? parsed.data : 'it is not an entry of a spool';
}

/** Adds bytes to the end of a file, all or none. */
async function appendDurably(path: string, bytes: Buffer): Promise<void> {
  await using file = await openDurably(path);
  const { size } = await file.stat();
  try {
    await writeAt(file, bytes, size);
    await file.datasync();
  } catch (error) {
    await file.truncate(size).catch(() => undefined);
    throw error;
  }
}

/** Creates the file where it is missing, and makes its directory entry durable too. */
async function openDurably(path: string): Promise<FileHandle> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const file = (await open(path, 'r+').catch(ifAbsent(undefined))) ?? (await open(path, 'w+', 0o600));
  await using folder = await open(dirname(path), 'r');
  await folder.sync();
  return file;
}
