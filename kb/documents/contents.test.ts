import { expect, it } from 'vitest';

import { withoutContents } from './contents.ts';
import type { Unit } from './unit.ts';

const heading = (text: string): Unit => ({ kind: 'heading', level: 2, text });
const item = (text: string, points?: true): Unit => ({
  kind: 'item',
  depth: 0,
  text,
  ...(points === undefined ? {} : { points }),
});
const paragraph = (text: string): Unit => ({ kind: 'paragraph', text });
const row = (...texts: readonly string[]): Unit => ({
  kind: 'row',
  cells: texts.map((each) => ({ head: '', text: each })),
});
const text = [
  heading('1. Zweck'),
  paragraph('Die Ordnung gilt für alle Räume.'),
  heading('2. Schlüssel'),
  paragraph('Den Schlüssel hat Anna.'),
];

it.each<[string, Unit[]]>([
  ['as links', [heading('Table of Contents'), item('Zweck', true), item('Schlüssel', true)]],
  ['as names of headings', [heading('Inhalt'), item('Zweck'), item('Schlüssel'), item('Anhang')]],
  ['with pages', [paragraph('Inhaltsverzeichnis'), paragraph('1. Zweck 3'), paragraph('2. Schlüssel 4')]],
  [
    'with pages in a column',
    [heading('Inhaltsverzeichnis'), row('Zweck . . . . . .', '3'), row('Schlüssel', '4')],
  ],
  ['that look like headings', [heading('Contents'), heading('Zweck'), heading('Schlüssel')]],
  ['with dots', [paragraph('1. Zweck ........ 3'), paragraph('2. Schlüssel ....... 4')]],
])('leaves out a table of contents %s, and counts it', (_, contents) => {
  expect(withoutContents({ units: [...contents, ...text], leftOut: { footer: 1 } })).toEqual({
    units: text,
    leftOut: { footer: 1, 'table of contents': 1 },
  });
});

it.each<[string, Unit[]]>([
  ['what a parcel has in it', [heading('Contents'), item('Schrauben'), item('Zange')]],
  ['a text below such a heading', [heading('Inhalt'), paragraph('Der Kasten hat drei Fächer.')]],
  ['the fields of a form', [paragraph('Datum: ........ 20'), paragraph('Name ...............')]],
])('keeps %s', (_, units) => {
  const document = { units: [...units, ...text] };
  expect(withoutContents(document)).toBe(document);
});

it('leaves out a table of contents with entries of two lines, and one in rows without a title', () => {
  const entries = [
    row('1', 'Zweck der Ordnung und der'),
    row('Räume . . . . . .', '3'),
    row('2. Schlüssel', '4'),
  ];
  expect(withoutContents({ units: [heading('Inhalt'), ...entries, ...text] }).units).toEqual(text);
  const dotted = ['Zweck', 'Schlüssel', 'Räume'].map((each) => row(`${each} . . . . . .`, '3'));
  expect(withoutContents({ units: [...dotted, ...text] }).units).toEqual(text);
  const form = { units: [row('Seite . . . . . .', '3'), ...text] };
  expect(withoutContents(form)).toBe(form);
});

it('keeps the first heading below a table of contents that looks like headings', () => {
  const units = [heading('Geltung'), heading('Zweck'), paragraph('Die Ordnung gilt.'), heading('Ende')];
  const contents = [heading('Contents'), heading('Geltung'), heading('Ende')];
  expect(withoutContents({ units: [...contents, ...units] }).units).toEqual(units);
});

it('leaves out a table of contents with pages but neither title nor dots, and the last entry of one whose entries look like headings', () => {
  const names = ['Zweck', 'Schlüssel', 'Räume', 'Geräte', 'Haftung', 'Ende'];
  const chapters = names.flatMap((name) => [
    heading(`§ ${names.indexOf(name) + 1} ${name}`),
    paragraph('Text.'),
  ]);
  const entries = names.map((name, i) => `§ ${i + 1} ${name}`);
  const first = paragraph('Ordnung des Vereins (nachfolgend Verein)');
  const pages = entries.map((entry, i) => paragraph(`${entry} ${Math.ceil(i / 2)}`));
  expect(withoutContents({ units: [...pages, first, ...chapters] }).units).toEqual([first, ...chapters]);
  const heads = [paragraph('Inhalt'), ...entries.map((entry) => heading(entry))];
  expect(withoutContents({ units: [...heads, first, ...chapters] }).units).toEqual([first, ...chapters]);
  const numbers = ['Beitrag 12', 'Saal 4', 'Halle 7', 'Platz 2', 'Feld 9', 'Bad 1'].map(paragraph);
  expect(withoutContents({ units: [...numbers, ...chapters] }).units).toEqual([...numbers, ...chapters]);
});

it.each<[string, Unit[]]>([
  [
    'of the numbers of one heading',
    [heading('Halle'), ...[1, 2, 3, 4, 5].map((each) => item(`Halle ${each}`))],
  ],
  ['of headings that end with numbers', [1, 2, 3, 4, 5].map((each) => heading(`Phase ${each}`))],
  [
    'of prices',
    [
      paragraph('Die Preise:'),
      ...['Kinder 20', 'Studenten 30', 'Erwachsene 40', 'Senioren 50', 'Familien 60'].map(paragraph),
      ...['Kinder', 'Studenten', 'Erwachsene', 'Senioren', 'Familien'].flatMap((each) => [
        heading(each),
        paragraph('Es gilt der Preis.'),
      ]),
    ],
  ],
])('a list %s is no table of contents', (_, units) => {
  const all = [...units, ...text];
  expect(withoutContents({ units: all }).units).toEqual(all);
});
