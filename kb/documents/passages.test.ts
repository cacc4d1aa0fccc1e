import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { sentencesIn } from '../sentences.ts';
import { unitsOfMarkdown } from './markdown.ts';
import { passagesOf } from './passages.ts';
import type { Unit } from './unit.ts';

const words = (count: number, word = 'Wort'): string =>
  `${Array.from({ length: count }, () => word).join(' ')}.`;
const passages = (text: string, path = 'handbuch.md') => passagesOf({ units: unitsOfMarkdown(text) }, path);

const headingOfPage = (text: string): Unit => ({ kind: 'heading', level: 2, text, page: 1 });
const textOfPage = (text: string): Unit => ({ kind: 'paragraph', text, page: 1 });
const longSteps = (from: number): string =>
  Array.from({ length: 4 }, (_, i) => `${from + i}. ${words(40)}`).join('\n');

const titled = (units: readonly Unit[]) =>
  passagesOf({ units, title: 'Bericht' }, 'a.pptx').map(({ text }) => text);

const rowsOf = (count: number): Unit[] =>
  Array.from({ length: count }, (_, i) => ({
    kind: 'row',
    cells: [
      { head: 'Ort', text: `Ort ${i}` },
      { head: 'Preis', text: `${i} Euro je Tag` },
    ],
  }));
const line = (text: string): Unit => ({ kind: 'paragraph', text });
const paragraph = (count: number): Unit => ({ kind: 'paragraph', text: words(count) });
const rowsIn = (units: readonly Unit[]): number[] =>
  titled(units).map((each) => each.split('\n').filter((line) => line.startsWith('Ort')).length);

