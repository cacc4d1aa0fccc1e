import { deserialize } from 'node:v8';

import type { Columns } from './columns.ts';
import type { Sealed } from './sealed.ts';

/** The content of the first part of a snapshot: the numbers of sources, of files, and of blocks of postings. */
export type Count = Readonly<Record<'sources' | 'taken' | 'words' | 'grams', number>>;

/** The number of sources or files in a part. A part is decoded in one step, which takes a millisecond or two. */
export const GROUP = 200;

const COUNT = 0;
export const FACTS = 1;
export const NAMES = 2;
/** The parts of the files come first, because the places of the other parts are known only after reading these. */
const FIRST_FILES = 3;
/** Each group of files has two parts: what a listing of the folder shows of them, and everything else. */
const EACH_FILES = 2;

export const firstAfterFiles = ({ taken }: Count): number =>
  FIRST_FILES + EACH_FILES * Math.ceil(taken / GROUP);

export const countIn = (sealed: Sealed): Count => deserialize(sealed.partNow(COUNT)) as Count;

/** The first part of each group of files. */
export function* partsOfFiles(count: Count): Generator<number> {
  for (let part = FIRST_FILES; part < firstAfterFiles(count); part += EACH_FILES) yield part;
}

/**
 * Decodes a part with columns. Columns have no arrays of bytes: these would still refer to the memory that the next
 * read overwrites.
 */
export const columnsIn = (sealed: Sealed, part: number): Columns =>
  deserialize(sealed.partNow(part)) as Columns;
