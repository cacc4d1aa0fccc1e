import { stringify } from 'csv-stringify/sync';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTable } from './table.ts';

const HEAD = ['Monat', 'SV-Brutto', 'RV AN', 'Kantine'];
const isKnown = (name: string): boolean => HEAD.slice(0, 3).includes(name);

const cell = fc.oneof(
  fc.constantFrom('', '3.500,00', '1,234.56', '08/2021', 'Muster, Eva', 'ein "Wort"', 'zwei\nZeilen'),
  fc.string({ unit: 'grapheme-ascii', maxLength: 8 }).map((text) => text.trim()),
);
const row = fc.array(cell, { minLength: HEAD.length, maxLength: HEAD.length });
/** Titles know no column, or they would be the head. */
const title = fc
  .array(cell, { minLength: 1, maxLength: 6 })
  .filter((cells) => !cells.some((each) => isKnown(each)));

test('head and rows are found under any titles, with any delimiter, and keep the numbers that a spreadsheet shows', () => {
  fc.assert(
    fc.property(
      fc.array(title, { maxLength: 10 }),
      fc.array(row, { maxLength: 10 }),
      fc.constantFrom(';', '\t', ',', '|'),
      fc.boolean(),
      (titles, rows, delimiter, bom) => {
        const text = stringify([...titles, HEAD, ...rows], { delimiter, bom, quoted: true });
        const table = readTable('run.csv', text, isKnown);
        expect(table.head).toEqual(HEAD);
        expect(table.rows.map(({ cells }) => cells)).toEqual(rows);
        expect(table.rows.map(({ line }) => line)).toEqual(rows.map((_, at) => titles.length + 2 + at));
      },
    ),
  );
});