describe('passages of a document', () => {
  it('of a file without a title have the name of the file, without what a program added to it', () => {
    const id = '1a2b3c4d5e6f708192a3b4c5d6e7f809';
    const paths = ['Urlaub_2024.md', `Team/Ansprechpartner ${id}_all.csv`, `Telefon ${id}.csv`, `${id}.md`];
    expect(paths.map((path) => passages('Text.', path)[0]!.title)).toEqual([
      'Urlaub 2024',
      'Ansprechpartner all',
      'Telefon',
      id,
    ]);
  });

  it('do not cut through one of several tables that follow each other', () => {
    const texts = titled(
      Array.from({ length: 8 }, (): Unit[] =>
        ['Name', 'Zweck', 'Folge'].map((head, i) => ({
          kind: 'row',
          ...(i === 0 ? { begins: true } : {}),
          cells: [
            { head: '', text: head },
            { head: '', text: words(15) },
          ],
        })),
      ).flat(),
    );
    expect(texts.length).toBeGreaterThan(1);
    for (const text of texts) expect(text.split('\n').at(-1)).toMatch(/^Folge/u);
    for (const text of texts) expect(text.startsWith('Name')).toBe(true);
  });

  it('begin with the head of an entry of a log, and not within the entry', () => {
    const heads = [
      'commit bfcc7e69 Author: Anna Berg <anna@example.org> Date: Thu Mar 19 15:29:54 2015',
      '2015-03-19',
    ];
    for (const head of heads) {
      const texts = titled(
        Array.from({ length: 30 }, () => [line(head), line('Neue Liste'), paragraph(12)]).flat(),
      );
      expect(texts.length).toBeGreaterThan(1);
      for (const text of texts) expect([text.startsWith(head), text.endsWith('Wort.')]).toEqual([true, true]);
    }
  });

  it('have the title with its organisation in place of the heading without it', () => {
    const units = [
      headingOfPage('Satzung'),
      { ...headingOfPage('§ 1 Name'), level: 3 },
      textOfPage(words(20)),
    ];
    const told = passagesOf({ units, title: 'Satzung: Adorfer Chor e.V.' }, 'satzung.pdf');
    expect(told.map(({ section, title }) => `${section} › ${title}`)).toEqual([
      'Satzung: Adorfer Chor e.V. › § 1 Name',
    ]);
  });

  it('keep a sentence together that its author broke off, and lines of code between empty ones', () => {
    const brokenOff = line(`${words(30).slice(0, -1)} für die`);
    const texts = titled([paragraph(170), brokenOff, line(`Verarbeitung ${words(20)}`), paragraph(170)]);
    expect(texts.map((text) => text.includes('für die\n\nVerarbeitung'))).toContain(true);
    const code = Array.from({ length: 12 }, (_, i) => `TEIL ${i}\n${words(40)}\n`).join('\n');
    for (const text of titled([{ kind: 'code', text: code }]))
      expect(text.trim()).toMatch(/^TEIL [\s\S]*\.$/u);
  });

  it('keep the answers to a survey together', () => {
    const cells = Array.from({ length: 25 }, (_, i) => ({
      head: `Stimmen Sie ${words(8)} zu (${i})?`,
      text: 'Ja, ich stimme zu.',
    }));
    const row: Unit = { kind: 'row', cells: [{ head: 'Name', text: 'Anna' }, ...cells] };
    expect(titled([row, row])).toHaveLength(2);
  });

  it('divide a row that is longer than a passage at its cells, and a cell at its sentences, each with its head', () => {
    const cell = Array.from(
      { length: 30 },
      (_, i) => `Satz ${i} gilt für alle Abteilungen im ganzen Haus.`,
    ).join(' ');
    const texts = titled([
      {
        kind: 'row',
        cells: [
          { head: 'Frage', text: 'Gilt das?' },
          { head: 'Antwort', text: cell },
        ],
      },
    ]);
    expect(texts.length).toBeGreaterThan(1);
    expect(texts[0]).toMatch(/^Frage: Gilt das\?\nAntwort: Satz 0 /u);
    for (const text of texts.slice(1)) expect(text).toMatch(/^Antwort: Satz \d+ gilt/u);
    for (const text of texts) expect(text.split(' ').length).toBeLessThan(250);
  });

  it('are its sections, each with its own heading, those above it, and an id of both', () => {
    const text = `# Handbuch\n\n${words(20)}\n\n## Urlaub\n\n### Übertrag\n\nBis März.\n\n## Krankheit\n\nAm ersten Tag.\n`;
    expect(
      passagesOf({ units: unitsOfMarkdown(text), title: 'Handbuch' }, 'personal/index.md').map(
        ({ id, title, section }) => ({ id, title, section }),
      ),
    ).toEqual([
      { id: 'personal', title: 'Handbuch', section: '' },
      { id: 'personal.urlaub.uebertrag', title: 'Übertrag', section: 'Handbuch › Urlaub' },
      { id: 'personal.krankheit', title: 'Krankheit', section: 'Handbuch' },
    ]);
  });

  it('have the name of the file for a title where the document says none', () => {
    expect(passages('Nur Text.', 'a/Reise_kosten-2024.txt')).toMatchObject([
      { id: 'a.reise-kosten-2024', title: 'Reise kosten 2024', section: '', text: 'Nur Text.' },
    ]);
  });

  it('number equal headings of one section in their order', () => {
    expect(passages('# A\n\n## B\n\nEins.\n\n## B\n\nZwei.\n').map(({ id }) => id)).toEqual([
      'handbuch.a.b',
      'handbuch.a.b_2',
    ]);
  });

  it('take a line above the first subsection into that one', () => {
    expect(passages('# A\n\nStand Mai.\n\n## B\n\nEins.\n').map(({ title, text }) => [title, text])).toEqual([
      ['B', 'Stand Mai.\n\nB\n\nEins.'],
    ]);
  });

  it('take a line of a page for text that goes on below it, or begins a numbered paragraph, though it looks like a heading', () => {
    const units = [
      headingOfPage('Hausordnung'),
      headingOfPage('(1) Der Keller kann nur von allen während der festgesetzten Öff-'),
      textOfPage('nungszeiten betreten werden.'),
      headingOfPage('Für die Nutzung der Küche und des Saals werden hier folgende'),
      textOfPage('Gebühren erhoben.'),
      headingOfPage('(2) Die Pflicht zur Zahlung entsteht mit dem Eingang des Antrags.'),
      headingOfPage('Schluss'),
      textOfPage('der Hausordnung.'),
    ];
    const told = passagesOf({ units }, 'a.pdf').map(({ title, text }) => [title, text]);
    expect(told).toEqual([
      [
        'Hausordnung',
        '(1) Der Keller kann nur von allen während der festgesetzten Öffnungszeiten betreten werden.',
      ],
      [
        'Für die Nutzung der Küche und des Saals werden hier folgende',
        'Gebühren erhoben.\n\n(2) Die Pflicht zur Zahlung entsteht mit dem Eingang des Antrags.',
      ],
      ['Schluss', 'der Hausordnung.'],
    ]);
  });

  it('take the steps of an instruction that are numbered on below subheadings', () => {
    const text =
      '# A\n\n## Schritte\n\n1. Den neuen Beleg öffnen und warten, bis das Feld für den Kunden angesprungen wird.\n2. Speichern.\n\n### Positionen\n\n3. Menge eingeben.\n\n### Druck\n\n4. Drucken.\n\n## Fehler\n\n1. Neu beginnen.\n';
    expect(passages(text).map(({ title, text }) => [title, text])).toEqual([
      [
        'Schritte',
        'Schritte\n\n1. Den neuen Beleg öffnen und warten, bis das Feld für den Kunden angesprungen wird.\n2. Speichern.\n\nPositionen\n\n3. Menge eingeben.\n\nDruck\n\n4. Drucken.',
      ],
      ['Fehler', 'Fehler\n\n1. Neu beginnen.'],
    ]);
    // Numbers that begin anew, or that stand beside each other, are another list.
    expect(passages(text.replaceAll('3. Menge', '1. Menge')).map(({ title }) => title)).toEqual([
      'Schritte',
      'Positionen',
      'Druck',
      'Fehler',
    ]);
    expect(passages(text.replaceAll('###', '##')).map(({ title }) => title)).toHaveLength(4);
  });

  it('leave steps that would be too long for one passage below their own subheadings', () => {
    expect(passages(`# A\n\n${longSteps(1)}\n\n## B\n\n${longSteps(5)}\n`).map(({ title }) => title)).toEqual(
      ['A', 'B'],
    );
  });

  it('leave a notice above the first subsection below the title of the page, for which it is', () => {
    const told = passages(`# Reise\n\n> [!NOTE]\n> Gilt ab Mai.\n\n## Antrag\n\n${words(50)}\n`);
    expect(told.map(({ title, text }) => `${title}: ${text}`)).toEqual([
      'Reise: Note: Gilt ab Mai.',
      `Antrag: ${words(50)}`,
    ]);
  });

  it('leave a list above the first subsection below its own heading', () => {
    const [passage] = passages('# A\n\n- Stand Mai\n\n## B\n\n- Eins\n');
    expect(passage!.text).toBe('A\n\n- Stand Mai\n\nB\n\n- Eins');
    expect(passage!.units.map(({ kind, lead }) => [kind, lead])).toEqual([
      ['heading', null],
      ['item', 0],
      ['heading', null],
      ['item', 2],
    ]);
  });

  it('part a long section at its units into parts of about the same size', () => {
    const text = `# A\n\n${Array.from({ length: 10 }, () => words(60)).join('\n\n')}`;
    const sizes = passages(text).map((passage) => passage.text.split(/\s+/u).length);
    expect(sizes).toEqual([180, 120, 180, 120]);
  });

  it('never part a list of ten items, nor a list from what leads into it', () => {
    const items = Array.from({ length: 10 }, (_, i) => `- ${words(8, `p${i}`)}`).join('\n');
    const found = passages(`# A\n\n${words(200)}\n\nNötig sind:\n\n${items}\n\n${words(90)}`);
    const [list] = found.filter(({ text }) => text.includes('Nötig sind:'));
    expect(list!.text).toContain(items);
  });

  it('part a list that is too long into parts of about the same size, its first item with what leads into it', () => {
    const items = [15, 28, 113, 55, 49].map((count, i) => `- ${words(count, `p${i}`)}`).join('\n');
    const found = passages(`# A\n\nDiese gibt es.\n\n${items}`);
    expect(found.map(({ units }) => units.filter(({ kind }) => kind === 'item').length)).toEqual([3, 2]);
  });

  it.each(['```\nlauf a b c\n```', 'Dann ein Satz.', '- ein Punkt\n- noch einer'])(
    'never part a line with a colon from what it leads into: %j',
    (next) => {
      const found = passages(`# A\n\n${words(170)}\n\nSo geht es:\n\n${next}\n\n${words(170)}`);
      expect(found.map(({ text }) => text.endsWith(':'))).not.toContain(true);
    },
  );

  it('never part the items below an item of a long list from it', () => {
    const items = [15, 60, 70, 60].map((count, i) => `- ${words(count, `p${i}`)}\n  - ${words(20, 'innen')}`);
    const found = passages(`# A\n\n${items.join('\n')}`);
    expect(found.length).toBeGreaterThan(1);
    for (const { text } of found) expect(text).toMatch(/^A\n\n- p\d/u);
  });

  it('repeat the caption of a table that is too long for one', () => {
    const caption = 'Umsatz 2023';
    const rows = Array.from({ length: 4 }, (_, i): Unit => ({
      kind: 'row',
      caption,
      cells: [{ head: 'Ort', text: words(90, `o${i}`) }],
    }));
    const units: Unit[] = [
      { kind: 'paragraph', text: words(170) },
      { kind: 'paragraph', text: caption },
      ...rows,
    ];
    const told = passagesOf({ units }, 'a.xlsx').map(({ text, units: spans }) =>
      spans.map(({ kind, start, end, lead }) => [kind, text.slice(start, Math.min(end, start + 11)), lead]),
    );
    expect(told).toEqual([
      [['paragraph', 'Wort Wort W', null]],
      [
        ['paragraph', 'Umsatz 2023', null],
        ['row', 'Ort: o0 o0 ', 0],
        ['row', 'Ort: o1 o1 ', 0],
      ],
      [
        ['heading', 'Umsatz 2023', null],
        ['row', 'Ort: o2 o2 ', 0],
        ['row', 'Ort: o3 o3 ', 0],
      ],
    ]);
  });

  it.each([
    'warning\n\nDas ist kein Schutz.',
    'Achtung: Das ist kein Schutz.',
    'Hinweis\n\nDas ist kein Schutz.',
  ])('never part a warning from what it warns of: %j', (warning) => {
    const told = passages(`# A\n\n${words(100)}\n\n${words(85, 'Zelle')}\n\n${warning}\n\n${words(120)}`);
    const of = (text: string) => told.find((passage) => passage.text.includes(text));
    expect(told.length).toBeGreaterThan(1);
    expect(of('kein Schutz')).toBe(of('Zelle'));
  });

  it('say where their units stand, an item with what leads into it', () => {
    const [passage] = passages(
      'Nötig sind:\n\n1. erstens\n   - innen\n2. zweitens\n\n| a | b |\n|---|---|\n| 1 | 2 |\n',
    );
    expect(passage!.text).toBe('Nötig sind:\n1. erstens\n  - innen\n2. zweitens\n\na: 1; b: 2');
    expect(
      passage!.units.map(({ kind, start, end, lead }) => [kind, passage!.text.slice(start, end), lead]),
    ).toEqual([
      ['paragraph', 'Nötig sind:', null],
      ['item', '1. erstens', 0],
      ['item', 'innen', 1],
      ['item', '2. zweitens', 0],
      ['row', 'a: 1; b: 2', null],
    ]);
  });

  it('tell headings with nothing below them where they stand, below the heading above them', () => {
    const text =
      '# Sitzung\n\n## 1. Eröffnung\n\n## 2. Kasse\n\nDer Kassenwart berichtet.\n\n## 3. Verkauf des Hauses\n\n## Pause (5 Minuten)\n';
    expect(passages(text).map(({ id, title, text: told }) => [id, title, told])).toEqual([
      ['handbuch.sitzung.1-eroeffnung', 'Sitzung', '1. Eröffnung'],
      ['handbuch.sitzung.2-kasse', '2. Kasse', 'Der Kassenwart berichtet.'],
      ['handbuch.sitzung.3-verkauf-des-hauses', 'Sitzung', '3. Verkauf des Hauses\n\nPause (5 Minuten)'],
    ]);
  });

  it('tell them with the text of the heading above them, where they follow it', () => {
    expect(passages('# Sitzung\n\nUm acht.\n\n## 1. Eröffnung\n\n## 2. Kasse\n\nBericht.\n')).toMatchObject([
      { id: 'handbuch.sitzung', text: 'Um acht.\n\n1. Eröffnung' },
      { id: 'handbuch.sitzung.2-kasse', text: 'Bericht.' },
    ]);
  });

  it('begin with a heading that has nothing below it where it leads into theirs', () => {
    expect(
      passages('# Handbuch\n\nVorab.\n\n## Fragen\n\n## Wie lange?\n\nDrei Tage.\n\n## Wo?\n\nIn Ulm.\n').map(
        ({ title, text }) => [title, text],
      ),
    ).toEqual([
      ['Wie lange?', 'Vorab.\n\nFragen\n\nWie lange?\n\nDrei Tage.'],
      ['Wo?', 'In Ulm.'],
    ]);
    const [first] = passages(`# Handbuch\n\n${words(20)}\n\n## Fragen\n\n## Wo?\n\nIn Ulm.\n`).slice(1);
    expect(first).toMatchObject({ title: 'Wo?', text: 'Fragen\n\nWo?\n\nIn Ulm.' });
  });

  it('of a slide with a title alone, which may have a picture, stay apart from the next slide', () => {
    const all: Unit[] = [
      { kind: 'heading', level: 1, text: 'Umzug', page: 1 },
      { kind: 'paragraph', text: 'Nach Ulm.', page: 1 },
      { kind: 'heading', level: 1, text: 'Lageplan', page: 2 },
      { kind: 'heading', level: 1, text: 'Fazit', page: 3 },
      { kind: 'paragraph', text: 'Gut.', page: 3 },
    ];
    expect(
      passagesOf({ units: all, title: 'Umzug', slides: true }, 'a.pptx').map(({ text, page }) => [
        text,
        page,
      ]),
    ).toEqual([
      ['Nach Ulm.', 1],
      ['Lageplan', 2],
      ['Gut.', 3],
    ]);
  });

  it('of a page that has a heading alone do not begin those of the next page', () => {
    const all: Unit[] = [
      { kind: 'heading', level: 1, text: 'Umzug', page: 1 },
      { kind: 'paragraph', text: words(20), page: 1 },
      { kind: 'heading', level: 1, text: 'Lageplan', page: 2 },
      { kind: 'heading', level: 1, text: 'Fazit', page: 3 },
      { kind: 'paragraph', text: words(20), page: 3 },
    ];
    const found = passagesOf({ units: all }, 'a.pdf');
    expect(found.map(({ title, page }) => [title, page])).toEqual([
      ['Umzug', 1],
      ['a', 2],
      ['Fazit', 3],
    ]);
    expect(found[2]!.text).toBe(words(20));
  });

  it('never part a question from its answer', () => {
    const answers = Array.from({ length: 8 }, (_, i) => `Frage ${i}?\n\n${words(28 + i)}\n\n`).join('');
    const all = passages(`# Fragen\n\n${answers}`);
    expect(all.length).toBeGreaterThan(1);
    expect(all.filter(({ text }) => text.endsWith('?'))).toEqual([]);
  });

  it('never part a line that is a title from the text below it', () => {
    const texts = titled([
      paragraph(160),
      line('Betriebliche Risiken'),
      line('Aufsicht'),
      paragraph(160),
      line('Meldewege'),
      paragraph(160),
    ]);
    expect(texts.map((text) => text.split('\n')[0]!.slice(0, 20))).toEqual([
      words(160).slice(0, 20),
      'Betriebliche Risiken',
      'Meldewege',
    ]);
  });

  it('keep their ids where an equal heading has nothing below it', () => {
    expect(
      passages('# A\n\n## B\n\n# C\n\n## D\n\nText.\n\n# A\n\n## B\n\nText.\n').map(({ id }) => id),
    ).toEqual(['handbuch.a.b_2', 'handbuch.c.d', 'handbuch.a.b']);
  });

  it('tell the title only where a document has nothing else', () => {
    const title: Unit = { kind: 'heading', level: 1, text: 'Bericht' };
    expect(titled([title])).toEqual(['Bericht']);
    expect(titled([title, { kind: 'heading', level: 1, text: 'Danke' }])).toEqual(['Danke']);
  });

  it('take a paragraph with the looks of a heading for a paragraph', () => {
    const long = words(31);
    expect(
      passages(`# A\n\n## ${long}\n\n## ${long}\n\nMehr.\n`).map(({ title, text }) => [title, text]),
    ).toEqual([['A', `${long}\n\n${long}\n\nMehr.`]]);
  });

  it('begin with their heading where that leads into a list', () => {
    const [passage] = passages('# A\n\n## Erlaubt\n\n- Ehrenamt\n- Vorträge\n\nDanach.\n');
    expect(passage!.text).toBe('Erlaubt\n\n- Ehrenamt\n- Vorträge\n\nDanach.');
    expect(passage!.units.map(({ kind, lead }) => [kind, lead])).toEqual([
      ['heading', null],
      ['item', 0],
      ['item', 0],
      ['paragraph', null],
    ]);
  });
});

