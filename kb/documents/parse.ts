import { kindOf } from './kinds.ts';
import { Unreadable, type Document } from './unit.ts';

export interface ParsedDocument {
  readonly path: string;
  readonly document?: Document;
  readonly fault?: string;
}

export interface ParseOptions {
  readonly cacheDir: string | null;
  readonly onProgress?: ((done: number, total: number) => void) | undefined;
}

export async function parseDocuments(
  files: readonly { readonly path: string; readonly bytes: Uint8Array }[],
  _options: ParseOptions,
): Promise<ParsedDocument[]> {
  const parsed: ParsedDocument[] = [];
  for (const { path, bytes } of files) {
    try {
      parsed.push({ path, document: await kindOf(path)!.parse(bytes, path) });
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error;
      parsed.push({ path, fault: error.message });
    }
  }
  return parsed;
}
