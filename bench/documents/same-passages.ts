/**
 * Whether the same text gives the same passages as Word and as PDF: `x.docx` with `x.pdf` beside it, which another program made of it.
 *
 *     node services/operator/launch.mjs --run bench/documents/same-passages.ts FOLDER [--each]
 */
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { docx } from '../../kb/documents/docx.ts';
import { passagesOf } from '../../kb/documents/passages.ts';
import { pdf } from '../../kb/documents/pdf.ts';
import type { Document } from '../../kb/documents/unit.ts';

/** Letters and figures alone: a PDF has its own bullets, hyphens and white space. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '');

/** A heading that leads into a list stands above it either way. */
const textsOf = (document: Document, name: string): string[] =>
  passagesOf(document, name).map(({ text, units }) =>
    bare(
      units
        .filter(({ kind }) => kind !== 'heading')
        .map(({ start, end }) => text.slice(start, end))
        .join(' '),
    ),
  );

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: same-passages.ts FOLDER [--each]');
let [files, passages, same] = [0, 0, 0];
for (const name of (await readdir(folder)).filter((each) => each.endsWith('.docx')).sort()) {
  const other = name.replace(/docx$/u, 'pdf');
  if (!existsSync(join(folder, other))) continue;
  const asWord = textsOf(await docx.parse(await readFile(join(folder, name)), name), name);
  const asPdf = textsOf(await pdf.parse(await readFile(join(folder, other)), other), other);
  const left = new Set(asPdf);
  const missing = asWord.filter((text) => !left.delete(text));
  files += 1;
  passages += asWord.length;
  same += asWord.length - missing.length;
  if (flag === '--each' && missing.length > 0) {
    process.stdout.write(`${name}: ${missing.length} of ${asWord.length} are other\n`);
    for (const text of missing) process.stdout.write(`  - ${text.slice(0, 150)}\n`);
    for (const text of left) process.stdout.write(`  + ${text.slice(0, 150)}\n`);
  }
}
process.stdout.write(
  `${files} documents: of ${passages} passages as Word ${same} are the same as PDF (${((same / passages) * 100).toFixed(1)} %)\n`,
);
