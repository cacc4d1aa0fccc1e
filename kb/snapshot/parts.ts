import { deserialize } from 'node:v8';

import type { Columns } from './columns.ts';
import type { Sealed } from './sealed.ts';

/** The first part of a snapshot: how many sources and files there are, and blocks of postings. */
export type Count = Readonly<Record<'sources' | 'taken' | 'words' | 'grams', number>>;

/** The sources or files of a part, which is decoded in one step: it takes a millisecond or two. */
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

/** They have no arrays of bytes, which would stay where they were read. */
export const columnsIn = (sealed: Sealed, part: number): Columns =>
  deserialize(sealed.partNow(part)) as Columns;
