/**
 * How many neighbours in tables of PDFs are found: the tables of ICDAR 2013, as `tabulapdf/tabula-java` has them below
 * `src/test/resources/technology/tabula/icdar2013-dataset`. A relation is two texts of cells that are next to each other in a row or
 * a column, blank cells skipped, compared without white space. Given where each table is, and with what our own search for tables
 * finds on the page; beside both, the simplest thing: words of a line cut where the gap is wider than the type.
 *
 *     node services/operator/launch.mjs --run bench/documents/pdf-tables.ts FOLDER [--each]
 */
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

import { gridOf } from '../../kb/documents/pdf/grid.ts';
import { layoutOf } from '../../kb/documents/pdf/layout.ts';
import { Pdf, type Page } from '../../kb/documents/pdf/pdfium.ts';
import { linesOf, segmentsOf, textOf, type Box } from '../../kb/documents/pdf/segments.ts';

interface Cell {
  readonly row: number;
  readonly lastRow: number;
  readonly column: number;
  readonly lastColumn: number;
  readonly text: string;
}

interface Region extends Box {
  readonly page: number;
  readonly cells: readonly Cell[];
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

const unescape = (xml: string): string =>
  xml.replaceAll(/&(?:#x(?<hex>[\da-f]+)|#(?<dec>\d+)|(?<name>\w+));/giu, (whole, hex, dec, name) =>
    hex === undefined && dec === undefined
      ? (ENTITIES[name as string] ?? whole)
      : String.fromCodePoint(hex === undefined ? Number(dec) : Number.parseInt(hex as string, 16)),
  );

const number = (xml: string, name: string): number | undefined => {
  const found = new RegExp(`\\b${name}=["'](-?[\\d.]+)["']`, 'u').exec(xml)?.[1];
  return found === undefined ? undefined : Number(found);
};

/** With `y` from the bottom, as the truth has it. */
function regionsOf(xml: string): Region[] {
  return [...xml.matchAll(/<region\b(?<attributes>[^>]*)>(?<body>[\s\S]*?)<\/region>/gu)].map(
    ({ groups }) => {
      const found = [
        ...groups!['body']!.matchAll(/<cell\b(?<attributes>[^>]*)>(?<body>[\s\S]*?)<\/cell>/gu),
      ].map((cell) => {
        const { attributes = '', body = '' } = cell.groups!;
        const row = number(attributes, 'start-row')!;
        const column = number(attributes, 'start-col')!;
        const box = /<bounding-box[^>]*>/u.exec(body)![0];
        return {
          row,
          column,
          lastRow: number(attributes, 'end-row') ?? row,
          lastColumn: number(attributes, 'end-col') ?? column,
          text: unescape(/<content>(?<text>[\s\S]*?)<\/content>/u.exec(body)?.groups?.['text'] ?? ''),
          box: ['x1', 'y1', 'x2', 'y2'].map((name) => number(box, name)!),
        };
      });
      return {
        page: number(groups!['attributes']!, 'page')!,
        left: Math.min(...found.map(({ box }) => box[0]!)),
        top: Math.max(...found.map(({ box }) => box[3]!)),
        right: Math.max(...found.map(({ box }) => box[2]!)),
        bottom: Math.min(...found.map(({ box }) => box[1]!)),
        cells: found,
      };
    },
  );
}

const plain = (text: string): string => text.normalize('NFKC').replaceAll(/[\s\u00AD]+/gu, '');

/** Each cell with the next one that has text to the right of it, and below it. */
function relationsOf(cells: readonly Cell[]): string[] {
  const filled = cells.map((cell) => ({ ...cell, text: plain(cell.text) })).filter(({ text }) => text !== '');
  const relations = new Set<string>();
  for (const a of filled) {
    for (let row = a.row; row <= a.lastRow; row += 1) {
      const right = filled
        .filter((b) => b.column > a.lastColumn && b.row <= row && row <= b.lastRow)
        .sort((x, y) => x.column - y.column)[0];
      if (right !== undefined) relations.add(`${filled.indexOf(a)} ${filled.indexOf(right)} →`);
    }
    for (let column = a.column; column <= a.lastColumn; column += 1) {
      const below = filled
        .filter((b) => b.row > a.lastRow && b.column <= column && column <= b.lastColumn)
        .sort((x, y) => x.row - y.row)[0];
      if (below !== undefined) relations.add(`${filled.indexOf(a)} ${filled.indexOf(below)} ↓`);
    }
  }
  return [...relations].map((relation) => {
    const [a, b, way] = relation.split(' ');
    return JSON.stringify([filled[Number(a)]!.text, filled[Number(b)]!.text, way]);
  });
}

interface Score {
  readonly found: number;
  readonly right: number;
  readonly true: number;
}

function compare(found: readonly string[], truth: readonly string[]): Score {
  const left = new Map<string, number>();
  for (const each of truth) left.set(each, (left.get(each) ?? 0) + 1);
  let right = 0;
  for (const each of found) {
    const count = left.get(each) ?? 0;
    if (count === 0) continue;
    left.set(each, count - 1);
    right += 1;
  }
  return { found: found.length, right, true: truth.length };
}

const sum = (scores: readonly Score[]): Score => ({
  found: scores.reduce((all, each) => all + each.found, 0),
  right: scores.reduce((all, each) => all + each.right, 0),
  true: scores.reduce((all, each) => all + each.true, 0),
});

const f = (precision: number, recall: number): number =>
  precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
const precisionOf = ({ found, right }: Score): number => (found === 0 ? 0 : right / found);
const recallOf = (score: Score): number => (score.true === 0 ? 1 : score.right / score.true);

/** Each document has the same weight, as in the competition. */
function report(name: string, documents: readonly Score[]): string {
  const mean = (of: (score: Score) => number): number =>
    documents.reduce((all, each) => all + of(each), 0) / documents.length;
  const [p, r] = [mean(precisionOf), mean(recallOf)];
  const all = sum(documents);
  const [mp, mr] = [precisionOf(all), recallOf(all)];
  const digits = [p, r, f(p, r), mp, mr, f(mp, mr)].map((figure) => figure.toFixed(3));
  return `${name.padEnd(34)} by document P ${digits[0]} R ${digits[1]} F ${digits[2]}   all relations P ${digits[3]} R ${digits[4]} F ${digits[5]}`;
}

function simplest(page: Page, { left, top, right, bottom }: Box): Cell[] {
  return linesOf(within(page, { left, top, right, bottom })).flatMap((line, row) =>
    segmentsOf(line, 1, []).map(({ words }, column) => ({
      row,
      lastRow: row,
      column,
      lastColumn: column,
      text: textOf(words),
    })),
  );
}

const within = (page: Page, box: Box): Page['words'] =>
  page.words.filter(({ left, right, top, bottom }) => {
    const [x, y] = [(left + right) / 2, (top + bottom) / 2];
    return x > box.left - 2 && x < box.right + 2 && y > box.top - 2 && y < box.bottom + 2;
  });

const fOf = (score: Score): number => f(precisionOf(score), recallOf(score));
const better = (a: Score, b: Score): Score => (fOf(b) > fOf(a) ? b : a);

/** With the places of the tables given, with what was found, and the simplest thing. */
function scoresOf(regions: readonly Region[], pages: readonly Page[], whole: readonly string[]): Score[] {
  const truth = regions.flatMap(({ cells }) => relationsOf(cells));
  const given: string[] = [];
  const simple: string[] = [];
  for (const region of regions) {
    const page = pages[region.page - 1];
    if (page === undefined) continue;
    const box = { ...region, top: page.height - region.top, bottom: page.height - region.bottom };
    const words = within(page, box);
    if (words.length === 0) continue;
    given.push(...relationsOf(gridOf(words, page.rules).cells));
    simple.push(...relationsOf(simplest(page, box)));
  }
  return [compare(given, truth), compare(whole, truth), compare(simple, truth)];
}

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error('usage: pdf-tables.ts FOLDER [--each]');
const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.pdf')).sort();
const scores = { given: [] as Score[], whole: [] as Score[], simple: [] as Score[] };
for (const name of names) {
  const files = await readdir(folder, { recursive: true });
  const stem = name.slice(0, -4).replace(/a$/u, '');
  const truths = files.filter(
    (file) => file.startsWith(stem) && /^[ab]?-str\.xml$/u.test(file.slice(stem.length)),
  );
  const pdf = await Pdf.open(await readFile(join(folder, name)));
  const pages = Array.from({ length: pdf.pageCount }, (_, i) => pdf.page(i + 1));
  const whole = pages
    .flatMap((page) => layoutOf(page, page.words))
    .flatMap((block) => (block.kind === 'table' ? relationsOf(block.grid.cells) : []));
  // Where the competition takes two readings of a table for right, `a` and `b`, the nearer one counts.
  const each = (
    await Promise.all(
      truths.map(async (file) =>
        scoresOf(regionsOf(await readFile(join(folder, file), 'utf8')), pages, whole),
      ),
    )
  ).reduce((best, other) => best.map((score, i) => better(score, other[i]!)));
  scores.given.push(each[0]!);
  scores.whole.push(each[1]!);
  scores.simple.push(each[2]!);
  const line = each.map((score) => fOf(score).toFixed(2)).join('  ');
  if (flag === '--each') process.stdout.write(`${name.padEnd(40)} ${line}\n`);
}
process.stdout.write(
  [
    `${names.length} PDFs`,
    report('tables given', scores.given),
    report('tables found by ourselves', scores.whole),
    report('tables given, the simplest thing', scores.simple),
    '',
  ].join('\n'),
);
