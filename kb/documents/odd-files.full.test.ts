import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';

import { writePdf } from '../../testing/documents/pdf-writer.ts';
import { officeFile } from './office.suite.ts';
import { parseDocuments } from './parse.ts';

const MIB = 1024 ** 2;
const TEXT = 'Die Regel gilt für alle Beschäftigten des Hauses.';
const PAGE = { texts: [{ text: TEXT, x: 60, y: 100 }] };
const OFFICE = 'http://schemas.openxmlformats.org';
const word = (body: string): Uint8Array =>
  officeFile('word/document.xml', {
    '_rels/.rels': `<Relationships xmlns="${OFFICE}/package/2006/relationships"><Relationship Id="rId1" Type="${OFFICE}/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
    '[Content_Types].xml': `<Types xmlns="${OFFICE}/package/2006/content-types"/>`,
    'word/document.xml': `<w:document xmlns:w="${OFFICE}/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  });
const sheet = (rows: string): Uint8Array =>
  officeFile('xl/workbook.xml', {
    'xl/workbook.xml':
      '<workbook xmlns:r="r"><sheets><sheet name="A" sheetId="1" r:id="rId1"/></sheets></workbook>',
    'xl/_rels/workbook.xml.rels':
      '<Relationships><Relationship Id="rId1" Type="http://x/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  });
/** Ten entities, each ten times the previous one. */
const ENTITIES = `<!DOCTYPE x [<!ENTITY e0 "ha">${Array.from({ length: 10 }, (_, i) => `<!ENTITY e${i + 1} "${`&e${i};`.repeat(10)}">`).join('')}]>`;

const GOOD: Readonly<Record<string, Uint8Array>> = {
  md: strToU8(`# Haus\n\n${TEXT}\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- eins\n  - zwei\n`),
  html: strToU8(`<html><body><h1>Haus</h1><p>${TEXT}</p><table><tr><th>a<th>b<tr><td>1<td>2</table>`),
  rst: strToU8(`Haus\n====\n\n${TEXT}\n\n.. note:: Achtung\n`),
  adoc: strToU8(`= Haus\n\n${TEXT}\n\n|===\n|a |b\n|1 |2\n|===\n`),
  txt: strToU8(TEXT),
  csv: strToU8('Ort;Satz\nUlm;12\nKöln;14\n'),
  eml: strToU8(`From: a@b.de\r\nSubject: Haus\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n${TEXT}\r\n`),
  pdf: writePdf({ pages: [PAGE] }),
  docx: word(`<w:p><w:r><w:t>${TEXT}</w:t></w:r></w:p>`),
  xlsx: sheet('<row r="1"><c r="A1"><v>1</v></c><c r="B1"><v>2</v></c></row>'),
};

const HUGE: readonly (readonly [string, () => Uint8Array])[] = [
  ['line.txt', () => Buffer.alloc(50 * MIB, 'Wort ')],
  ['line.md', () => Buffer.alloc(30 * MIB, 'Wort ')],
  ['quotes.md', () => Buffer.alloc(2 * MIB, '>')],
  ['brackets.md', () => Buffer.alloc(MIB, '[')],
  ['stars.md', () => Buffer.alloc(MIB, '*a ')],
  ['deep.md', () => strToU8(Array.from({ length: 5_000 }, (_, i) => `${' '.repeat(i * 2)}- a`).join('\n'))],
  ['deep.html', () => Buffer.alloc(5 * MIB, '<div>')],
  ['tables.html', () => Buffer.alloc(5 * MIB, '<table><tr><td>')],
  ['tags.html', () => Buffer.alloc(20 * MIB, '<p>a<i>b</i>')],
  ['quotes.rst', () => strToU8(Array.from({ length: 3_000 }, (_, i) => `${' '.repeat(i)}a\n`).join('\n'))],
  ['wide.csv', () => Buffer.alloc(20 * MIB, 'a;')],
  ['quote.csv', () => strToU8(`"${'a\n'.repeat(5 * MIB)}`)],
  ['bomb.docx', () => zipSync({ 'word/document.xml': new Uint8Array(300 * MIB) }, { level: 1 })],
  ['entities.docx', () => word(`${ENTITIES}<w:p><w:r><w:t>&e10;</w:t></w:r></w:p>`)],
  ['deep.docx', () => word('<w:tbl><w:tr><w:tc>'.repeat(20_000))],
  ['far.xlsx', () => sheet('<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>')],
  ['parts.eml', () => Buffer.alloc(10 * MIB, 'Content-Type: multipart/mixed; boundary=a\r\n\r\n--a\r\n')],
  ['pages.pdf', () => writePdf({ pages: Array.from({ length: 3_000 }, () => PAGE) })],
  ['none.docx', () => new Uint8Array()],
  ['text.docx', () => strToU8(TEXT)],
  ['ole.xlsx', () => Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(2048)])],
];

/** A seeded generator, so that a failing file can be made again. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A good file that is cut off, has changed bytes, or has a part of another kind. */
function broken(seed: number): { path: string; bytes: Uint8Array } {
  const next = numbers(seed);
  const kinds = Object.keys(GOOD);
  const kind = kinds[next(kinds.length)]!;
  const bytes = Buffer.from(GOOD[kind]!);
  const how = next(3);
  if (how === 0) return { path: `${seed}.${kind}`, bytes: bytes.subarray(0, next(bytes.length)) };
  for (let i = 0; i < 1 + next(20); i += 1) bytes[next(bytes.length)] = next(256);
  const other = GOOD[kinds[next(kinds.length)]!]!;
  return { path: `${seed}.${kind}`, bytes: how === 1 ? bytes : Buffer.concat([bytes, other]) };
}

describe('300 odd files', () => {
  it('are each read or named, and stop no good one', async () => {
    const odd = [
      ...HUGE.map(([path, make]) => ({ path, bytes: make() })),
      ...Array.from({ length: 300 - HUGE.length }, (_, i) => broken(i + 1)),
    ];
    const good = Object.entries(GOOD).map(([kind, bytes]) => ({ path: `good.${kind}`, bytes }));
    const results = await parseDocuments([...odd, ...good], { cacheDir: null, limits: { seconds: 3 } });
    expect(results.map(({ path }) => path)).toEqual([...odd, ...good].map(({ path }) => path));
    expect(
      results.filter(({ document, fault }) => (document === undefined) === (fault === undefined)),
    ).toEqual([]);
    expect(results.slice(odd.length).map(({ path, fault }) => [path, fault])).toEqual(
      good.map(({ path }) => [path, undefined]),
    );
    // Some files use up all their processor time, which takes longer on a busy machine.
  }, 900_000);
});
