import { describe, expect, it } from 'vitest';
import type { Source } from '../../source.ts';
import { findConflicts } from './conflicts.ts';

let count = 0;

/** A passage of a document, of one paragraph. */
function passage(text: string, rest: Partial<Source> = {}): Source {
  count += 1;
  return {
    id: `s-${count}`,
    title: 'Hinweise',
    section: 'Handbuch',
    stand: '2024-01',
    work: 'handbuch',
    lang: 'de',
    year: null,
    path: 'handbuch.md',
    text,
    units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
    ...rest,
  };
}

/** How many contradictions are told of two passages, the first of which is the answer. */
function told(left: Source, right: Source): number {
  const hits = [left, right].map((source) => ({
    source,
    score: 1,
    passages: [{ source, text: source.text, start: 0 }],
    referenced: false,
  }));
  const answer = { kind: 'statement' as const, text: left.text, citations: [left.id] };
  return findConflicts('Was gilt?', hits, [answer]).length;
}

describe('passages of documents contradict each other', () => {
  it.each([
    ['in a figure', 'Die Nachtruhe beginnt um 22 Uhr.', 'Die Nachtruhe beginnt um 23 Uhr.'],
    ['in an amount', 'Die Kaution beträgt je Zimmer 300 Euro.', 'Die Kaution beträgt je Zimmer 350,00 €.'],
    [
      'in a day',
      'Resturlaub verfällt im Folgejahr am 31. März.',
      'Resturlaub verfällt im Folgejahr am 30. Juni.',
    ],
    [
      'in what is counted',
      'Kennwörter haben mindestens zwölf Zeichen.',
      'Kennwörter haben mindestens 8 Zeichen.',
    ],
    [
      'in a month',
      'Die Gespräche mit allen finden im April statt.',
      'Die Gespräche mit allen finden im Mai statt.',
    ],
    [
      'in a day of the week',
      'Der Müll wird montags vor dem Haus abgeholt.',
      'Der Müll wird dienstags vor dem Haus abgeholt.',
    ],
    [
      'in both ends of a range',
      'Die Küche ist zwischen 9 und 17 Uhr geöffnet und besetzt.',
      'Die Küche ist zwischen 8 und 16 Uhr geöffnet und besetzt.',
    ],
    [
      'in a date',
      'Das Gesetz zur Küche trat am 1. Juli 2011 in Kraft.',
      'Das Gesetz zur Küche trat am 1. März 2012 in Kraft.',
    ],
    ['by “nicht” alone', 'Hunde sind im Büro erlaubt.', 'Hunde sind im Büro nicht erlaubt.'],
    ['by “kein”', 'Gäste brauchen im Haus einen Ausweis.', 'Gäste brauchen im Haus keinen Ausweis.'],
  ])('%s', (_, a, b) => {
    expect(told(passage(a), passage(b, { path: 'handbuch-kopie.md' }))).toBe(1);
  });

  it('in English by “not”, whatever the verb needs for it', () => {
    const rest = { lang: 'en', title: 'Jury duty', section: 'Leave' } as const;
    expect(
      told(
        passage('Jury duty requires prior approval from your manager.', rest),
        passage('Jury duty does not require prior approval from your manager.', rest),
      ),
    ).toBe(1);
  });

  it('also where the other has no headings above its own', () => {
    const text = 'Die Nachtruhe beginnt um 22 Uhr.';
    const other = passage('Die Nachtruhe beginnt um 23 Uhr.', { section: '', path: 'notiz-2.md' });
    expect(told(passage(text), other)).toBe(1);
  });
});

describe('no contradiction is told of passages of documents', () => {
  const text = 'Die Ansteckung ist nach 5 Tagen ausgeschlossen.';
  const other = 'Die Ansteckung ist nach 8 Tagen ausgeschlossen.';

  it.each<[string, Partial<Source>, Partial<Source>]>([
    ['titles of their own', { title: 'Masern' }, { title: 'Röteln' }],
    ['a case of its own', { title: 'Urlaub' }, { title: 'Urlaub bei Teilzeit' }],
    ['sections of their own', { section: 'Masern' }, { section: 'Röteln' }],
    [
      'sections of their own, of which one is named above both',
      { section: 'Heim am See › Haus am See' },
      { section: 'Heim am See › Haus am Wald' },
    ],
    ['files of two days', { path: 'Treffen/2023_10_06.md' }, { path: 'Treffen/2023_11_03.md' }],
  ])('that have %s', (_, a, b) => {
    expect(told(passage(text), passage(other))).toBe(1);
    expect(told(passage(text, a), passage(other, b))).toBe(0);
  });

  it.each([
    [
      'another word',
      'Der interne Port läuft auf dem Server Alpha.',
      'Der interne Port läuft auf dem Server Beta.',
    ],
    [
      'a word more',
      'Die Miete beträgt im Monat 300 Euro.',
      'Die Miete beträgt für Studierende im Monat 250 Euro.',
    ],
    [
      'a label',
      'Nach dem Neustart geht es weiter mit Phase 2.',
      'Nach dem Neustart geht es weiter mit Phase 3.',
    ],
    [
      'a version',
      'Die vorinstallierte Firmware hat Version 4.0.21 Beta.',
      'Die vorinstallierte Firmware hat Version 4.0.22 Beta.',
    ],
    [
      'an address',
      'Der Knoten hängt am Verteiler 10.100.13.223 Nord.',
      'Der Knoten hängt am Verteiler 10.100.13.167 Nord.',
    ],
    [
      'the day of a version',
      'Der Plan der Küche wurde am 1. Juli 2011 geändert.',
      'Der Plan der Küche wurde am 1. März 2012 geändert.',
    ],
    ['a year', 'Die Satzung wurde im Jahr 2019 geändert.', 'Die Satzung wurde im Jahr 2021 geändert.'],
    ['two figures', 'Ab 30 Tagen beträgt die Gebühr 100 Euro.', 'Ab 60 Tagen beträgt die Gebühr 200 Euro.'],
    [
      'a condition',
      'Wenn das Gerät nicht angemeldet ist, hilft der Empfang.',
      'Wenn das Gerät angemeldet ist, hilft der Empfang.',
    ],
    [
      'what leads into a list',
      'Diese Gruppen bekommen eine Förderung:',
      'Diese Gruppen bekommen keine Förderung:',
    ],
    ['a few words', 'Dauer: 30 Minuten', 'Dauer: 45 Minuten'],
  ])('that differ in %s', (_, a, b) => {
    expect(told(passage(a), passage(b))).toBe(0);
  });
});
