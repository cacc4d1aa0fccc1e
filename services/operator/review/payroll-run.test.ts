import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../../../kb/base/load.ts';
import { readKeys, readPayroll } from './payroll-file.ts';
import { findingsCsv } from './findings-csv.ts';
import { reportPage } from './report-page.ts';
import { reportText } from './report-text.ts';
import { isOfPerson } from './person-columns.ts';
import { checkRun, type RunOptions } from './run.ts';
import type { RunReport } from './run-report.ts';

const knowledge = await loadKnowledgeBase(fileURLToPath(new URL('../../../kb/corpus', import.meta.url)));
const { review: base } = knowledge;

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

const HEAD_ONLY = 'Monat;Bundesland;SV-Brutto;RV-AN';
const SLIP = '2021-08;Hessen;3.500,00;325,50';
const WRONG = '2021-08;Hessen;3.500,00;352,50';

const check = async (path: string, options: RunOptions = {}): Promise<RunReport> =>
  checkRun(path, options, knowledge);

const told = (report: RunReport): string => reportText(report).join('\n');

test('a run is checked without a name or a number of a person, the worst slip first', async () => {
  const path = await fileOf(
    'run.csv',
    HEAD,
    'Muster;4711;2021-08;Hessen;3.500,00;325,50;12,00',
    'Beispiel;4712;2021-08;Hessen;3.500,00;352,50;',
  );
  const report = await check(path);
  expect(report.file.left).toEqual(['Name', 'Personalnummer', 'Kantine']);
  expect(JSON.stringify(report.file) + told(report) + reportPage(report)).not.toMatch(/Muster|4711/u);
  expect(report.slips.map(({ row, findings }) => [row.line, findings.length])).toEqual([
    [3, 1],
    [2, 0],
  ]);
  expect(report.slips[0]!.findings[0]).toMatchObject({ key: 'rv-an', right: '325,50 €', off: '27,00' });
  expect(told(report)).toContain('⚠ RV-AN: Angegeben: 352,50 €; richtig: 3.500,00 € × 18,6 % ÷ 2 = 325,50 €');
  expect(told(report)).toContain(
    'Ohne Befund:\nZeile 2: 1 von 1 prüfbaren Angaben geprüft; 3 beschreiben den Fall.',
  );
  expect(told(report)).toMatch(/\nQuellen:\n\[BS-RV[^\]]*\] .*§ /u);
  expect(reportPage(report)).toContain('1 von 2 Abrechnungen beanstandet');
});

test('the worst slips are those that are off by the most euros, too much or too little', async () => {
  const path = await fileOf(
    'run.csv',
    `${HEAD_ONLY};RV-AG`,
    '2021-08;Hessen;3.500,00;326,50;326,50',
    '2021-08;Hessen;3.500,00;375,50;325,50',
    '2021-08;Hessen;3.500,00;225,50;325,50',
    '2021-08;Hessen;3.500,00;325,50;325,50',
  );
  const { slips } = await check(path);
  expect(slips.map(({ row }) => row.line)).toEqual([4, 3, 2, 5]);
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
  for (const run of runs) expect(run.rows).toEqual(runs[0]!.rows);
  expect(runs[0]!.rows[0]!.facts).toContainEqual({ key: 'abrechnungsmonat', value: 'März 2022' });

  const keys = join(folder, 'keys.csv');
  await writeFile(keys, Buffer.from('column,key\nSäumnis,sv_brutto\n', 'latin1'));
  expect((await readKeys(keys, base, true)).get('Säumnis')).toBe('sv_brutto');
  const noText = join(folder, 'run.xlsx');
  await writeFile(noText, Buffer.from([0x50, 0x4b, 3, 4, 0, 0]));
  await expect(readPayroll(noText, base)).rejects.toThrow(
    'run.xlsx ist kein Text: Speichern Sie die Tabelle als CSV',
  );
});

