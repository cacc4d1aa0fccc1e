import { hash } from 'node:crypto';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

import { ABOUT_FILE, SYNONYMS_FILE } from '../base/walk.ts';
import { decodeAny, NOT_TEXT } from '../text/decode.ts';
import { readText, removeLeftParts, writeDurably } from '../snapshot/durable-file.ts';
import { parseStatute, type Norm, type Statute } from './statute.ts';

interface ImportOptions {
  /** Files or folders of statutes. */
  readonly inputs: readonly string[];
  /** The folder of the base, which is created if it is missing. */
  readonly out: string;
  /** A synonyms file for the base, unless it has one of its own. */
  readonly synonymsFile?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

/** The files of an import by statute, with the hashes of their bytes. No file is outside the base. */
const Manifest = z.record(
  z.string(),
  z.record(z.string().regex(/^(?:[^/\\.][^/\\]*\/)?[^/\\.][^/\\]*$/), z.string()),
);
type Manifest = z.output<typeof Manifest>;

const MANIFEST = '.import.json';
/** Questions of people for a §, by source id. */
const ASKED_FILE = join(import.meta.dirname, 'asked.yaml');
const AskedLines = z.record(z.string(), z.array(z.string()));

/**
 * Writes statutes as a knowledge base: one Markdown file for each §, with questions of people if there are any. A
 * repeated import writes the same bytes; files of an earlier import whose § no longer exists are removed (`removed`),
 * files of other origin are never changed (`kept`).
 */
export async function importStatutes(options: ImportOptions) {
  const files = await inputFiles(options.inputs);
  await removeLeftParts(options.out);
  const writer = baseWriter(options.out, await readManifest(options.out));
  const notStatutes: string[] = [];
  /** Files that could not be read, with reasons. */
  const unread: { file: string; reason: string }[] = [];
  const asked = AskedLines.parse(parse(await readFile(ASKED_FILE, 'utf8')));
  let [statutes, sources, repealed, withoutText] = [0, 0, 0, 0];
  for (const [index, file] of files.entries()) {
    const read = await readFile(file).then(decodeAny, (error: NodeJS.ErrnoException) => error);
    const statute = typeof read === 'string' ? parseStatute(read) : undefined;
    if (read instanceof Error) unread.push({ file, reason: `cannot be read (${read.code})` });
    else if (read === undefined) unread.push({ file, reason: NOT_TEXT });
    else if (statute === undefined) notStatutes.push(file);
    else {
      const { abbreviation } = statute;
      const contents = statute.norms.map((norm): [string, string] => [
        `${abbreviation}/${norm.id}.md`,
        render(norm, statute, asked[norm.id] ?? []),
      ]);
      await writer.write(abbreviation, new Map(contents));
      statutes++;
      sources += statute.norms.length;
      repealed += statute.repealed.length;
      withoutText += statute.withoutText.length;
    }
    options.onProgress?.(index + 1, files.length);
  }
  // An import of nothing creates no files.
  if (statutes > 0) {
    const about = join(options.out, ABOUT_FILE);
    // From now on the operator of the base maintains this file.
    if ((await readText(about)) === undefined) await writeFile(about, ABOUT_STATUTES);
  }
  if (options.synonymsFile !== undefined && statutes > 0) {
    const synonyms = await readFile(options.synonymsFile, 'utf8');
    // No statute has this name in the manifest, because abbreviations have no full stop.
    await writer.write(SYNONYMS_FILE, new Map([[SYNONYMS_FILE, synonyms]]));
  }
  if (statutes > 0) await writer.finish();
  return { statutes, sources, ...writer.counts, repealed, withoutText, notStatutes, unread };
}

const ABOUT_STATUTES = `# What the base says of itself. Its texts are law: years in titles are those in which a rule holds, and a § can be named.
title: Gesetze
language: de
law: true
`;

/** The statutes in this list of files and folders, at any depth, sorted by name. */
export async function inputFiles(inputs: readonly string[]): Promise<string[]> {
  const files = inputs.map(async (input) => {
    if ((await stat(input)).isFile()) return [input];
    const names = await readdir(input, { recursive: true });
    return names
      .filter((name) => /\.md$/iu.test(name) && !/(?:^|[\\/])(?:readme\.md$|\.)/iu.test(name))
      .sort()
      .map((name) => join(input, name));
  });
  return (await Promise.all(files)).flat();
}

function render(norm: Norm, statute: Statute, asked: readonly string[]): string {
  const lines = asked.map((line) => `\n  - ${JSON.stringify(line)}`);
  return `---
id: ${norm.id}
title: ${JSON.stringify(norm.title)}
section: ${JSON.stringify(norm.section)}
stand: ${JSON.stringify(statute.stand)}
work: ${JSON.stringify(statute.work)}
lang: de${lines.length === 0 ? '' : `\nasked:${lines.join('')}`}
---

${norm.text}
`;
}

function baseWriter(out: string, manifest: Manifest) {
  const counts = { written: 0, unchanged: 0, removed: 0, kept: [] as string[] };

  return {
    counts,
    /** Makes the files of one statute equal to `contents`. */
    async write(statute: string, contents: ReadonlyMap<string, string>): Promise<void> {
      const before = manifest[statute] ?? {};
      await removeLeftParts(join(out, dirname([...contents.keys()][0] ?? '')));
      const after: Record<string, string> = {};
      for (const [path, content] of contents) {
        const present = await readText(join(out, path));
        if (present !== undefined && present !== content && before[path] === undefined) {
          counts.kept.push(path);
          continue;
        }
        after[path] = hashOf(content);
        if (present === content) counts.unchanged++;
        else {
          await writeFile(join(out, path), content);
          counts.written++;
        }
      }
      for (const [path, written] of Object.entries(before)) {
        if (after[path] !== undefined) continue;
        const present = await readText(join(out, path));
        if (present === undefined) continue;
        if (hashOf(present) === written) {
          await rm(join(out, path));
          counts.removed++;
        } else counts.kept.push(path);
      }
      manifest[statute] = after;
    },
    async finish(): Promise<void> {
      const sorted = Object.fromEntries(Object.entries(manifest).sort(([a], [b]) => (a < b ? -1 : 1)));
      await writeFile(join(out, MANIFEST), `${JSON.stringify(sorted, null, 1)}\n`);
    },
  };
}

async function readManifest(out: string): Promise<Manifest> {
  const text = await readText(join(out, MANIFEST));
  if (text === undefined) return {};
  const { synonyms, ...statutes } = parseManifest(text);
  // In an older manifest the entry `synonyms` belongs to the synonyms file and not to a statute of that name.
  if (synonyms !== undefined && SYNONYMS_FILE in synonyms) return { ...statutes, [SYNONYMS_FILE]: synonyms };
  return synonyms === undefined ? statutes : { ...statutes, synonyms };
}

function parseManifest(text: string): Manifest {
  try {
    return Manifest.parse(JSON.parse(text));
  } catch (error) {
    throw new Error(
      `${MANIFEST} was not written by an import, or was changed. Remove it, or import into another folder.`,
      { cause: error },
    );
  }
}

const hashOf = (content: string): string => hash('sha256', content, 'base64url');

/** An import can be repeated, and has thousands of files: none of them is flushed. */
const writeFile = (path: string, content: string): Promise<void> =>
  writeDurably(path, content, { flush: false });
