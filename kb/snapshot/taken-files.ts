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

/** The same in a snapshot, which stores the sources elsewhere. */
export interface StoredFile extends Omit<TakenFile, 'content'> {
  readonly content: Omit<FileContent, 'sources'>;
  /** The index of each source; with the file's own source if the base has changed its id or year. */
  readonly sources: readonly (number | { readonly own: Source; readonly number: number | undefined })[];
}

export const takeFile = (
  { path, changed, sign }: BaseFile,
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
  return Array.from(files, ({ content: { sources: own, ...content }, ...file }) => ({
    ...file,
    content,
    sources: own.map((source) => {
      const number = numbers.get(source);
      if (number !== undefined) return number;
      const [other] = becameOf(source).flatMap((each) => numbers.get(each) ?? []);
      return { own: source, number: other };
    }),
  }));
}

/** A source of the index is the same object in its file. */
export const restoreFile = (
  { content, sources: own, sign, ...file }: StoredFile,
  sources: readonly Source[],
): TakenFile => ({
  ...file,
  ...(sign === undefined || file.hash === NOT_TAKEN ? {} : { sign }),
  content: {
    ...content,
    sources: own.map((source) => {
      if (typeof source === 'number') return sources[source]!;
      if (source.number !== undefined) rememberBecome(source.own, sources[source.number]!);
      return source.own;
    }),
  },
});