test('a run without a month is refused with the way to give one, and checked with it', async () => {
  const path = await fileOf(
    'a.csv',
    'Bundesland;SV-Brutto;RV-AN',
    'Hessen;3.500,00;325,50',
    'Hessen;3.500,00;352,50',
  );
  await expect(check(path)).rejects.toThrow('--month 2022-01');
  await expect(check(path, { month: '2021' })).rejects.toThrow('2022-01, 01/2022 oder Januar 2022');
  const report = await check(path, { month: 'August 2021' });
  expect(report.slips.map(({ checked, findings }) => [checked, findings.length])).toEqual([
    [1, 1],
    [1, 0],
  ]);
  // The run before is of the month before.
  const high = await fileOf('b.csv', 'Bundesland;SV-Brutto;RV-Brutto', 'Hessen;8.000,00;7.100,00');
  const { law } = await check(high, { month: '2021-01', before: high });
  expect(law[0]!.text).toContain('7.100 Euro statt 6.900 Euro');
});

test('a ceiling that the new year has kept is said to be unchanged, and explains no change', async () => {
  const path = await fileOf('a.csv', 'Bundesland;SV-Brutto;KV-Brutto', 'Hessen;8.000,00;4.837,50');
  const { law } = await check(path, { month: '2022-01', before: path });
  expect(law).toEqual([
    {
      kind: 'kept',
      text: expect.stringMatching(/^KV-Brutto: unverändert 4\.837,50 Euro\. Im Jahr 2022/u),
      source: 'BBG-KV-2022',
      decides: new Set(),
    },
  ]);
});

test('a month that the file contradicts, and a way to compare without a run before, are refused', async () => {
  const path = await fileOf('a.csv', HEAD_ONLY, SLIP, WRONG);
  await expect(check(path, { month: '2021-09' })).rejects.toThrow('anderer Monat als in Zeilen 2, 3.');
  await expect(check(path, { id: 'Name' })).rejects.toThrow('--before');
  expect((await check(path, { before: path })).remarks[0]).toMatch(
    /ist von 2021-08, nicht von einem früheren/u,
  );
});

test('single slips without a month are named', async () => {
  const report = await check(await fileOf('a.csv', HEAD_ONLY, SLIP, ';Hessen;3.500,00;325,50'));
  expect(told(report)).toContain('Ohne Abrechnungsmonat, deshalb fast nicht geprüft: Zeile 3.');
});

test.for([
  ['only a head', [HEAD_ONLY], 'hat keine Abrechnung'],
  ['no known column', ['Alpha;Beta', '1;2'], 'beleg review keys'],
  ['a quote that is not closed', [HEAD_ONLY, '"2021-08;Hessen;3.500,00;325,50'], 'Anführungszeichen'],
] as const)('%s is said in plain words', async ([, lines, words]) => {
  await expect(check(await fileOf('a.csv', ...lines))).rejects.toThrow(words);
});

test('a file that is not there is said in plain words', async () => {
  await expect(check(join(folder, 'nichts.csv'))).rejects.toThrow('nichts.csv gibt es nicht.');
});

test.for([
  ['one line', ['Lohnjournal August 2021;Mandant 4711']],
  ['several, with empty ones', ['sep=;', 'Lohnjournal', '', 'Monat;August 2021', '']],
  ['one with commas', ['Muster GmbH, Kassel, Mandant 4711, Lohnjournal']],
] as const)('titles above the head do not matter: %s', async ([, titles]) => {
  const report = await check(await fileOf('a.csv', ...titles, HEAD_ONLY, SLIP, WRONG));
  // The rows have the numbers that Excel shows.
  expect(report.slips.map(({ row, findings }) => [row.line, findings.length])).toEqual([
    [titles.length + 3, 1],
    [titles.length + 2, 0],
  ]);
});

test('a row keeps its number in Excel beneath a cell of two lines and an empty row', async () => {
  const report = await check(
    await fileOf('a.csv', `${HEAD_ONLY};Notiz`, `${SLIP};"zwei\nZeilen"`, '', WRONG),
  );
  expect(report.slips.map(({ row }) => row.line)).toEqual([4, 2]);
});

test('sums, repeated heads, remarks and rows of another shape are no slips, and are named', async () => {
  const path = await fileOf(
    'a.csv',
    `Name;${HEAD_ONLY}`,
    `A;${SLIP}`,
    'Zwischensumme KST 100;;;3.500,00;325,50',
    `Name;${HEAD_ONLY}`,
    `B;${SLIP}`,
    'C;2021-08;Hessen;3,500,00;325,50;',
    'D;2021-08;Hessen;3.500,00;325,50;;x',
    'Erstellt am 31.08.2021;;;;',
    ';;Gesamt:;7.000,00;651,00',
  );
  const report = await check(path);
  expect(report.file.rows.map(({ line }) => line)).toEqual([2, 5, 6]);
  const said = told(report);
  expect(said).toContain('Keine Abrechnung: Zeilen 3, 9 (Summe).');
  expect(said).toContain('Keine Abrechnung: Zeile 7 (7 Zellen, die Kopfzeile hat 5');
  expect(said).toContain('Keine Abrechnung: Zeile 8 (kein Wert in einer geprüften Spalte).');
});

