import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

import { extensionOf, kindOf } from '../../kb/documents/kinds.ts';
import { extracted, isExtracted } from './extractors.ts';
import { toldOnce } from './told-once.ts';

/** Documents of other people are in a folder beside the project, never in it. */
const COLLECTIONS = resolve(import.meta.dirname, '../../../collections');
const isHere = existsSync(COLLECTIONS) && spawnSync('pandoc', ['-v']).error === undefined;
/** Only one file in this many is read. */
const EVERY = 6;
/** Sentences that may be told otherwise: of tables that pandoc does not know, and what stands around the content of a page. */
const OTHERWISE: Readonly<Record<string, number>> = { html: 0.02 };

async function filesOf(extension: string): Promise<string[]> {
  const names = await readdir(COLLECTIONS, { recursive: true });
  const files = names.filter((name) => isExtracted(name) && extensionOf(name) === extension).sort();
  return files.filter((_, i) => i % EVERY === 0);
}

// `npm run eval:collections` asks the same collections; bench/documents/sentences.ts looks at all of their files and names each sentence.
describe.skipIf(!isHere)('sentences of other people (needs ../collections and pandoc)', () => {
  it.each(['md', 'html', 'docx', 'rst'])('stand in one passage each: %s', async (extension) => {
    const kind = await kindOf(`a.${extension}`)!.load();
    let sentences = 0;
    let once = 0;
    for (const name of await filesOf(extension)) {
      const path = join(COLLECTIONS, name);
      const document = await (async () => kind.parse(await readFile(path), name))().catch(() => undefined);
      if (document === undefined) continue;
      const told = toldOnce(document, name, await extracted(path));
      sentences += told.sentences;
      once += told.once;
    }
    expect(sentences).toBeGreaterThan(100);
    expect(1 - once / sentences).toBeLessThan(OTHERWISE[extension] ?? 0.01);
  });
});
