import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../events/temporary-folder.suite.ts';
import { csvSource } from './csv-folder.ts';

async function columns(...lines: readonly string[]) {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'A.csv'), `${lines.join('\n')}\n`);
  const { bars } = await csvSource({ folder }).fetch('A', null, new AbortController().signal);
  return bars.map((bar) => bar.columns);
}

test('further columns of figures come with the day, empty fields do not', async () => {
  expect(
    await columns(
      'Symbol,Date,Open,High,Low,Close,Volume,Sentiment,short interest,Note',
      'A,2024-01-02,1,1,1,1,5,-0.25,1200,calm',
      'A,2024-01-03,1,1,1,1,5,,n/a,',
      'A,2024-01-04,1,1,1,1,5,0.5,,wild',
    ),
  ).toEqual([{ Sentiment: -0.25, 'short interest': 1200 }, undefined, { Sentiment: 0.5 }]);
});

test('each is read by its own notation, and one that is not sure is left out', async () => {
  expect(
    await columns(
      'Datum;Eröffnung;Hoch;Tief;Schluss;Volumen;Stimmung;KGV',
      '02.01.2024;1,5;1,5;1,5;1,5;5;-0,25;12.5',
      '03.01.2024;1,5;1,5;1,5;1,5;5;1.000,5;12,5',
    ),
  ).toEqual([{ Stimmung: -0.25 }, { Stimmung: 1000.5 }]);
});

test('columns that say whose row it is, or repeat a name, are none', async () => {
  expect(
    await columns('Unnamed: 0,Date,Open,High,Low,Close,Turnover,Score,Score', '0,2024-01-02,1,1,1,1,9,1,2'),
  ).toEqual([{ Turnover: 9, Score: 1 }]);
});
