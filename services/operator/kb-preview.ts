import { readFile, stat } from 'node:fs/promises';
import { basename, relative, resolve, sep } from 'node:path';
import { closedKindOf, kindOf } from '../../kb/documents/kinds.ts';
import { previewOf } from '../../kb/documents/preview.ts';
import { Unreadable } from '../../kb/documents/unit.ts';
import type { Source } from '../../kb/source.ts';
import { readSettings } from '../composition/settings.ts';
import { toJson } from '../foundation/json.ts';
import { count } from './number-format.ts';
import { painter, printable, standardOutput, type Paint } from './terminal.ts';

/** `beleg kb preview FILE`: the passages of a file, with their ids and units. */
export async function kbPreview(file: string, { json }: { json?: true }): Promise<void> {
  const path = resolve(file);
  const { mtime } = await stat(path);
  if (kindOf(path) === undefined)
    throw new Error(`${file} ${closedKindOf(path) ?? 'is of a kind that is not read'}`);
  const bytes = await readFile(path);
  const changed = mtime.toISOString().slice(0, 7);
  const { sources, leftOut } = await previewOf({ path: pathInBase(path), bytes, changed }).catch(
    (error: unknown) => {
      throw error instanceof Unreadable ? new Error(`${file} ${error.message}`, { cause: error }) : error;
    },
  );
  if (json) {
    console.log(toJson(sources, 2));
    return;
  }
  const paint = painter(standardOutput());
  for (const source of sources) console.log(`${shownOf(source, paint)}\n`);
  for (const [what, times] of Object.entries(leftOut)) console.log(`left out by rule: ${what} (${times})`);
  console.log(count(sources.length, 'passage'));
}

/** The beginning of the ids: the path below the base if the file is in the base, else its name. */
function pathInBase(path: string): string {
  const below = relative(resolve(readSettings(process.env).kbPath), path);
  return below.startsWith('..') || below === path ? basename(path) : below.replaceAll(sep, '/');
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