test('a last row that adds up the others is a sum without a word, and an ordinary slip is none', async () => {
  const other = '2021-08;Hessen;1.000,00;93,00';
  const sum = await check(await fileOf('a.csv', HEAD_ONLY, SLIP, other, ';;4.500,00;418,50'));
  expect(sum.file.skipped).toEqual([{ line: 4, why: 'Summe der Zeilen darüber' }]);
  const slips = await check(await fileOf('b.csv', HEAD_ONLY, SLIP, other, '2021-08;Hessen;4.500,00;418,60'));
  expect(slips.file.rows).toHaveLength(3);
});

const PEOPLE = 'Pers.-Nr.;Monat;Bundesland;Steuerklasse;SV-Brutto;RV-AN';

test('what changed since the run before is said of the same person, and the law that changed with it', async () => {
  const before = await fileOf(
    'a.csv',
    PEOPLE,
    '1;2021-12;Hessen;I;3500,00;325,50',
    '2;2021-12;Bayern;I;8.000,00;660,30',
    '3;2021-12;Sachsen;I;3.000,00;279,00',
    '4;2021-12;Sachsen;I;3.000,00;279,00',
    '4;2021-12;Sachsen;I;200,00;18,60',
  );
  const path = await fileOf(
    'b.csv',
    PEOPLE,
    '4;2022-01;Sachsen;I;3.000,00;279,00',
    '5;2022-01;Berlin;I;3.000,00;279,00',
    '2;2022-01;Bayern;I;8.000,00;660,30',
    '1;2022-01;Hessen;I;3.500,00;335,50',
  );
  const report = await check(path, { before, id: 'Pers.-Nr.' });
  // Neither the month nor another way to write an amount is a change.
  expect(
    [...report.changes]
      .filter(([, changes]) => changes.length > 0)
      .map(([{ row }, changes]) => [row.line, changes]),
  ).toEqual([
    [4, ['RV-AN: unverändert, obwohl sich das Recht geändert hat']],
    [5, ['RV-AN: 325,50 → 335,50']],
  ]);
  expect(report.remarks).toEqual([
    `Verglichen mit ${before}: 2 Abrechnungen, je mit der derselben Person.`,
    'Neu, ohne Vormonat: Zeile 3.',
    `Nicht mehr dabei, in ${before}: Zeile 4.`,
    'Nicht verglichen, weil es von der Person mehrere Abrechnungen gibt: Zeile 2.',
  ]);
  expect(report.law.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^RV-AN: 7\.050 Euro statt 7\.100 Euro\. /u),
  ]);
  expect(JSON.stringify(report.file)).not.toMatch(/"[1-5]"/u);
  await expect(check(path, { before, id: 'Nummer' })).rejects.toThrow('hat keine Spalte „Nummer“.');
});

test('numbers of persons are the same without the zeros that Excel drops, and a column that fits nobody is refused', async () => {
  const slip = 'Hessen;I;3.500,00;325,50';
  const before = await fileOf('a.csv', PEOPLE, `007;2021-12;${slip}`, `008;2021-12;${slip}`);
  const path = await fileOf('b.csv', PEOPLE, `8;2022-01;${slip}`, `9;2022-01;${slip}`);
  const { remarks } = await check(path, { before, id: 'Pers.-Nr.' });
  expect(remarks[0]).toContain('1 Abrechnung, je mit der derselben Person');
  await expect(check(path, { before, id: 'Monat' })).rejects.toThrow('Keine Person aus');
});

test('runs of different length are not compared row by row, unless that is told', async () => {
  const before = await fileOf('a.csv', PEOPLE, '1;2021-12;Hessen;I;3.500,00;325,50');
  const path = await fileOf(
    'b.csv',
    PEOPLE,
    '1;2022-01;Hessen;I;3.600,00;334,80',
    '2;2022-01;Hessen;I;3.000,00;279,00',
  );
  await expect(check(path, { before })).rejects.toThrow('--id "Pers.-Nr."');
  const report = await check(path, { before, byRow: true });
  expect([...report.changes.values()].filter((changes) => changes.length > 0)).toHaveLength(1);
});

