import { readFile, stat } from 'node:fs/promises';
import { basename, join, relative, resolve, sep } from 'node:path';

import { readBase, type BaseFiles } from '../../kb/base/files.ts';
import { closedKindOf, kindOf } from '../../kb/documents/kinds.ts';
import { previewsOf } from '../../kb/documents/preview.ts';
import type { Source } from '../../kb/source.ts';
import { readSettings } from '../composition/settings.ts';
import { toJson } from '../foundation/json.ts';
import { count } from './number-format.ts';
import { painter, printable, standardOutput, type Paint } from './terminal.ts';

/** `beleg kb preview FILE`: the passages of a file, or of all in a folder, with their ids and units. */
export async function kbPreview(given: string, { json }: { json?: true }): Promise<void> {
  const path = resolve(given);
  const { files, unread } = (await stat(path)).isDirectory()
    ? await filesIn(path)
    : await fileAt(path, given);
  const previews = await previewsOf(files);
  const sources = previews.flatMap((preview) => preview.sources);
  const faults = [
    ...previews.flatMap((each) =>
      each.fault === undefined ? [] : [{ file: each.path, message: each.fault }],
    ),
    ...unread,
  ];
  if (sources.length === 0 && faults.length === 1) throw new Error(`${given} ${faults[0]!.message}`);
  if (json) {
    console.log(toJson(sources, 2));
    return;
  }
  const paint = painter(standardOutput());
  for (const preview of previews) {
    for (const source of preview.sources) console.log(`${shownOf(source, paint)}\n`);
    const of = previews.length === 1 ? '' : ` of ${printable(preview.path)}`;
    for (const [what, times] of Object.entries(preview.leftOut))
      console.log(`left out by rule${of}: ${what} (${times})`);
  }
  for (const { file, message } of faults) console.log(`left out: ${printable(file)} ${message}`);
  const read =
    files.length === 1
      ? ''
      : ` of ${count(previews.filter(({ fault }) => fault === undefined).length, 'document')}`;
  console.log(`${count(sources.length, 'passage')}${read}`);
}

/** The documents of a folder, with the paths that they would have in the base. */
async function filesIn(folder: string): Promise<Pick<BaseFiles, 'files' | 'unread'>> {
  const { files, unread } = await readBase(folder);
  const isBase = folder === resolve(readSettings(process.env).kbPath);
  const own = files.filter(({ path }) => kindOf(path) !== undefined);
  return {
    files: isBase
      ? own
      : own.map((file) => ({ ...file, path: pathInBase(join(folder, file.path), file.path) })),
    unread,
  };
}

async function fileAt(path: string, given: string): Promise<Pick<BaseFiles, 'files' | 'unread'>> {
  if (kindOf(path) === undefined)
    throw new Error(`${given} ${closedKindOf(path) ?? 'is of a kind that is not read'}`);
  const { mtime } = await stat(path);
  const changed = mtime.toISOString().slice(0, 7);
  const file = { path: pathInBase(path, basename(path)), bytes: await readFile(path), changed };
  return { files: [file], unread: [] };
}

/** The beginning of the ids: the path within the base if the file is in the base, otherwise `other`. */
function pathInBase(path: string, other: string): string {
  const below = relative(resolve(readSettings(process.env).kbPath), path);
  return below.startsWith('..') || below === path ? other : below.replaceAll(sep, '/');
}

function shownOf(source: Source, paint: Paint): string {
  const { id, title, section, stand, undated, lang, page, text, units } = source;
  const head = [
    section === '' ? title : `${section} › ${title}`,
    ...(page === undefined ? [] : [`page ${page}`]),
    undated === true ? `${stand}, the month of the file` : stand,
    lang,
  ];
  const spans = units ?? [{ kind: 'text', start: 0, end: text.length }];
  return [
    paint('bold', id),
    paint('dim', printable(head.join(' · '))),
    ...spans.map(
      ({ kind, start, end }) => `  ${paint('cyan', kind.padEnd(10))} ${printable(text.slice(start, end))}`,
    ),
  ].join('\n');
}
