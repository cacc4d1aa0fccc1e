import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../../../kb/base/load.ts';
import { changedFigures, checkSlip, worstFirst } from './check-run.ts';
import { readKeys, readPayroll } from './payroll-file.ts';
import { reportPage } from './report-page.ts';

const { review: base } = await loadKnowledgeBase(
  fileURLToPath(new URL('../../../kb/corpus', import.meta.url)),
);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-run-'));
});
afterEach(() => rm(folder, { recursive: true }));

async function fileOf(name: string, ...lines: string[]): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, `${lines.join('\n')}\n`);
  return path;
}

const HEAD = 'Name;Personalnummer;Monat;Bundesland;SV-Brutto;RV-AN;Kantine';

test('a run is checked without a name or a number of a person, the worst slip first', async () => {
  const path = await fileOf(
    'run.csv',
    HEAD,
    'Muster;4711;2021-08;Hessen;3.500,00;325,50;12,00',
    'Beispiel;4712;2021-08;Hessen;3.500,00;352,50;',
  );
  const run = await readPayroll(path, base);
  expect(run.left).toEqual(['Name', 'Personalnummer', 'Kantine']);
  expect(JSON.stringify(run.rows)).not.toMatch(/Muster|4711/u);
  const slips = worstFirst(run.rows.map((row, at) => checkSlip(row, undefined, at + 1, base)));
  expect(slips.map(({ row, warnings }) => [row, warnings.length])).toEqual([
    [2, 1],
    [1, 0],
  ]);
  expect(slips[0]!.warnings[0]!.detail).toContain('3.500,00 € × 18,6 % ÷ 2 = 325,50 €');
  expect(reportPage(slips, [])).toContain('1 von 2 Abrechnungen beanstandet');
});

test('a run is read the same in each encoding that programs write, and a file that is no text is named', async () => {
  const text = 'Abrechnungsmonat;Stundenlohn;Säumniszuschlag\r\nMärz 2022;9,59;1,00\r\n';
  const swapped = Buffer.from(`\uFEFF${text}`, 'utf16le').swap16();
  const encoded = [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text, 'latin1'),
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    swapped,
  ];
  const runs = await Promise.all(
    encoded.map(async (bytes, i) => {
      const path = join(folder, `${i}.csv`);
      await writeFile(path, bytes);
      return readPayroll(path, base);
    }),
  );
  for (const run of runs) expect(run).toEqual(runs[0]);
  expect(runs[0]!.rows[0]).toMatchObject({ abrechnungsmonat: 'März 2022' });

  const keys = join(folder, 'keys.csv');
  await writeFile(keys, Buffer.from('column,key\nSäumnis,sv_brutto\n', 'latin1'));
  expect((await readKeys(keys)).get('Säumnis')).toBe('sv_brutto');
  const noText = join(folder, 'run.xlsx');
  await writeFile(noText, Buffer.from([0x50, 0x4b, 3, 4, 0, 0]));
  await expect(readPayroll(noText, base)).rejects.toThrow('run.xlsx is no text: save it as CSV in UTF-8');
});

test('what changed since the run before is said, and the law that changed with it', async () => {
  const before = await readPayroll(await fileOf('a.csv', HEAD, 'M;1;2021-06;Hessen;3.500,00;325,50;'), base);
  const run = await readPayroll(await fileOf('b.csv', HEAD, 'M;1;2021-07;Hessen;3.600,00;334,80;'), base);
  expect(checkSlip(run.rows[0]!, before.rows[0], 1, base).changes).toContain(
    'sv-brutto: 3.500,00 → 3.600,00',
  );
  expect(changedFigures(run, before, base)).toContainEqual(
    expect.stringMatching(/^9,50 Euro → 9,60 Euro: /u),
  );
});

test('columns are mapped by a file, and a column of persons is not, whatever it says', async () => {
  const keys = await readKeys(
    await fileOf('review-keys.csv', 'column,key', 'Lohnart 2000,sv_brutto', 'Name,rv_an', 'Kantine,'),
  );
  const path = await fileOf('c.csv', 'Name;Monat;Lohnart 2000;Kantine', 'Muster;2021-08;3.500,00;5,00');
  const run = await readPayroll(path, base, keys);
  expect(Object.keys(run.rows[0]!)).toEqual(['monat', 'sv_brutto']);
  expect(run.left).toEqual(['Name', 'Kantine']);
});

test('the share that is checked counts what a slip has, not the columns of others', async () => {
  const path = await fileOf(
    'run.csv',
    'Monat;Bundesland;SV-Brutto;RV-AN;Kurzarbeitergeld',
    '2021-08;Hessen;3.500,00;325,50;',
  );
  const { rows } = await readPayroll(path, base);
  expect(checkSlip(rows[0]!, undefined, 1, base)).toMatchObject({ checked: 1, of: 4 });
});
