import type { BaseFile } from '../base/files.ts';
import type { FileContent } from '../base/load.ts';
import { becameOf, rememberBecome } from '../base/placing.ts';
import type { Source } from '../source.ts';
import { toColumns, valuesOf, type Columns } from './columns.ts';

/** A file as it is in an index. */
export interface TakenFile extends Pick<BaseFile, 'changed' | 'sign'> {
  readonly path: string;
  /** SHA-256 of its bytes, or `NOT_TAKEN`. */
  readonly hash: string;
  readonly content: FileContent;
}

/** The hash of a file whose parser ended for another reason; no bytes have it, so the next start reads the file. */
export const NOT_TAKEN = '';

/** A source by its number; with the file's own source if the base has changed its id or year. */
type StoredSource = number | { readonly own: Source; readonly number: number | undefined };

/** The same in a snapshot, which stores the sources elsewhere. It is flat and lacks what most files lack. */
interface StoredFile extends Omit<TakenFile, 'content'>, Pick<FileContent, 'kind' | 'idLine'> {
  /** A number alone where there is one source, which is in the index. */
  readonly sources: number | readonly StoredSource[];
  readonly text?: string;
  /** Absent where there are none of any kind. */
  readonly found?: Pick<FileContent, 'faults' | 'warnings' | 'unknown'>;
}

export const takeFile = (
  { path, changed, sign }: Pick<BaseFile, 'path' | 'changed'> & { readonly sign?: string | undefined },
  hash: string,
  content: FileContent,
): TakenFile =>
  sign === undefined ? { path, hash, changed, content } : { path, hash, changed, sign, content };

/** What nearly all files have. */
const FIELDS = ['path', 'hash', 'changed', 'sign', 'kind', 'idLine', 'sources'] as const;

/** Stores groups of files. A file with one source of the index has its number alone. */
export function* storingFiles(
  files: readonly TakenFile[],
  sources: readonly Source[],
  atOnce: number,
): Generator<Columns> {
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
  for (let from = 0; from < files.length; from += atOnce)
    yield toColumns(files.slice(from, from + atOnce).map(storedFile), FIELDS);
}

const NOTHING: readonly never[] = [];
const NO_MORE = {};
const NOTHING_FOUND = { faults: NOTHING, warnings: NOTHING, unknown: NOTHING };

/** A source of the index is the same object in its file. */
export function restoreFiles(group: Columns, sources: readonly Source[]): TakenFile[] {
  const [paths, hashes, months, signs, kinds, lines, own] = FIELDS.map((field) => valuesOf(group, field)) as [
    string[],
    string[],
    string[],
    (string | undefined)[],
    FileContent['kind'][],
    number[],
    StoredFile['sources'][],
  ];
  const restored = (source: StoredSource): Source => {
    if (typeof source === 'number') return sources[source]!;
    if (source.number !== undefined) rememberBecome(source.own, sources[source.number]!);
    return source.own;
  };
  return paths.map((path, place) => {
    const { text, found = NOTHING_FOUND } = (group.rest.get(place) ?? NO_MORE) as Partial<StoredFile>;
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
    const sign = hash === NOT_TAKEN ? undefined : signs[place];
    return takeFile(
      { path, changed: months[place]!, sign },
      hash,
      text === undefined ? content : { ...content, text },
    );
  });
}
