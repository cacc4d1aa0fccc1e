import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { csv } from './csv.ts';
import { text, unitsOfText } from './text.ts';
import type { Document, Unit } from './unit.ts';

const cell = (text: string, head = '') => ({ head, text });
const count = (whole: string): number => whole.match(/wort|Titel|ende/gu)?.length ?? 0;

describe('plain text', () => {
  it('reads paragraphs, lists and headings that are unmistakable', () => {
    const written = `Hausordnung
===========

Die Ruhezeit gilt
auch am Wochenende.

2.1 Müll

Getrennt werden:
- Glas
- Papier, auch
  Pappe
  * Kartons
3) Rest

a. Im Januar 2024 war es kalt.
`;
    expect(unitsOfText(written)).toEqual([
      { kind: 'heading', level: 1, text: 'Hausordnung' },
      { kind: 'paragraph', text: 'Die Ruhezeit gilt auch am Wochenende.' },
      { kind: 'heading', level: 3, text: '2.1 Müll' },
      { kind: 'paragraph', text: 'Getrennt werden:' },
      { kind: 'item', depth: 0, text: 'Glas' },
      { kind: 'item', depth: 0, text: 'Papier, auch Pappe' },
      { kind: 'item', depth: 1, text: 'Kartons' },
      { kind: 'item', depth: 0, marker: '3)', text: 'Rest' },
      { kind: 'item', depth: 0, marker: 'a.', text: 'Im Januar 2024 war es kalt.' },
    ]);
    const long = 'Ein Absatz in einer Zeile. '.repeat(8).trim();
    expect(unitsOfText(`${long}\n${long}`)).toHaveLength(2);
  });

  it('says its title, and what it is not', () => {
    expect(text.parse(Buffer.from('Regeln\n------\n\nEine.'), 'a.txt')).toMatchObject({ title: 'Regeln' });
    expect(() => text.parse(Buffer.from(' \n'), 'a.txt')).toThrow('has no text');
    expect(() => text.parse(Buffer.from([0, 1, 2]), 'a.txt')).toThrow('is not text');
  });

  it('reads a table that dashes mark by its rows', () => {
    const written = `Tasten

  ------------- -----------------
  Show hidden   Toggle show/hide
                of hidden ones
  Show usage    Toggle usage
  ------------- -----------------

  Ort    Preis
  ------ ------
  Ulm    12,50

Ende.`;
    expect(unitsOfText(written)).toEqual([
      { kind: 'paragraph', text: 'Tasten' },
      { kind: 'row', cells: [cell('Show hidden'), cell('Toggle show/hide of hidden ones')] },
      { kind: 'row', cells: [cell('Show usage'), cell('Toggle usage')] },
      { kind: 'row', cells: [cell('Ulm', 'Ort'), cell('12,50', 'Preis')] },
      { kind: 'paragraph', text: 'Ende.' },
    ]);
  });

  it.each([
    ['a line', '  <<<\u00A0Zurück     Zum Anfang     Weiter >>>\n'],
    ['a line with bars', '‹ Vorige Seite | Inhalt | Nächste Seite ›\n'],
    ['a table', '  --------- ---------\n  << Back   Next >>\n  1. One    3. Three\n  --------- ---------\n'],
  ])('leaves out %s that leads to other pages, and says so', (_, navigation) => {
    const read = text.parse(Buffer.from(`Eine Regel.\n\n${navigation}\nNoch eine.`), 'a.txt');
    expect(read).toEqual({
      units: ['Eine Regel.', 'Noch eine.'].map((words) => ({ kind: 'paragraph', text: words })),
      leftOut: { navigation: 1 },
    });
  });

  it.each([
    'Breaks: a (<< 2.9)',
    'Datei → Öffnen  → Neu',
    '«Zitat»  und mehr',
    '>>> print(1)',
    'a << b   c >> d',
  ])('keeps an arrow that leads nowhere: %s', (words) => {
    expect(unitsOfText(words)).toHaveLength(1);
  });

  it('loses no word of a table, whatever stands around it', () => {
    const line = fc.constantFrom('--- ---', 'wort', 'wort wort', '', '    ende', 'wort', '< wort');
    fc.assert(
      fc.property(fc.array(line, { maxLength: 10 }), (lines) => {
        const told = JSON.stringify(unitsOfText(lines.join('\n')));
        // What names a column is told with each of its cells.
        expect(count(told)).toBeGreaterThanOrEqual(count(lines.join('\n')));
      }),
    );
  });

  it('loses no word and tells none twice', () => {
    const line = fc.array(
      fc.constantFrom('-', '1.', 'a)', '  ', 'wort', 'Titel', '2.1', '*', '\t', 'ende.'),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 12 }), (lines) => {
        const written = lines.map((words) => words.join(' ')).join('\n');
        const told = unitsOfText(written).map((unit) =>
          unit.kind === 'row' ? unit.cells.map(({ text: words }) => words).join(' ') : unit.text,
        );
        expect(count(told.join(' '))).toBe(count(written));
      }),
    );
  });
});

const rows = (written: string): readonly Unit[] =>
  (csv.parse(Buffer.from(written), 'a.csv') as Document).units;

describe('a table as text', () => {
  it.each([
    ['semicolons', 'Ort;Preis\nUlm;12,50\nBonn;"3;4"\n'],
    ['tabs', 'Ort\tPreis\nUlm\t12,50\nBonn\t3;4\n'],
    ['commas', '\uFEFFOrt,Preis\nUlm,"12,50"\nBonn,3;4\n'],
    ['a sign that the first line names', 'sep=|\nOrt|Preis\nUlm|12,50\nBonn|3;4\n'],
  ])('is read by its heads, between %s', (_, written) => {
    expect(rows(written)).toEqual([
      {
        kind: 'row',
        cells: [
          { head: 'Ort', text: 'Ulm' },
          { head: 'Preis', text: '12,50' },
        ],
      },
      {
        kind: 'row',
        cells: [
          { head: 'Ort', text: 'Bonn' },
          { head: 'Preis', text: '3;4' },
        ],
      },
    ]);
  });

  it('has no heads where the first row has figures, and lines of text above it', () => {
    expect(rows('Umsatz der Filialen\n\nUlm;1\nBonn;2\n')).toEqual([
      { kind: 'row', cells: [{ head: '', text: 'Umsatz der Filialen' }] },
      {
        kind: 'row',
        cells: [
          { head: '', text: 'Ulm' },
          { head: '', text: '1' },
        ],
      },
      {
        kind: 'row',
        cells: [
          { head: '', text: 'Bonn' },
          { head: '', text: '2' },
        ],
      },
    ]);
    expect(rows('Umsatz\nLand,2021,2022\nA,1,2\n')).toEqual([
      { kind: 'paragraph', text: 'Umsatz' },
      {
        kind: 'row',
        caption: 'Umsatz',
        cells: [
          { head: 'Land', text: 'A' },
          { head: '2021', text: '1' },
          { head: '2022', text: '2' },
        ],
      },
    ]);
  });

  it('reads very long and very wide tables', () => {
    expect(rows('a;1\n'.repeat(150_000))).toHaveLength(150_000);
    expect(rows('a;'.repeat(30_000))).toHaveLength(1);
  });

  it('survives a quotation mark that nothing closes', () => {
    expect(rows('Zoll;Maß\n"3;1\n4;2\n')).toHaveLength(2);
  });
});
