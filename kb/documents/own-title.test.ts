import { expect, it } from 'vitest';

import { ownTitle } from './own-title.ts';
import type { Unit } from './unit.ts';

const paragraphs = (...texts: readonly string[]): Unit[] =>
  texts.map((text): Unit => ({ kind: 'paragraph', text }));
const heading = (text: string, level = 1): Unit => ({ kind: 'heading', level, text });

it('is that of the properties where the text has it, or has none', () => {
  const units = [heading('Umzug'), ...paragraphs('Der Leitfaden zum Umzug gilt für alle Büros.')];
  expect(ownTitle('Leitfaden zum Umzug', units)).toBe('Leitfaden zum Umzug');
  expect(ownTitle('Büro', paragraphs('Das Büro zieht im Mai um.'))).toBe('Büro');
  // The title of a template is nowhere in the text.
  expect(ownTitle('Briefkopf', paragraphs('Das Büro zieht im Mai um.'))).toBeUndefined();
  expect(ownTitle('Briefkopf', paragraphs('Das Büro zieht um.'), ['Briefkopf Nord'])).toBe('Briefkopf');
});

it('is the title of the text where the properties have another', () => {
  expect(
    ownTitle('Kindergarten Nord', [heading('Leitfaden zum Umzug'), ...paragraphs('Das Büro zieht um.')]),
  ).toBe('Leitfaden zum Umzug');
  expect(
    ownTitle('Briefkopf', paragraphs('Telefon: 0123', 'Merkblatt für Eltern', 'Das Kind bleibt zu Hause.')),
  ).toBe('Merkblatt für Eltern');
});

it('is the title of the text where this only mentions that of the properties', () => {
  const units = [
    heading('Aufnahmeantrag'),
    ...paragraphs('Unterschrieben wird bei der Datenschutzerklärung.'),
  ];
  expect(ownTitle('Datenschutzerklärung', units)).toBe('Aufnahmeantrag');
  expect(ownTitle('Datenschutzerklärung', units, ['Datenschutzerklärung Nord'])).toBe('Datenschutzerklärung');
});

it('is on the title page, over several lines, and not the head of a section', () => {
  expect(
    ownTitle(undefined, [
      ...paragraphs(
        'Gemeinde Adorf',
        'Satzung',
        'über die Erhebung der',
        'Steuer auf Hunde',
        'Aufgrund des Gesetzes gilt:',
      ),
      heading('§ 1 Steuerpflicht'),
      ...paragraphs('Steuerpflichtig ist, wer einen Hund hält.'),
    ]),
  ).toBe('Satzung über die Erhebung der Steuer auf Hunde');
  expect(
    ownTitle(undefined, [
      heading('Satzung des Werkraum e.V.'),
      ...paragraphs('Der Verein ist gemeinnützig.'),
    ]),
  ).toBe('Satzung des Werkraum e.V.');
});

it('is not one of several numbered chapters, and no preface beside them', () => {
  expect(ownTitle(undefined, [heading('1 Einleitung'), heading('2 Ziele')])).toBeUndefined();
  expect(ownTitle(undefined, [heading('TOP 1: Begrüßung'), heading('TOP 2: Wahlen')])).toBeUndefined();
  expect(ownTitle(undefined, [heading('1 Bericht'), heading('1.1 Ziele', 2)])).toBe('1 Bericht');
  const oath = 'Ich habe diese Arbeit selbst und ohne die Hilfe anderer geschrieben.';
  const chapters = [heading('1 Einleitung'), heading('2 Ziele')];
  expect(ownTitle(undefined, [heading('Erklärung'), ...paragraphs(oath), ...chapters])).toBeUndefined();
  expect(ownTitle(undefined, [heading('Umzug'), ...chapters])).toBe('Umzug');
  const units = [heading('1. Purpose'), ...paragraphs('All staff.'), heading('2. Policy Statement')];
  expect(ownTitle('Travel Rules', [...units, ...paragraphs('Travel is paid.')])).toBe('Travel Rules');
  expect(
    ownTitle(undefined, [heading('3. Satzung zur Änderung der Steuer'), ...paragraphs('Es gilt:')]),
  ).toBe('3. Satzung zur Änderung der Steuer');
});

it('is no heading below a text, no day, no chapter with parts and no place to fill in', () => {
  expect(ownTitle(undefined, [heading('April 28, 2026', 2), ...paragraphs('Profit.')])).toBeUndefined();
  const parts = [
    heading('1.1 Ziel'),
    ...paragraphs('Es läuft.'),
    heading('1.2 Einsatz'),
    ...paragraphs('Hier.'),
  ];
  expect(ownTitle(undefined, parts)).toBeUndefined();
  const text = `${'Wir haben im Kurs viel gelernt und darüber gesprochen. '.repeat(4)}Danke.`;
  expect(ownTitle(undefined, [...paragraphs(text), heading('Bibliography')])).toBeUndefined();
  const item: Unit = { kind: 'item', depth: 0, text: 'Bachelor' };
  expect(ownTitle(undefined, [heading('Head Teacher', 2), item, { ...heading('Terms'), page: 1 }])).toBe(
    'Head Teacher',
  );
  expect(
    ownTitle(
      undefined,
      paragraphs('An den Vorstand', 'Antrag zur Spielordnung: ______', '(Statute und Absatz)'),
    ),
  ).toBeUndefined();
  expect(ownTitle(undefined, paragraphs('Satzung des Anglervereins „Gut Fang“ e.V.', 'Er fischt.'))).toBe(
    'Satzung des Anglervereins „Gut Fang“ e.V.',
  );
});

it('is not that of the table of contents', () => {
  const units = [heading('Inhalt'), ...paragraphs('Teil 1', 'Aufgabe'.padEnd(200, 'n'))];
  expect(ownTitle(undefined, units)).toBeUndefined();
});

it('is no sentence with a word that could name a work', () => {
  expect(
    ownTitle(undefined, paragraphs('Every 3 minutes the system stops', 'Then it goes on.')),
  ).toBeUndefined();
  expect(ownTitle(undefined, paragraphs('Meeting minutes', 'All were there.'))).toBe('Meeting minutes');
});

it('is the line that is set as the title, unless a heading names the work', () => {
  const units = [heading('Übersicht'), ...paragraphs('Das Büro zieht im Mai um.')];
  expect(ownTitle(undefined, units, [], 'Umzug des Büros')).toBe('Umzug des Büros');
  expect(ownTitle(undefined, [heading('Merkblatt'), ...units], [], 'Gemeinde Adorf')).toBe('Merkblatt');
});
