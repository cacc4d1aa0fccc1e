import { zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';

import { officeFile } from './office.suite.ts';
import type { Document } from './unit.ts';
import { xlsx } from './xlsx.ts';

const STYLES = `<styleSheet><numFmts><numFmt numFmtId="164" formatCode="#,##0.00\\ [$€-407]"/><numFmt numFmtId="165" formatCode="[h]:mm"/>
  <numFmt numFmtId="166" formatCode="[h]:mm;-[h]:mm"/></numFmts>
  <cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="10"/><xf numFmtId="165"/><xf numFmtId="166"/></cellXfs></styleSheet>`;

/** A workbook with one sheet for each text, which has its rows and what follows them. */
function workbook(
  sheets: readonly string[],
  {
    states = [] as string[],
    properties = '',
    more = '',
    styles = STYLES,
    texts = '',
    name = (i: number): string => `Blatt ${i} &amp; mehr`,
  } = {},
): Uint8Array {
  return officeFile('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns:r="r">${more}<sheets>${sheets.map((_, i) => `<sheet name="${name(i + 1)}" state="${states[i] ?? 'visible'}" r:id="r${i}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': `<Relationships>${sheets.map((_, i) => `<Relationship Id="r${i}" Type="x/worksheet" Target="s${i}.xml"/>`).join('')}
      <Relationship Id="st" Type="x/styles" Target="styles.xml"/><Relationship Id="ss" Type="x/sharedStrings" Target="/xl/texts.xml"/></Relationships>`,
    'xl/styles.xml': styles,
    'xl/texts.xml':
      '<sst><si><t>Zweig</t></si><si><r><t>Bei</t></r><r><t>trag</t></r><rPh><t>gesprochen</t></rPh></si>' +
      `${texts}</sst>`,
    ...Object.fromEntries(sheets.map((sheet, i) => [`xl/s${i}.xml`, `<worksheet>${sheet}</worksheet>`])),
    ...(properties === '' ? {} : { 'docProps/core.xml': `<coreProperties>${properties}</coreProperties>` }),
  });
}

const text = (at: string, value: string): string => `<c r="${at}" t="inlineStr"><is><t>${value}</t></is></c>`;
const number = (at: string, value: number, style = 0): string =>
  `<c r="${at}" s="${style}"><v>${value}</v></c>`;
const parse = (bytes: Uint8Array): Document => xlsx.parse(bytes, 'a.xlsx') as Document;

