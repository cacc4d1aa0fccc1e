import type { BaseFile } from '../base/files.ts';
import type { FileContent } from '../base/load.ts';
import { becameOf, rememberBecome } from '../base/placing.ts';
import type { Source } from '../source.ts';
import { toColumns, valuesOf, type Columns } from './columns.ts';
import { LISTED, restoreListed } from './listed-files.ts';

/** A file as it is in an index. */
export interface TakenFile extends Pick<BaseFile, 'changed' | 'sign'> {
  readonly path: string;
  /** SHA-256 of the file's bytes, or `NOT_TAKEN`. */
  readonly hash: string;
  readonly content: FileContent;
}

/**
 * The hash of a file whose parser ended for a reason that is not in the file. No bytes have this hash, so the next
 * start reads the file again.
 */
export const NOT_TAKEN = '';

/**
 * A source by its number in the index. If the base has changed the source's id or year, the file's own source is stored
 * too.
 */
type StoredSource = number | { readonly own: Source; readonly number: number | undefined };

/**
 * A `TakenFile` in the form in which a snapshot stores it: with the numbers of its sources, and without the fields that
 * most files do not need.
 */
interface StoredFile extends Omit<TakenFile, 'content'>, Pick<FileContent, 'kind' | 'idLine'> {
  /** A single number if the file has one source, which is in the index unchanged. */
  readonly sources: number | readonly StoredSource[];
  readonly text?: string;
  /** Absent if the file has no faults, no warnings and no unknown fields. */
  readonly found?: Pick<FileContent, 'faults' | 'warnings' | 'unknown'>;
}

export const takeFile = (
  { path, changed, sign }: Pick<BaseFile, 'path' | 'changed'> & { readonly sign?: string | undefined },
  hash: string,
  content: FileContent,
): TakenFile =>
  sign === undefined ? { path, hash, changed, content } : { path, hash, changed, sign, content };

/** The fields that nearly all files have, besides those of the listing. */
const FIELDS = ['hash', 'changed', 'kind', 'idLine', 'sources'] as const;

/** A group of files: the fields of a listing, and all other fields. */
interface StoredGroup {
  readonly listed: Columns;
  readonly others: Columns;
}

/** Puts files into groups for a snapshot. Sources are stored as their numbers in the index. */
export function* storingFiles(
  files: readonly TakenFile[],
  sources: readonly Source[],
  atOnce: number,
): Generator<StoredGroup> {
  const numbers = new Map(sources.map((source, number) => [source, number]));
  const stored = (source: Source): StoredSource => {
    const number = numbers.get(source);
    if (number !== undefined) return number;
    const [other] = becameOf(source).flatMap((each) => numbers.get(each) ?? []);
    return { own: source, number: other };
  };
  const storedFile = ({ content, ...file }: TakenFile): StoredFile => {
    const { kind, idLine, text, faults, warnings, unknown } = content;
    const own = content.sources.map(stored);
    const [only] = own;
    return {
      ...file,
      kind,
      idLine,
      sources: own.length === 1 && typeof only === 'number' ? only : own,
      ...(text === undefined ? {} : { text }),
      ...(faults.length + warnings.length + unknown.length === 0
        ? {}
        : { found: { faults, warnings, unknown } }),
    };
  };
  for (let from = 0; from < files.length; from += atOnce) {
    const group = files.slice(from, from + atOnce);
    const listed = group.map(({ path, hash, sign }) => ({
      path,
      sign: hash === NOT_TAKEN ? undefined : sign,
    }));
    yield { listed: toColumns(listed, LISTED), others: toColumns(group.map(storedFile), FIELDS, LISTED) };
  }
}

const NOTHING: readonly never[] = [];
const NO_MORE = {};
const NOTHING_FOUND = { faults: NOTHING, warnings: NOTHING, unknown: NOTHING };

/** Restores the files of a group. A source that is in the index is the same object in its file. */
export function restoreFiles({ listed, others }: StoredGroup, sources: readonly Source[]): TakenFile[] {
  const [hashes, months, kinds, lines, own] = FIELDS.map((field) => valuesOf(others, field)) as [
    string[],
    string[],
    FileContent['kind'][],
    number[],
    StoredFile['sources'][],
  ];
  const restored = (source: StoredSource): Source => {
    if (typeof source === 'number') return sources[source]!;
    if (source.number !== undefined) rememberBecome(source.own, sources[source.number]!);
    return source.own;
  };
  return restoreListed(listed).map(({ path, sign }, place) => {
    const { text, found = NOTHING_FOUND } = (others.rest.get(place) ?? NO_MORE) as Partial<StoredFile>;
    const { faults, warnings, unknown } = found;
    const stored = own[place]!;
    const content: FileContent = {
      path,
      kind: kinds[place]!,
      sources: typeof stored === 'number' ? [sources[stored]!] : stored.map(restored),
      idLine: lines[place]!,
      faults,
      warnings,
      unknown,
    };
    const hash = hashes[place]!;
    return takeFile(
      { path, changed: months[place]!, sign },
      hash,
      text === undefined ? content : { ...content, text },
    );
  });
}
