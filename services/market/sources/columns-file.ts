import { endianness } from 'node:os';
import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { readJson } from '../../../events/json.ts';
import { PRICES } from '../bar-columns.ts';
import { WARNINGS } from '../bar-warnings.ts';
import { datesOfDays, dayNumber } from '../day-number.ts';
import type { FetchedColumns } from './source.ts';

/** The format of a file. A file of another format or byte order is written again. */
const FORMAT = `beleg columns 3 ${endianness()}`;
/** The columns begin at a multiple of this many bytes. */
const WORD = 8;
/** The longest first line, which is longer than one with the longest path. */
const LONGEST_HEAD = 16 * 1024;

/** The first line of a file: the table, and a hash of everything that the columns were made from. */
const Head = z.object({
  format: z.literal(FORMAT),
  /** The path, size and time of the table. */
  path: z.string(),
  size: z.number(),
  mtimeMs: z.number(),
  /** A hash of all that the columns were made from. */
  key: z.string(),
  /** The CRC-32 of the rest of the file. */
  body: z.number(),
});
type ColumnsHead = z.output<typeof Head>;

const Convention = z.enum(['as-traded', 'split-adjusted']);

/** The facts about a table that are kept besides its columns. */
const About = z.object({
  rows: z.int().nonnegative(),
  further: z.array(z.string()),
  splits: z.array(z.object({ date: z.string(), ratio: z.string() })),
  dividends: z.array(z.object({ date: z.string(), amount: z.number() })),
  convention: z.object({ bars: Convention, dividends: Convention }),
  currency: z.string().optional(),
  notes: z.array(z.string()),
  warnings: z.array(z.object({ date: z.string(), kind: z.enum(WARNINGS), detail: z.string() })),
});

/** Encodes the columns as a file: its head, the facts about the table as JSON, the figures, the days. */
export function encodeColumns(
  { bars, ...fetched }: FetchedColumns,
  of: Omit<ColumnsHead, 'format' | 'body'>,
): Buffer {
  const about: z.input<typeof About> = {
    rows: bars.dates.length,
    further: [...bars.further.keys()],
    splits: [...fetched.splits],
    dividends: [...fetched.dividends],
    convention: fetched.convention,
    ...(fetched.currency === undefined ? {} : { currency: fetched.currency }),
    notes: [...(fetched.notes ?? [])],
    warnings: [...fetched.warnings],
  };
  const columns = [...PRICES.map((name) => bars[name]), bars.volume, ...bars.further.values()];
  const body = Buffer.concat([
    padded(JSON.stringify(about)),
    ...columns.map(bytesOf),
    bytesOf(Int32Array.from(bars.dates, dayNumber)),
  ]);
  const head: ColumnsHead = { format: FORMAT, ...of, body: crc32(body) };
  return Buffer.concat([padded(JSON.stringify(head)), body]);
}

/** Reads the head of a file; `null` if it is no such file, or has another format. */
export function readHead(bytes: Buffer): ColumnsHead | null {
  const text = lineAt(bytes.subarray(0, LONGEST_HEAD), 0);
  return text === null ? null : (readJson(Head, text) ?? null);
}

/** Reads the columns of a file; `null` if it has another key, or is damaged. */
export function decodeColumns(file: Buffer, key: string): FetchedColumns | null {
  const head = readHead(file);
  if (head === null || head.key !== key) return null;
  // Views of the columns must begin at a multiple of their numbers' size.
  const bytes = file.byteOffset % WORD === 0 ? file : Buffer.from(new Uint8Array(file).buffer);
  const body = bytes.subarray(bytes.indexOf('\n') + 1);
  if (crc32(body) !== head.body) return null;
  const text = lineAt(body, 0) ?? '';
  const told = readJson(About, text);
  if (told === undefined) return null;
  const { rows, further, ...about } = told;
  let at = body.byteOffset + Buffer.byteLength(text) + 1;
  const next = (): Float64Array => {
    const column = new Float64Array(body.buffer, at, rows);
    at += column.byteLength;
    return column;
  };
  const [open, high, low, close, volume] = [next(), next(), next(), next(), next()];
  const named = new Map(further.map((name) => [name, next()] as const));
  const dates = datesOfDays(new Int32Array(body.buffer, at, rows));
  return { ...about, bars: { dates, open, high, low, close, volume, further: named } };
}

const bytesOf = ({ buffer, byteOffset, byteLength }: Float64Array | Int32Array): Uint8Array =>
  new Uint8Array(buffer, byteOffset, byteLength);

/** A line that is padded to a multiple of `WORD`. */
function padded(line: string): Buffer {
  const length = Buffer.byteLength(line) + 1;
  return Buffer.from(`${line}${' '.repeat((WORD - (length % WORD)) % WORD)}\n`);
}

function lineAt(bytes: Buffer, from: number): string | null {
  const end = bytes.indexOf('\n', from);
  return end < 0 ? null : bytes.toString('utf8', from, end);
}
