import { KnowledgeBaseInvalid } from '../base/faults.ts';
import type { BaseFile } from '../base/files.ts';
import { isSourceFile, parseKnowledgeBase } from '../base/load.ts';
import type { Source } from '../source.ts';
import { parseDocuments, type ParsedDocument } from './parse.ts';
import { sourcesOf } from './sources.ts';

/** The passages that a file alone would give in a base. */
export interface Preview {
  readonly path: string;
  /** Its passages in order. */
  readonly sources: readonly Source[];
  /** What was left out by rule, such as running heads, and how often. */
  readonly leftOut: Readonly<Record<string, number>>;
  /** Why the file gives no passage. */
  readonly fault?: string;
}

/** The previews of files, in their order. */
export async function previewsOf(files: readonly BaseFile[]): Promise<readonly Preview[]> {
  const documents = files.filter((file) => !isSourceFile(file));
  const parsed = await parseDocuments(documents, { cacheDir: null });
  const byFile = new Map(documents.map((file, i) => [file, parsed[i]!]));
  return files.map((file) => {
    const document = byFile.get(file);
    return document === undefined ? previewOfSource(file) : previewOfDocument(file, document);
  });
}

function previewOfDocument(file: BaseFile, { document, fault = 'has no text' }: ParsedDocument): Preview {
  const sources = document === undefined ? [] : sourcesOf(document, file, null);
  const { path } = file;
  return { path, sources, leftOut: document?.leftOut ?? {}, ...(sources.length === 0 ? { fault } : {}) };
}

/** The preview of a file with our front matter, which is one source. */
function previewOfSource(file: BaseFile): Preview {
  const nothing = { path: file.path, sources: [], leftOut: {} };
  try {
    const { sources } = parseKnowledgeBase({ files: [file], unread: [], others: new Map() });
    return { ...nothing, sources };
  } catch (error) {
    if (!(error instanceof KnowledgeBaseInvalid)) throw error;
    return { ...nothing, fault: error.faults.map(({ message }) => message).join('; ') };
  }
}
