import { KnowledgeBaseInvalid } from '../base/faults.ts';
import type { BaseFile } from '../base/files.ts';
import { isSourceFile, parseKnowledgeBase } from '../base/load.ts';
import type { Source } from '../source.ts';
import { parseDocuments } from './parse.ts';
import { sourcesOf } from './sources.ts';
import { Unreadable } from './unit.ts';

/** What a file becomes in a base by itself. */
interface Preview {
  /** Its passages in order. */
  readonly sources: readonly Source[];
  /** What was left out by rule, such as running heads, and how often. */
  readonly leftOut: Readonly<Record<string, number>>;
}

/** @throws {Unreadable} with the reason where it gives no passage */
export async function previewOf(file: BaseFile): Promise<Preview> {
  if (isSourceFile(file)) return { sources: sourceIn(file), leftOut: {} };
  const [{ document, fault = 'has no text' } = {}] = await parseDocuments([file], { cacheDir: null });
  const sources = document === undefined ? [] : sourcesOf(document, file, null);
  if (sources.length === 0) throw new Unreadable(fault);
  return { sources, leftOut: document?.leftOut ?? {} };
}

/** The source in a file with our front matter. */
function sourceIn(file: BaseFile): readonly Source[] {
  try {
    return parseKnowledgeBase({ files: [file], unread: [], others: new Map() }).sources;
  } catch (error) {
    if (!(error instanceof KnowledgeBaseInvalid)) throw error;
    throw new Unreadable(error.faults.map(({ message }) => message).join('; '), { cause: error });
  }
}
