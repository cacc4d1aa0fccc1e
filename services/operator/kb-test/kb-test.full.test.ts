import { mkdir, mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readSettings } from '../../composition/settings.ts';
import { openPipeline } from '../ask-pipeline.ts';
import { readExpectations } from './expectation.ts';
import { formatOutcomes, testBase } from './kb-test.ts';

/** A handbook: for each page a file, a heading, a text, and a question. */
const PAGES = [
  [
    'urlaub.md',
    'Urlaubsanspruch',
    'Der Urlaubsanspruch beträgt 30 Tage im Kalenderjahr.',
    'Wie hoch ist der Urlaubsanspruch?',
  ],
  [
    'uebertrag.md',
    'Übertragung von Resturlaub',
    'Resturlaub wird bis zum 31. März des Folgejahres übertragen.',
    'Bis wann wird Resturlaub übertragen?',
  ],
  [
    'krank.md',
    'Krankmeldung',
    'Die Krankmeldung geht vor 9 Uhr an die Teamleitung.',
    'An wen geht die Krankmeldung?',
  ],
  [
    'attest.md',
    'Ärztliches Attest',
    'Ein ärztliches Attest ist ab dem dritten Krankheitstag nötig.',
    'Ab wann ist ein Attest nötig?',
  ],
  [
    'homeoffice.md',
    'Homeoffice',
    'Homeoffice ist an zwei Tagen in der Woche möglich.',
    'An wie vielen Tagen ist Homeoffice möglich?',
  ],
  [
    'kernzeit.md',
    'Kernarbeitszeit',
    'Die Kernarbeitszeit reicht von 10 bis 15 Uhr.',
    'Wann ist Kernarbeitszeit?',
  ],
  [
    'ueberstunden.md',
    'Überstunden',
    'Überstunden werden durch Freizeit ausgeglichen.',
    'Wie werden Überstunden ausgeglichen?',
  ],
  [
    'reisekosten.md',
    'Reisekosten',
    'Reisekosten werden innerhalb von zwei Wochen erstattet.',
    'Wann werden Reisekosten erstattet?',
  ],
  [
    'bahn.md',
    'Bahnfahrten',
    'Bahnfahrten werden in der zweiten Klasse gebucht.',
    'In welcher Klasse werden Bahnfahrten gebucht?',
  ],
  [
    'hotel.md',
    'Hotelkosten',
    'Hotelkosten werden bis 120 Euro je Nacht übernommen.',
    'Bis zu welchem Betrag werden Hotelkosten übernommen?',
  ],
  ['parken.md', 'Parkplätze', 'Parkplätze vergibt die Hausverwaltung auf Antrag.', 'Wer vergibt Parkplätze?'],
  [
    'schluessel.md',
    'Schlüsselverlust',
    'Ein Schlüsselverlust ist dem Empfang sofort zu melden.',
    'Wem ist ein Schlüsselverlust zu melden?',
  ],
  [
    'passwort.md',
    'Passwörter',
    'Passwörter haben mindestens zwölf Zeichen.',
    'Wie viele Zeichen haben Passwörter?',
  ],
  ['laptop.md', 'Laptops', 'Laptops werden alle vier Jahre ersetzt.', 'Wie oft werden Laptops ersetzt?'],
  ['drucker.md', 'Druckerpapier', 'Druckerpapier liegt im Lager im Keller.', 'Wo liegt Druckerpapier?'],
  ['kantine.md', 'Kantine', 'Die Kantine öffnet um 11:30 Uhr.', 'Wann öffnet die Kantine?'],
  [
    'fahrrad.md',
    'Fahrradkeller',
    'Der Fahrradkeller ist mit dem Hausausweis zugänglich.',
    'Womit ist der Fahrradkeller zugänglich?',
  ],
  [
    'weiterbildung.md',
    'Weiterbildung',
    'Für Weiterbildung stehen 800 Euro im Jahr bereit.',
    'Wie viel Geld steht für Weiterbildung bereit?',
  ],
  ['probezeit.md', 'Probezeit', 'Die Probezeit dauert sechs Monate.', 'Wie lange dauert die Probezeit?'],
  [
    'dienstwagen.md',
    'Dienstwagen',
    'Dienstwagen sind im Fuhrpark zu reservieren.',
    'Wo sind Dienstwagen zu reservieren?',
  ],
] as const;
const UNKNOWN = ['Wie beantrage ich Elterngeld?', 'Darf mein Hund ins Büro?'];
const QUESTIONS = [
  'question;expected',
  ...PAGES.map(([file, , , question]) => `${question};${file}`),
  ...UNKNOWN.map((question) => `${question};refused`),
].join('\r\n');

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'beleg-kb-test-'));
  await mkdir(join(folder, 'base'));
  for (const [file, title, text] of PAGES) await write(file, title, text);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const write = (file: string, title: string, text: string) =>
  writeFile(join(folder, 'base', file), `# ${title}\n\n${text}\n`);