const text = fc
  .array(fc.constantFrom('Urlaub', 'gilt.', 'z. B.', 'nicht', '- a', '# b', '12,5', 'wer:', 'Ja!'), {
    minLength: 1,
    maxLength: 60,
  })
  .map((each) => each.join(' '));
const unit: fc.Arbitrary<Unit> = fc.oneof(
  fc.record({
    kind: fc.constant('heading' as const),
    level: fc.integer({ min: 1, max: 4 }),
    text: fc.constantFrom('Urlaub', 'b', 'Frist nach § 3'),
  }),
  fc.record({ kind: fc.constant('paragraph' as const), text }),
  fc.record({ kind: fc.constant('item' as const), depth: fc.nat(3), text }),
  fc.record({ kind: fc.constant('code' as const), text }),
  fc.record({
    kind: fc.constant('row' as const),
    cells: fc.array(fc.record({ head: text, text }), { minLength: 1, maxLength: 5 }),
  }),
);
const units = fc.array(unit, { maxLength: 60 });
const plain = (each: string): string => each.replaceAll(/\s+/gu, ' ').trim();
const told = (all: readonly Unit[]): string =>
  plain(
    all
      .flatMap((each, i) => {
        const next = all[i + 1];
        // A heading above text or above a heading of a lower level only leads there.
        if (
          each.kind === 'heading' &&
          next !== undefined &&
          (next.kind !== 'heading' || next.level > each.level)
        )
          return [];
        if (each.kind === 'row')
          return each.cells.map(({ head, text: cell }) => `${head}: ${cell}`).join('; ');
        return each.text;
      })
      .join(' '),
  );

