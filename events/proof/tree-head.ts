import { hash } from 'node:crypto';
import type { z } from 'zod';
import type { StreamHead } from '../catalog/audit.ts';
import { decodeBase64, Malformed } from './malformed.ts';
import { HASH_BYTES } from './merkle.ts';

/** The content of a checkpoint's note (C2SP tlog-checkpoint): the log's name, its number of leaves, and its root. */
type TreeHead = ReturnType<typeof parseTreeHead>;

/** The head of a stream. */
export type Head = Readonly<z.output<typeof StreamHead>>;

const ORIGIN = /^beleg\/[0-9a-f]{16}$/;
const SIZE = /^(0|[1-9][0-9]{0,15})$/;
const HEADS = 'heads ';

/**
 * The name of a record in notes.
 *
 * @param firstHash the chain hash of the record's first event, in hexadecimal.
 */
export function originOf(firstHash: string): string {
  return `beleg/${firstHash.slice(0, 16)}`;
}

/**
 * A list of heads in the form of canonical JSON: members sorted by name. There may be thousands, and this is several
 * times as fast as sorting the members of each.
 */
export function orderedHeads(heads: readonly Head[]): Head[] {
  return heads.map(({ hash, revision, stream }) => ({ hash, revision, stream: stream.toWellFormed() }));
}

/** SHA-256 of the heads as canonical JSON, in the given order. */
export function headsHash(heads: readonly Head[]): Buffer {
  return hash('sha256', JSON.stringify(orderedHeads(heads)), 'buffer');
}

/** The text of the note. */
export function formatTreeHead({ origin, size, root, heads }: TreeHead): string {
  return `${origin}\n${size}\n${root.toString('base64')}\n${HEADS}${heads.toString('base64')}\n`;
}

/**
 * Reads the text of a note. Unknown lines at the end, which a later version may add, are skipped.
 *
 * @throws {Malformed} for any other text.
 */
export function parseTreeHead(text: string) {
  if (!text.endsWith('\n')) throw new Malformed('the checkpoint is cut off');
  const [origin = '', size = '', root = '', ...extensions] = text.slice(0, -1).split('\n');
  if (!ORIGIN.test(origin)) throw new Malformed('the checkpoint does not come from a Beleg record');
  if (!SIZE.test(size) || !Number.isSafeInteger(Number(size))) {
    throw new Malformed('the size of the checkpoint is not a whole number');
  }
  if (extensions.includes('')) throw new Malformed('the checkpoint has an empty line');
  const heads = extensions.filter((line) => line.startsWith(HEADS));
  if (heads.length !== 1) throw new Malformed('the checkpoint must have exactly one line of heads');
  return {
    /** `beleg/` and the first 16 hexadecimal digits of the chain hash of the record's first event. */
    origin,
    size: Number(size),
    root: parseHash(root),
    /** The hash of the stream heads (see `headsHash`). Through it the signature covers them as well. */
    heads: parseHash(heads[0]!.slice(HEADS.length)),
  };
}

function parseHash(encoded: string): Buffer {
  const bytes = decodeBase64(encoded);
  if (bytes?.length !== HASH_BYTES) throw new Malformed('a hash of the checkpoint is not 32 bytes of base64');
  return bytes;
}