const runOf = async (name: string, month: string, persons: readonly string[]): Promise<string> =>
  fileOf(name, PEOPLE, ...persons.map((person) => `;${month};${person};3.500,00;325,50`));

test('rows that have moved are not compared, as they are of other persons', async () => {
  const rows = ['Hessen;I', 'Bayern;III', 'Sachsen;V', 'Berlin;II'];
  const path = await runOf('b.csv', '2022-01', rows);
  const moved = await runOf('a.csv', '2021-12', [...rows.slice(1), rows[0]!]);
  const report = await check(path, { before: moved });
  expect(report.remarks.join(' ')).toContain('Zeilen 2–5 steht offenbar eine andere Person');
  expect([...report.changes.values()].flat()).toEqual([]);
});

test('law that changed is named where it decides a value of the file: a rule, a tariff, and nothing else', async () => {
  const head =
    'Monat;Bundesland;Personengruppe;SV-Brutto;AV-AG;Steuerklasse;KV-Zusatzbeitrag;Kinderlos;BGR;Steuerbrutto;Lohnsteuer';
  const before = await fileOf(
    'a.csv',
    head,
    '2021-12;Hessen;119;2.000,00;0,00;;;;;;',
    '2021-12;Hessen;101;2.673,37;32,08;I;1,3;ja;1111;2.673,37;314,33',
  );
  const path = await fileOf(
    'b.csv',
    head,
    '2022-01;Hessen;119;2.000,00;24,00;;;;;;',
    '2022-01;Hessen;101;2.673,37;32,08;I;1,3;ja;1111;2.673,37;305,33',
  );
  const { law } = await check(path, { before });
  expect(law.map(({ text }) => text)).toEqual([
    expect.stringMatching(/^AV-AG: Es gilt eine andere Regel\. .*seit dem 1\. Januar 2022/u),
    'Lohnsteuer: Tarif 2022 statt 2021, Grundfreibetrag 9.984 € statt 9.744 € (§ 32a EStG).',
  ]);
});

test('law that only says what pay stays below is no change of a slip', async () => {
  const head = 'Monat;Bundesland;SV-Brutto;RV-Brutto';
  const before = await fileOf('a.csv', head, '2021-12;Hessen;3.500,00;3.500,00');
  const path = await fileOf('b.csv', head, '2022-01;Hessen;3.500,00;3.500,00');
  expect((await check(path, { before })).law).toEqual([]);
});

