import { hash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';

import { ABOUT_FILE, SYNONYMS_FILE } from '../base/walk.ts';
import { decode, NOT_TEXT } from '../base/text.ts';
import { readText } from '../snapshot/durable-file.ts';
import { parseStatute, type Norm, type Statute } from './statute.ts';

interface ImportOptions {
  /** Statutes, or folders of them. */
  readonly inputs: readonly string[];
  /** The base that is written; created where it is missing. */
  readonly out: string;
  /** A synonyms file to put into the base, unless it has one of its own. */
  readonly synonymsFile?: string;
  readonly onProgress?: (done: number, total: number) => void;
}

/** Which files came from an import, by statute, with the hash of what was written; none of them is outside the base. */
const Manifest = z.record(
  z.string(),
  z.record(z.string().regex(/^(?:[^/\\.][^/\\]*\/)?[^/\\.][^/\\]*$/), z.string()),
);
type Manifest = z.output<typeof Manifest>;

const MANIFEST = '.import.json';
/** How people ask for a §, by source id. */
const ASKED_FILE = join(import.meta.dirname, 'asked.yaml');
const AskedLines = z.record(z.string(), z.array(z.string()));

/**
 * Writes statutes as a knowledge base: one Markdown file a §, with how people ask for it where that is known. Running it again writes the same bytes; files of a
 * former import whose § is gone are removed (`removed`), files that somebody else put there are never touched (`kept`).
 */
export async function importStatutes(options: ImportOptions) {
  const files = await inputFiles(options.inputs);
  const writer = baseWriter(options.out, await readManifest(options.out));
  const notStatutes: string[] = [];
  /** Files that could not be read, and why. */
  const unread: { file: string; reason: string }[] = [];
  const asked = AskedLines.parse(parse(await readFile(ASKED_FILE, 'utf8')));
  let [statutes, sources, repealed, withoutText] = [0, 0, 0, 0];
  for (const [index, file] of files.entries()) {
    const read = await readFile(file).then(decode, (error: NodeJS.ErrnoException) => error);
    const statute = 'text' in read && read.text !== undefined ? parseStatute(read.text) : undefined;
    if (read instanceof Error) unread.push({ file, reason: `cannot be read (${read.code})` });
    else if (read.text === undefined) unread.push({ file, reason: NOT_TEXT });
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
  // If nothing was imported, nothing is left behind.
  if (statutes > 0) {
    const about = join(options.out, ABOUT_FILE);
    // The operator of the base maintains this file from now on.
    if ((await readText(about)) === undefined) await writeWhole(about, ABOUT_STATUTES);
  }
  if (options.synonymsFile !== undefined && statutes > 0) {
    const synonyms = await readFile(options.synonymsFile, 'utf8');
    // No statute is called that: an abbreviation has no full stop.
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

/** Statutes of these files, and of these folders at any depth, by name. */
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
    /** Makes the files of one statute what `contents` says. */
    async write(statute: string, contents: ReadonlyMap<string, string>): Promise<void> {
      const before = manifest[statute] ?? {};
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
          await writeWhole(join(out, path), content);
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
      await writeWhole(join(out, MANIFEST), `${JSON.stringify(sorted, null, 1)}\n`);
    },
  };
}

async function readManifest(out: string): Promise<Manifest> {
  const text = await readText(join(out, MANIFEST));
  if (text === undefined) return {};
  const { synonyms, ...statutes } = parseManifest(text);
  // The entry as it was before a statute could be named by synonyms as well.
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

/** A reader sees the old file or the new one, never half of it. */
async function writeWhole(path: string, content: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(`${path}.part`, content);
  await rename(`${path}.part`, path);
}
