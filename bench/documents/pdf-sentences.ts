/**
 * Whether each sentence that poppler's `pdftotext` reads in a PDF stands in exactly one unit of ours, white space and hyphens apart.
 *
 *     node services/operator/launch.mjs --run bench/documents/pdf-sentences.ts FOLDER [--missing]
 */
import { execFile } from 'node:child_process';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { pdf } from '../../kb/documents/pdf.ts';
import { Unreadable, type Unit } from '../../kb/documents/unit.ts';

/** Signs of lists are no part of what an item says. */
const BULLETS = /[•‣▪■●○◦►▶\uE000-\uF8FF]/gu;
/** A sentence has as many words at least: what is shorter stands in many places. */
const WORDS = 6;

const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(BULLETS, '')
    .replaceAll(/[\s\u00AD\u2010-]+/gu, '');

const textOf = (unit: Unit): string =>
  unit.kind === 'row'
    ? unit.cells.map(({ text }) => text).join(' ')
    : unit.kind === 'item'
      ? `${unit.marker ?? ''} ${unit.text}`
      : unit.kind === 'note'
        ? `${unit.label} ${unit.text}`
        : unit.text;

/** Paragraphs of `pdftotext` stand between empty lines. */
const sentencesOf = (text: string): string[] =>
  text
    .replaceAll('\f', '\n\n')
    .split(/\n\s*\n/u)
    .flatMap(
      (paragraph) => paragraph.replaceAll(/\s+/gu, ' ').match(/[^.!?]+[.!?]+(?=\s+\p{Lu}|\s*$)/gu) ?? [],
    )
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence.split(' ').filter((word) => /\p{L}{2}/u.test(word)).length >= WORDS);

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: pdf-sentences.ts FOLDER [--missing]');
const names = (await readdir(folder, { recursive: true })).filter((name) => /\.pdf$/iu.test(name)).sort();
/** What `pdftotext` takes for one sentence may begin with a heading or a lead-in: a cut is wrong where what follows begins small. */
function isCut(units: readonly string[], all: string, text: string): boolean {
  const from = all.indexOf(text);
  let at = 0;
  for (const unit of units) {
    if (at > from && at < from + text.length && /^\p{Ll}/u.test(unit)) return true;
    at += unit.length;
  }
  return false;
}

let [sentences, once, afterHeading, divided, lost, words, wordsLost] = [0, 0, 0, 0, 0, 0, 0];
for (const name of names) {
  const path = join(folder, name);
  const { stdout } = await promisify(execFile)('pdftotext', [path, '-'], { maxBuffer: 2 ** 28 }).catch(
    () => ({ stdout: '' }),
  );
  const document = await (async () => pdf.parse(await readFile(path), name))().catch((error: unknown) => {
    if (!(error instanceof Unreadable)) throw error;
    process.stdout.write(`${name}: ${error.message}\n`);
  });
  if (document === undefined) continue;
  const units = document.units.map((unit) => plain(textOf(unit)));
  const all = units.join('');
  const given = sentencesOf(stdout);
  for (const sentence of given) {
    const text = plain(sentence);
    sentences += 1;
    const found = units.filter((unit) => unit.includes(text)).length;
    if (found > 0) once += 1;
    else if (all.includes(text) && !isCut(units, all, text)) afterHeading += 1;
    else if (all.includes(text)) divided += 1;
    else lost += 1;
    if (found === 0 && flag === '--missing' && !(all.includes(text) && !isCut(units, all, text)))
      process.stdout.write(`${name}: ${all.includes(text) ? 'divided' : 'not found'}: ${sentence}\n`);
  }
  const ours = new Set(
    document.units
      .flatMap((unit) => textOf(unit).match(/[\p{L}\d]{3,}/gu) ?? [])
      .map((word) => word.toLowerCase()),
  );
  const theirs = stdout.match(/[\p{L}\d]{3,}/gu) ?? [];
  words += theirs.length;
  wordsLost += theirs.filter(
    (word) => !ours.has(word.toLowerCase()) && !all.toLowerCase().includes(word.toLowerCase()),
  ).length;
}
process.stdout.write(
  `${names.length} PDFs, ${sentences} sentences of pdftotext: ${once} stand in one unit, ${afterHeading} begin with a heading or lead-in of their own, ${divided} are cut, ${lost} not in this order; ` +
    `${wordsLost} of ${words} words are in no unit\n`,
);