async function outcomes(questions = QUESTIONS) {
  const settings = readSettings({
    PV_KB_PATH: join(folder, 'base'),
    DATA_DIR: join(folder, 'data'),
    LOG_LEVEL: 'silent',
  });
  await using pipeline = await openPipeline(settings, { reviewMode: false });
  return await testBase(readExpectations(Buffer.from(questions), 'questions.csv'), pipeline);
}

const fallen = (all: Awaited<ReturnType<typeof outcomes>>) =>
  all.filter(({ result }) => result === 'fell').map(({ question }) => question);

test('nothing falls on a base that is as it was', async () => {
  expect(fallen(await outcomes())).toEqual([]);
});

const at = (k: number) => PAGES[k]!;

describe('a change of the base is found by the question that it breaks', () => {
  const removed = [0, 5, 10, 15].map(
    (k) => ['gone', k, () => unlink(join(folder, 'base', at(k)[0]))] as const,
  );
  const emptied = [1, 6, 11].map(
    (k) => ['empty', k, () => writeFile(join(folder, 'base', at(k)[0]), '\n')] as const,
  );
  const broken = [2, 7, 12].map(
    (k) =>
      ['unreadable', k, () => writeFile(join(folder, 'base', at(k)[0]), Buffer.from([0, 1, 2, 0]))] as const,
  );
  const rewritten = [3, 8, 13, 16].map(
    (k) => ['about something else', k, () => write(at(k)[0], 'Impressum', 'Angaben zum Verein.')] as const,
  );
  const renamed = [4, 9, 14].map(
    (k) =>
      [
        'under another name',
        k,
        async () => {
          await unlink(join(folder, 'base', at(k)[0]));
          await write(`neu-${at(k)[0]}`, at(k)[1], at(k)[2]);
        },
      ] as const,
  );
  const changes = [...removed, ...emptied, ...broken, ...rewritten, ...renamed];
  test.each(changes)('a page is %s (%i)', async (_, k, change) => {
    await change();
    expect(fallen(await outcomes())).toEqual([at(k)[3]]);
  });

  test('a page answers what is to be refused', async () => {
    await write('elterngeld.md', 'Elterngeld', 'Elterngeld ist bei der Elterngeldstelle zu beantragen.');
    expect(fallen(await outcomes())).toEqual([UNKNOWN[0]]);
  });

  test('a page says another figure than it has to', async () => {
    const questions = 'Frage,erwartet,sagt\nWie lange dauert die Probezeit?,probezeit.md,sechs Monate\n';
    expect(fallen(await outcomes(questions))).toEqual([]);
    await write('probezeit.md', 'Probezeit', 'Die Probezeit dauert vier Monate.');
    expect(fallen(await outcomes(questions))).toEqual(['Wie lange dauert die Probezeit?']);
  });

  test('a new page displaces the one that is right', async () => {
    await write(
      'alt.md',
      'Urlaubsanspruch',
      'Wie hoch der Urlaubsanspruch ist: Der Urlaubsanspruch ist hoch.',
    );
    await unlink(join(folder, 'base', 'urlaub.md'));
    await write('urlaub.md', 'Freie Zeit', 'Es sind 30 Tage.');
    expect(fallen(await outcomes())).toContain(PAGES[0][3]);
  });
});

test('what fell is said with its reason, and what nobody has said yet is asked for', async () => {
  const all = await outcomes(
    'question;expected\nWann öffnet die Kantine?;urlaub.md\nWo liegt Druckerpapier?;\nDarf mein Hund ins Büro?;kantine.md|keller.md\nWie lange dauert die Probezeit?;refused\n',
  );
  expect(formatOutcomes(all, { columns: 80, colour: false })).toBe(`\
✗ Wann öffnet die Kantine?
    does not cite urlaub.md, but kantine
✗ Darf mein Hund ins Büro?
    was refused, though kantine.md is there
    keller.md is no source of the base
✗ Wie lange dauert die Probezeit?
    was answered, from probezeit
? Wo liegt Druckerpapier?
    nothing is expected yet; now: drucker
0 of 4 questions hold, 3 fell, 1 without an expectation`);
});

test('the questions of the page on changing a base hold on the starter base', async () => {
  const page = await readFile(join(import.meta.dirname, '../../../docs/changing-a-base.md'), 'utf8');
  const [, questions = ''] = /<<'END'\n(.*?)END\n/su.exec(page) ?? [];
  const settings = readSettings({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'silent' });
  await using pipeline = await openPipeline(settings, { reviewMode: false });
  const all = await testBase(readExpectations(Buffer.from(questions), 'page'), pipeline);
  expect(all.map(({ result }) => result)).toEqual(['held', 'held', 'held']);
});