const message = (bytes: Uint8Array): string => {
  try {
    parse(bytes);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

const two = (at: number, a: string, b: string, hidden = '') =>
  `<row r="${at}"${hidden}>${text(`A${at}`, a)}${text(`B${at}`, b)}</row>`;

describe('a workbook', () => {
  it('reads a sheet that is named by a space, without a heading', () => {
    const bytes = workbook([`<sheetData><row r="1">${text('A1', 'Ort')}</row></sheetData>`], {
      name: () => ' ',
    });
    expect(parse(bytes).units).toEqual([{ kind: 'row', cells: [{ head: '', text: 'Ort' }] }]);
  });

  it('leaves a cell empty that refers to no text', () => {
    const sheet = `<sheetData><row r="1">${text('A1', 'Name')}${text('B1', 'Stimme')}</row>
      <row r="2">${text('A2', 'Anna')}<c r="B2" t="s"></c></row><row r="3">${text('A3', 'Ben')}<c r="B3" t="s"><v></v></c></row></sheetData>`;
    expect(JSON.stringify(parse(workbook([sheet])))).not.toContain('Zweig');
  });

  it('gives rows with their heads, cells as the sheet displays them', () => {
    const sheet = `<sheetData><row r="1">${text('A1', 'Beiträge im Überblick')}</row><row r="2"><c r="A2" t="s"><v>0</v></c><c r="B2" t="s"><v>1</v></c>${text('C2', 'Anteil')}${text('D2', 'ab')}</row>
      <row r="3">${text('A3', 'Rente')}${number('B3', 1234.5, 2)}${number('C3', 0.093, 3)}${number('D3', 45_292, 1)}</row>
      <row r="4" hidden="1">${text('A4', 'Geheim')}</row><row r="5">${text('A5', 'Pflege')}<c r="B5"><f>B3*2</f><v>0.1</v></c><c r="C5" t="b"><v>1</v></c><c r="D5" t="e"><v>#N/A</v></c></row></sheetData>`;
    const { units, leftOut, title, stand } = parse(
      workbook([sheet, '<sheetData/>'], {
        states: ['visible', 'hidden'],
        properties: '<title>Beiträge</title><modified>2024-05-01T00:00:00Z</modified>',
      }),
    );
    expect(units).toEqual([
      { kind: 'heading', level: 1, text: 'Blatt 1 & mehr' },
      { kind: 'paragraph', text: 'Beiträge im Überblick' },
      {
        kind: 'row',
        caption: 'Beiträge im Überblick',
        cells: [
          { head: 'Zweig', text: 'Rente' },
          { head: 'Beitrag', text: '1.234,50 €' },
          { head: 'Anteil', text: '9,30%' },
          { head: 'ab', text: '01.01.2024' },
        ],
      },
      {
        kind: 'row',
        caption: 'Beiträge im Überblick',
        cells: [
          { head: 'Zweig', text: 'Pflege' },
          { head: 'Beitrag', text: '0,1' },
          { head: 'Anteil', text: 'WAHR' },
          { head: 'ab', text: '#N/A' },
        ],
      },
    ]);
    expect(leftOut).toEqual({ 'hidden sheet': 1, 'hidden row': 1 });
    expect({ title, stand }).toEqual({ title: 'Beiträge', stand: '2024-05' });
  });

  it('is one table where a row within it is hidden', () => {
    const rows = [
      ['Leistung', 'Preis'],
      ['Saal', '250'],
      ['Raum', '12'],
      ['Beamer', '25'],
    ].map(([name = '', price = ''], i) => {
      const hidden = name === 'Raum' ? ' hidden="1"' : '';
      return two(i + 1, name, price, hidden);
    });
    const { units } = parse(workbook([`<sheetData>${rows.join('')}</sheetData>`]));
    expect(
      units.flatMap((unit) => (unit.kind === 'row' ? [unit.cells.map(({ head }) => head)] : [])),
    ).toEqual([
      ['Leistung', 'Preis'],
      ['Leistung', 'Preis'],
    ]);
  });

  it('is two tables where a hidden row stands above an empty one', () => {
    const { units } = parse(
      workbook([
        `<sheetData>${two(1, 'Leistung', 'Preis')}${two(2, 'Saal', '250')}${two(3, 'Raum', '12', ' hidden="1"')}<row r="4"/>${two(5, 'Person', 'Telefon')}${two(6, 'Anna', '123')}</sheetData>`,
      ]),
    );
    expect(JSON.stringify(units)).not.toContain('"head":"Leistung","text":"Anna"');
  });

  it('has the short date of German where its texts are German', () => {
    const sheet = `<sheetData><row r="1">${number('A1', 45_292, 1)}</row></sheetData>`;
    const styles = '<styleSheet><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>';
    const shownIn = (texts: string): string =>
      JSON.stringify(parse(workbook([sheet], { styles, texts: `<si><t>${texts}</t></si>` })).units);
    expect(shownIn('Wer die Aufgabe hat und bis wann sie zu tun ist')).toContain('"01.01.2024"');
    expect(shownIn('Who has the task and when it is to be done')).toContain('"1/1/2024"');
  });

  it('shows nothing of the cells that one covers, whatever is written in them', () => {
    const sheet = `<sheetData><row r="1">${text('A1', 'Erstantrag')}${text('B1', 'Erstantrag')}${text('C1', 'Erstantrag')}${text('D1', 'am')}</row></sheetData>
      <mergeCells><mergeCell ref="A1:C1"/></mergeCells>`;
    expect(parse(workbook([sheet])).units.at(-1)).toEqual({
      kind: 'row',
      cells: [
        { head: '', text: 'Erstantrag' },
        { head: '', text: 'am' },
      ],
    });
  });

  it('reads merged cells where they stand, and parts tables at empty rows', () => {
    const sheet = `<sheetData><row r="1">${text('B1', '2024')}${text('D1', '2025')}</row><row r="2">${text('A2', 'Ort')}${text('B2', 'Ein')}${text('C2', 'Aus')}${text('D2', 'Rein')}</row>
      <row r="3">${text('A3', 'Ulm')}${number('B3', 1)}${number('C3', 2)}</row><row r="4">${number('B4', 3)}</row><row r="6">${text('A6', 'Nur Text')}</row></sheetData>
      <mergeCells><mergeCell ref="B1:C1"/><mergeCell ref="A3:A4"/></mergeCells>`;
    expect(
      parse(workbook([sheet])).units.map((unit) => (unit.kind === 'row' ? unit.cells : unit.kind)),
    ).toEqual([
      'heading',
      ['Ort', '2024 Ein', '2024 Aus', '2025 Rein'].map((head) => ({ head: '', text: head })),
      [
        { head: 'Ort', text: 'Ulm' },
        { head: '2024 Ein', text: '1' },
        { head: '2024 Aus', text: '2' },
      ],
      [
        { head: 'Ort', text: 'Ulm' },
        { head: '2024 Ein', text: '3' },
      ],
      [{ head: '', text: 'Nur Text' }],
    ]);
  });

  it.each(['', '<workbookPr date1904="1"/>'])('counts hours above a day and below nothing', (more) => {
    const row = `<sheetData><row r="1">${number('A1', 1.5, 4)}${number('B1', -0.3, 4)}${number('C1', -0.3, 5)}</row></sheetData>`;
    const [, hours] = parse(workbook([row], { more })).units;
    expect(hours).toMatchObject({ cells: ['36:00', '-7:12', '-7:12'].map((text) => ({ text })) });
  });

  it('is named where it is none, broken, encrypted, empty or made to be unpacked', () => {
    expect(message(Buffer.from('PK und mehr'))).toBe('is broken: it cannot be unpacked');
    expect(message(officeFile('word/document.xml', { 'word/document.xml': '<document/>' }))).toBe(
      'is not a workbook of Excel',
    );
    expect(message(workbook(['<sheetData>']))).toBe('is broken: a part of it is no XML');
    expect(message(workbook(['<sheetData/>']))).toBe('has no text');
    const compound = Buffer.concat([
      Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
      Buffer.from('EncryptedPackage', 'utf16le'),
    ]);
    expect(message(compound)).toBe('is encrypted: save it without a password');
    expect(message(compound.subarray(0, 8))).toBe('is an old Office file: save it in the format of today');
    expect(message(zipSync({ 'xl/a.xml': new Uint8Array(17 * 1024 * 1024) }))).toBe(
      'is packed more tightly than any document',
    );
    expect(message(workbook([`<sheetData>${'<a>'.repeat(10_000)}`]))).toBe('is nested too deeply');
    const lol = `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><worksheet><sheetData><row r="1">${text('A1', '&b;')}</row></sheetData></worksheet>`;
    expect(message(officeFile('xl/workbook.xml', { 'xl/workbook.xml': lol }))).toBe(
      'is broken: a part of it is no XML',
    );
  });
});
