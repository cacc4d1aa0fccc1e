import type { BaseFile } from '../base/files.ts';
import type { FileContent } from '../base/load.ts';
import { becameOf, rememberBecome } from '../base/placing.ts';
import type { Source } from '../source.ts';

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

/** The same in a snapshot, which stores the sources elsewhere. It is flat and lacks what most files lack, so that many are read fast. */
export interface StoredFile extends Omit<TakenFile, 'content'>, Pick<FileContent, 'kind' | 'idLine'> {
  readonly sources: readonly StoredSource[];
  readonly text?: string;
  /** Absent where there are none of any kind. */
  readonly found?: Pick<FileContent, 'faults' | 'warnings' | 'unknown'>;
}

export const takeFile = (
  { path, changed, sign }: Pick<BaseFile, 'path' | 'changed' | 'sign'>,
  hash: string,
  content: FileContent,
): TakenFile => ({
  path,
  hash,
  changed,
  ...(sign === undefined ? {} : { sign }),
  content,
});

export function storeFiles(files: Iterable<TakenFile>, sources: readonly Source[]): StoredFile[] {
  const numbers = new Map(sources.map((source, number) => [source, number]));
  const stored = (source: Source): StoredSource => {
    const number = numbers.get(source);
    if (number !== undefined) return number;
    const [other] = becameOf(source).flatMap((each) => numbers.get(each) ?? []);
    return { own: source, number: other };
  };
  return Array.from(files, ({ content, ...file }) => {
    const { kind, idLine, text, faults, warnings, unknown } = content;
    return {
      ...file,
      kind,
      idLine,
      sources: content.sources.map(stored),
      ...(text === undefined ? {} : { text }),
      ...(faults.length + warnings.length + unknown.length === 0
        ? {}
        : { found: { faults, warnings, unknown } }),
    };
  });
}

const NOTHING: readonly never[] = [];
const NOTHING_FOUND = { faults: NOTHING, warnings: NOTHING, unknown: NOTHING };

/** A source of the index is the same object in its file. */
export function restoreFile(stored: StoredFile, sources: readonly Source[]): TakenFile {
  const { path, hash, changed, sign, kind, idLine, text, found = NOTHING_FOUND } = stored;
  const { faults, warnings, unknown } = found;
  const restored = (source: StoredSource): Source => {
    if (typeof source === 'number') return sources[source]!;
    if (source.number !== undefined) rememberBecome(source.own, sources[source.number]!);
    return source.own;
  };
  const own = stored.sources.map(restored);
  const content: FileContent = { path, kind, sources: own, idLine, faults, warnings, unknown };
  return takeFile(
    { path, changed, ...(sign === undefined || hash === NOT_TAKEN ? {} : { sign }) },
    hash,
    text === undefined ? content : { ...content, text },
  );
}