test('all that the page holds is written as Excel in German opens it, amounts in one form', async () => {
  const lines = findingsCsv(
    await check(
      await fileOf('run.csv', `${HEAD_ONLY};KV-Zusatz-AN`, `${SLIP};`, '2021-08;Hessen;3500.00;352.50;22,75'),
    ),
  ).split('\r\n');
  expect(lines[0]).toBe(
    '\uFEFFZeile;Art;Geprüft;Angaben;Spalte;Angegeben;Richtig;Abweichung;Befund;Quellen;Änderungen',
  );
  expect(lines[1]).toBe(
    ';Lauf;;;;;;;"1 von 2 Abrechnungen beanstandet; 2 von 3 prüfbaren Angaben geprüft; 6 beschreiben den Fall.";;',
  );
  expect(lines[2]).toMatch(
    /^;Lauf;;;;;;;"?Rechtsstand der Wissensbasis: März 2022; .*Oktober 2022 bekannt ist\."?;;$/u,
  );
  // The counts are those of the page: facts that only tell the case are none that could be checked.
  expect(lines.filter((line) => /^\d/u.test(line))).toEqual([
    expect.stringMatching(/^3;Befund;1;2;RV-AN;352,50;325,50;27,00;"Angegeben: .*§ .*;$/u),
    expect.stringMatching(/^3;Nicht geprüft;1;2;KV-Zusatz-AN;;;;In diesem Fall .*;;$/u),
    '2;Ohne Befund;1;1;;;;;;;',
  ]);
  const report = await check(await fileOf('a.csv', `${HEAD_ONLY};KV-Zusatz-AN`, `${WRONG};22,75`));
  expect(told(report)).toMatch(/^Nicht geprüft: KV-Zusatz-AN\. In diesem Fall /mu);
  expect(reportPage(report)).toContain('<h3>Nicht geprüft</h3><ul><li>KV-Zusatz-AN. In diesem Fall ');
});

test('who is new or gone, and which law changed, is in the CSV too', async () => {
  const before = await fileOf(
    'a.csv',
    PEOPLE,
    '1;2021-12;Hessen;I;8.000,00;660,30',
    '2;2021-12;Hessen;I;3.000,00;279,00',
  );
  const path = await fileOf(
    'b.csv',
    PEOPLE,
    '1;2022-01;Hessen;I;8.000,00;660,30',
    '3;2022-01;Hessen;I;3.000,00;279,00',
  );
  const csv = findingsCsv(await check(path, { before, id: 'Pers.-Nr.' }));
  expect(csv).toContain(';Lauf;;;;;;;Neu, ohne Vormonat: Zeile 3.;;');
  expect(csv).toContain(`;Lauf;;;;;;;Nicht mehr dabei, in ${before}: Zeile 3.;;`);
  expect(csv).toMatch(/^;Lauf;;;;;;;"?RV-AN: 7\.050 Euro statt 7\.100 Euro\. .*;BBG-2022: /mu);
});

test('law that ended, and after which the base knows none, is named with the values that nothing judges now', async () => {
  const head = 'Pers.-Nr.;Monat;Bundesland;SV-Brutto;RV-AN';
  const before = await fileOf(
    'a.csv',
    head,
    '1;2022-12;Hessen;3.000,00;279,00',
    '2;2022-12;Hessen;8.000,00;655,65',
  );
  const path = await fileOf(
    'b.csv',
    head,
    '1;2023-01;Hessen;3.000,00;279,00',
    '2;2023-01;Hessen;8.000,00;655,65',
  );
  const report = await check(path, { before, id: 'Pers.-Nr.' });
  expect(report.law.map(({ kind, text }) => [kind, text])).toEqual([
    [
      'unknown',
      'Recht geändert oder ausgelaufen zum 1.1.2023, neue Regel nicht bekannt: RV-AN. Diese Angaben sind nicht geprüft; unverändert gegenüber dem Vormonat in Zeilen 2, 3.',
    ],
  ]);
  expect(told(report)).toContain('Recht geändert oder ausgelaufen zum 1.1.2023');
  expect(reportPage(report)).toContain('<h2>Recht, das nicht mehr bekannt ist</h2>');
});

test('from September to October 2022 the run says what changed, once, and which value was left as it was', async () => {
  const head =
    'Pers.-Nr.;Monat;Bundesland;PGR;BGR;Midijob;Zusatzbeitrag;SV-Brutto;RV-Brutto;RV-AN;RV-AG;AV-AN;Faktor F';
  const slip = 'Hessen;101;1111;ja;1,3;900,00';
  const before = await fileOf('a.csv', head, `1;2022-09;${slip};847,25;73,90;83,70;9,54;0,7509`);
  const path = await fileOf('b.csv', head, `1;2022-10;${slip};847,25;73,90;83,70;9,54;0,7509`);
  const report = await check(path, { before, id: 'Pers.-Nr.' });
  const law = report.law.map(({ text }) => text);
  expect(law).toEqual(
    expect.arrayContaining([expect.stringMatching(/^.*Faktor F.*: 0,7009 statt 0,7509\./u)]),
  );
  expect(law.filter((text) => text.includes('ist der Beitragsanteil des Arbeitnehmers'))).toEqual([
    expect.stringMatching(/^RV-AN, AV-AN: Es gilt eine andere Regel\. /u),
  ]);
  const [slipNow] = report.slips;
  expect(slipNow!.findings.map(({ key }) => key)).toEqual([
    'rv-brutto',
    'rv-an',
    'rv-ag',
    'av-an',
    'faktor_f',
  ]);
  expect(report.changes.get(slipNow!)).toEqual(
    ['RV-Brutto', 'RV-AN', 'RV-AG', 'AV-AN', 'Faktor F'].map(
      (column) => `${column}: unverändert, obwohl sich das Recht geändert hat`,
    ),
  );
});

test('a value is only said to be left as it was where the law by which this slip is judged has changed', async () => {
  // The zone's factor changed for the midi-job; nothing changed for the ordinary pay, which rose.
  const head = 'Monat;Bundesland;PGR;BGR;Übergangsbereich;SV-Brutto;RV-AN';
  const before = await fileOf(
    'a.csv',
    head,
    '2022-09;Hessen;101;1111;ja;1.000,00;85,64',
    '2022-09;Hessen;101;1111;nein;4.000,00;372,00',
  );
  const path = await fileOf(
    'b.csv',
    head,
    '2022-10;Hessen;101;1111;ja;1.000,00;85,64',
    '2022-10;Hessen;101;1111;nein;4.100,00;372,00',
  );
  const report = await check(path, { before });
  const changes = report.slips.map((slip) => [slip.row.line, slip.findings.length, report.changes.get(slip)]);
  expect(changes).toEqual([
    [2, 1, ['RV-AN: unverändert, obwohl sich das Recht geändert hat']],
    [3, 1, ['SV-Brutto: 4.000,00 → 4.100,00']],
  ]);
});

test('the page says how far amounts are off, and what changed in slips without findings', async () => {
  const head = 'Monat;Bundesland;PGR;BGR;SV-Brutto;RV-AN';
  const before = await fileOf(
    'a.csv',
    head,
    '2022-02;Hessen;101;1111;4.000,00;372,00',
    '2022-02;Hessen;101;1111;3.000,00;279,00',
  );
  const path = await fileOf(
    'b.csv',
    head,
    '2022-03;Hessen;101;1111;4.000,00;370,00',
    '2022-03;Hessen;101;1111;3.100,00;288,30',
  );
  const page = reportPage(await check(path, { before }));
  expect(page).toContain('<li>⚠ RV-AN (Abweichung -2,00 €): Angegeben: 370,00 €');
  expect(page).toContain(
    '<h2>Ohne Befund, gegenüber dem Vormonat</h2><ul><li>Zeile 3: SV-Brutto: 3.000,00 → 3.100,00; RV-AN: 279,00 → 288,30</li></ul>',
  );
});

test('no cell is a formula for a spreadsheet', async () => {
  const path = await fileOf('run.csv', 'Monat;SV-Brutto;=RV-AN', '2021-08;3.500,00;352,50');
  const keys = await fileOf('keys.csv', 'column;key', '=RV-AN;rv_an');
  expect(findingsCsv(await check(path, { keys }))).toContain(";'=RV-AN;352,50;");
});

test('columns are mapped by a file, and a column of persons is not, whatever it says', async () => {
  const keys = await readKeys(
    await fileOf('review-keys.csv', 'column,key', 'Lohnart 2000,sv_brutto', 'Name,rv_an', 'Kantine,'),
    base,
    true,
  );
  const path = await fileOf('c.csv', 'Name;Monat;Lohnart 2000;Kantine', 'Muster;2021-08;3.500,00;5,00');
  const run = await readPayroll(path, base, { mapping: keys });
  expect(run.rows[0]!.facts.map(({ key }) => key)).toEqual(['monat', 'sv_brutto']);
  expect(run.left).toEqual(['Name', 'Kantine']);
});

test('a mapping that is named must be there, and its keys must be in the vocabulary', async () => {
  const path = await fileOf('a.csv', HEAD_ONLY, SLIP);
  await expect(check(path, { keys: join(folder, 'nichts.csv') })).rejects.toThrow(
    'nichts.csv gibt es nicht.',
  );
  const keys = await fileOf('keys.csv', 'column;key', 'Kantine;rv_ann');
  await expect(check(path, { keys })).rejects.toThrow('Das Vokabular kennt nicht: rv_ann.');
});

test('columns of persons are known in every usual spelling, and none of them is of the vocabulary', () => {
  const columns = [
    'Pers.-Nr.',
    'PersNr',
    'Personal-Nr.',
    'MA-Nr',
    'SV-Nummer',
    'Steuer-ID',
    'Straße',
    'E-Mail',
  ];
  expect(columns.filter((column) => !isOfPerson(column))).toEqual([]);
  const spellings = base.quantities.flatMap(({ key, also, english }) => [key, ...also, ...english]);
  expect(spellings.filter((spelling) => isOfPerson(spelling))).toEqual([]);
});

test('the share that is checked counts what a slip has, not the columns of others', async () => {
  const report = await check(await fileOf('run.csv', `${HEAD_ONLY};Kurzarbeitergeld`, `${SLIP};`));
  expect(report.slips[0]).toMatchObject({ checked: 1, of: 4 });
});