describe('whatever a document holds', () => {
  it('every unit stands in exactly one passage, in order', () => {
    fc.assert(
      fc.property(units, (all) => {
        const found = passagesOf({ units: all }, 'a.md').flatMap((passage) =>
          passage.units.flatMap(({ kind, start, end }) =>
            kind === 'heading' ? [] : [passage.text.slice(start, end)],
          ),
        );
        expect(plain(found.join(' '))).toBe(told(all));
      }),
    );
  });

  it('every sentence is a stretch of the text, and all words are in one', () => {
    fc.assert(
      fc.property(units, (all) => {
        for (const passage of passagesOf({ units: all }, 'a.md')) {
          const sentences = sentencesIn(passage);
          for (const { start, text: sentence } of sentences)
            expect(passage.text.slice(start, start + sentence.length)).toBe(sentence);
          const shown = passage.units.map(({ start, end }) => passage.text.slice(start, end));
          expect(plain(sentences.map((each) => each.text).join(' '))).toBe(plain(shown.join(' ')));
        }
      }),
    );
  });

  it('ids are unique, and stay when the text of another section changes', () => {
    fc.assert(
      fc.property(units, text, (all, other) => {
        // A heading alone leads into what is added.
        fc.pre(all.at(-1)?.kind !== 'heading');
        const before = passagesOf({ units: all }, 'a.md').map(({ id }) => id);
        expect(new Set(before).size).toBe(before.length);
        const added: Unit[] = [
          ...all,
          { kind: 'heading', level: 1, text: 'Ganz anders' },
          { kind: 'paragraph', text: other },
        ];
        expect(
          passagesOf({ units: added }, 'a.md')
            .map(({ id }) => id)
            .slice(0, before.length),
        ).toEqual(before);
      }),
    );
  });

  it('part a long section around a short table, and within a long one', () => {
    expect(rowsIn([paragraph(160), ...rowsOf(15), paragraph(100)])).toEqual([0, 15, 0]);
    expect(Math.max(...rowsIn([paragraph(160), ...rowsOf(60), paragraph(100)]))).toBeLessThan(30);
  });
});
