/**
 * Whether each sentence of a document stands in exactly one unit, by an independent extractor:
 * `node bench/documents/sentences.ts FOLDER`, where `x.docx.txt` is what `pandoc -t plain --wrap=none x.docx` gives.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';

import { kindOf } from '../../kb/documents/kinds.ts';
import { Unreadable, type Unit } from '../../kb/documents/unit.ts';

/** Letters and figures alone: marks, markers and line ends differ between extractors. */
const bare = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

const textsOf = (unit: Unit): string[] =>
  unit.kind === 'row'
    ? unit.cells.flatMap(({ head, text }) => [head, text])
    : unit.kind === 'definition'
      ? [unit.term, unit.text]
      : unit.kind === 'item'
        ? [`${unit.marker ?? ''} ${unit.text}`]
        : [unit.text];

let files = 0;
let sentences = 0;
let once = 0;
let lost = 0;
for (const path of globSync(`${process.argv[2]!}/**/*.{docx,html,odt,pptx}`).sort()) {
  if (!existsSync(`${path}.txt`)) continue;
  files++;
  let units: readonly Unit[] = [];
  try {
    units = (await (await kindOf(path)!.load()).parse(readFileSync(path), path)).units;
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    process.stdout.write(`${path} ${error.message}\n`);
  }
  const told = units.map((unit) => ` ${bare(textsOf(unit).join(' '))} `);
  const expected = readFileSync(`${path}.txt`, 'utf8')
    .split(/\n+|(?<=[.!?])\s+(?=\p{Lu})|\s{3,}/u)
    .map((sentence) => bare(sentence.replace(/^\s*(?:[-•\d]+[.)]?\s)+/u, '').replaceAll(/\[\d+\]/gu, '')))
    .filter((sentence) => sentence.split(' ').length >= 4);
  const missing: string[] = [];
  for (const sentence of new Set(expected)) {
    const times = expected.filter((each) => each === sentence).length;
    const found = told.filter((text) => text.includes(` ${sentence} `)).length;
    sentences++;
    if (found === 0) {
      lost++;
      missing.push(sentence);
    } else if (found <= times) once++;
  }
  if (missing.length > 0)
    process.stdout.write(
      `${path}: ${missing.length} of ${expected.length} lost: ${missing.slice(0, 4).join(' | ').slice(0, 300)}\n`,
    );
}
process.stdout.write(
  `${files} files: of ${sentences} sentences ${once} in exactly one unit, ${lost} in none\n`,
);
