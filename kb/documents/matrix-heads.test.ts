import { expect, it } from 'vitest';

import { unitsOfSheet } from './sheet-units.ts';

const ROWS = [
  ['', '', 'Verkauf', '', 'Lager', ''],
  ['', '', 'Bestellung', 'Rücknahme', 'Inventur', 'Bestellung'],
  ['', 'Frist', '30 Tage', '1 Tag', '', '2 Tage'],
  ['', 'Datenverlust', '', '', '', ''],
  ['System', 'Zuständig', '', '', '', ''],
  ['Laden', 'Ben', 'ja', 'nein', 'ja', 'ja'],
  ['Kasse', '', '', '1', '', '2'],
];
const spans = new Map([[0, ['', '', 'Verkauf', 'Verkauf', 'Lager', 'Lager']]]);
const told = (rows: readonly (readonly string[])[]): string[] =>
  unitsOfSheet(rows, { spans }).map((unit) =>
    unit.kind === 'row' ? unit.cells.map(({ head, text }) => `${head}: ${text}`).join('; ') : '',
  );

it('names the columns of a matrix by the rows above its corner, and the first columns by the corner', () => {
  expect(told(ROWS)).toEqual([
    'Verkauf Bestellung: Frist 30 Tage; Verkauf Rücknahme: Frist 1 Tag; Lager Bestellung: Frist 2 Tage',
    ': Datenverlust',
    'System: Laden; Zuständig: Ben; Verkauf Bestellung: ja; Verkauf Rücknahme: nein; Lager Inventur: ja; Lager Bestellung: ja',
    'System: Kasse; Verkauf Rücknahme: 1; Lager Bestellung: 2',
  ]);
});

it('is no matrix where the first columns have text above', () => {
  expect(told(ROWS.map((row, i) => (i === 1 ? ['Jahr', ...row.slice(1)] : row)))[0]).not.toContain(
    'Frist 30',
  );
});
