import { describe, expect, it } from 'vitest';

import { writePdf, type WrittenTag, type WrittenText } from '../../../testing/documents/pdf-writer.ts';
import { pdf } from '../pdf.ts';
import type { Document } from '../unit.ts';

type Content = string | Tagged;
/** A tag with its text, or with other tags. */
interface Tagged {
  readonly type: string;
  readonly of: readonly Content[];
}

const tag = (type: string, ...of: readonly Content[]): Tagged => ({ type, of });
const cell = (text?: string): Tagged => tag('TD', ...(text === undefined ? [] : [tag('P', text)]));
const row = (...texts: readonly (string | undefined)[]): Tagged => tag('TR', ...texts.map(cell));

type Look = Pick<WrittenText, 'font' | 'size'>;
const LOOKS: Readonly<Record<string, Look>> = {
  Strong: { font: 'bold' },
  Large: { size: 14 },
  Largest: { size: 20 },
};

/** Writes texts below each other. A `|` in a text is where its page ends. */
async function parse(tags: readonly Tagged[], more: readonly Partial<WrittenText>[] = []): Promise<Document> {
  const pages: WrittenText[][] = [[]];
  const place = (text: string, look: Look): { page: number; mark: number } => {
    const texts = pages.at(-1)!;
    const mark = texts.length;
    texts.push({ text, x: 60, y: 60 + mark * 14, mark, ...look });
    return { page: pages.length, mark };
  };
  const write = ({ type, of }: Tagged, outer: Look): WrittenTag => {
    const look = LOOKS[type] ?? outer;
    return {
      type,
      children: of.flatMap((each): NonNullable<WrittenTag['children']> => {
        if (typeof each !== 'string') return [write(each, look)];
        return each.split('|').map((part, i) => {
          if (i > 0) pages.push([]);
          return place(part, look);
        });
      }),
    };
  };
  const document = { type: 'Document', children: tags.map((each) => write(each, {})) };
  for (const each of more) pages[0]!.push({ text: '', x: 60, y: 800, ...each });
  return await pdf.parse(writePdf({ pages: pages.map((texts) => ({ texts })), tags: [document] }), 'a.pdf');
}

const shown = ({ units }: Document): string[] =>
  units.map((unit) =>
    unit.kind === 'row'
      ? unit.cells.map(({ head, text }) => (head === '' ? text : `${head}: ${text}`)).join('; ')
      : `${unit.kind === 'item' ? `${'  '.repeat(unit.depth)}${unit.marker ?? '-'} ` : ''}${unit.text}`,
  );

describe('a tagged PDF', () => {
  it('is read by its looks where paragraphs stand beside each other, as the cells of a table do', async () => {
    const cells = ['Wasser', '3.00', 'Saft', '4.00', 'Kuchen', '2.50', 'Suppe', '6.00'];
    const texts = cells.map((text, mark): WrittenText => ({
      text,
      x: mark % 2 === 0 ? 60 : 400,
      y: 100 + 20 * Math.floor(mark / 2),
      mark,
    }));
    const tags = [
      { type: 'Document', children: cells.map((_, mark) => ({ type: 'P', children: [{ page: 1, mark }] })) },
    ];
    const document = await pdf.parse(writePdf({ pages: [{ texts }], tags }), 'a.pdf');
    expect(shown(document)).toEqual(['Wasser; 3.00', 'Saft; 4.00', 'Kuchen; 2.50', 'Suppe; 6.00']);
  });

  it('reads the parts of a paragraph that mean nothing of their own as one text', async () => {
    const document = await parse([
      tag(
        'P',
        tag('NonStruct', 'Oben steht'),
        tag('Em', tag('NonStruct', 'Liste')),
        tag('NonStruct', 'dabei.'),
      ),
      tag('NonStruct', 'Ein Block.'),
      tag('NonStruct', 'Noch einer.'),
    ]);
    expect(shown(document)).toEqual(['Oben steht Liste dabei.', 'Ein Block.', 'Noch einer.']);
  });

  it('has the headings, items and paragraphs that it names, however they look', async () => {
    const document = await parse([
      tag('H1', 'Urlaub'),
      tag('P', 'Der Antrag wird rechtzeitig gestellt:'),
      tag(
        'L',
        tag('LI', tag('Lbl', '1.'), tag('LBody', tag('P', 'beim Vorgesetzten'))),
        tag('LI', tag('LBody', '2. im Portal'), tag('L', tag('LI', tag('LBody', '• mit Vertretung')))),
      ),
      tag('H2', 'Resturlaub'),
      tag('P', tag('Strong', 'Er verfällt')),
    ]);
    expect(shown(document)).toEqual([
      'Urlaub',
      'Der Antrag wird rechtzeitig gestellt:',
      '1. beim Vorgesetzten',
      '2. im Portal',
      '  - mit Vertretung',
      'Resturlaub',
      'Er verfällt',
    ]);
    expect(document.units.map(({ kind }) => kind)).toEqual([
      'heading',
      'paragraph',
      'item',
      'item',
      'item',
      'heading',
      'paragraph',
    ]);
  });

  it('goes on over the end of a page: a sentence, a row and a list', async () => {
    const document = await parse([
      tag('H1', 'Reise'),
      tag('P', 'Die Fahrt wird vor|dem Antritt genehmigt.'),
      tag(
        'Table',
        row('Art', 'Betrag'),
        row('Inland', '28,00'),
        tag('TR', cell('Ausland, nach|Ländern'), cell('42,00')),
      ),
      tag('L', tag('LI', tag('LBody', '• das Ticket')), tag('LI', tag('LBody', '• die|Rechnung'))),
    ]);
    expect(shown(document)).toEqual([
      'Reise',
      'Die Fahrt wird vor dem Antritt genehmigt.',
      'Art: Inland; Betrag: 28,00',
      'Art: Ausland, nach Ländern; Betrag: 42,00',
      '- das Ticket',
      '- die Rechnung',
    ]);
    expect(document.units.map(({ page }) => page)).toEqual([1, 1, 2, 2, 3, 3]);
  });

  it('has the heads of a table once that are drawn again on its next page, as a browser prints them', async () => {
    const document = await parse([
      tag('H1', 'Kontakt'),
      tag('P', 'Nach Orten,'),
      tag('P', 'Stand Mai:'),
      tag(
        'Table',
        tag(
          'THead',
          tag('TR', tag('TH', tag('Strong', 'Firma', 'Name|Firma', 'Name')), tag('TH', tag('Strong', 'Ort'))),
        ),
        tag('TBody', row('Nord', 'Kiel'), row('Süd', 'Ulm')),
      ),
    ]);
    expect(shown(document)).toEqual([
      'Kontakt',
      'Nach Orten,',
      'Stand Mai:',
      'Firma Name: Nord; Ort: Kiel',
      'Firma Name: Süd; Ort: Ulm',
    ]);
  });

  it('keeps a cell below its head where cells before it are empty', async () => {
    const document = await parse([
      tag('H1', 'Kontakt'),
      tag(
        'Table',
        tag('TR', ...['Firma', 'Telefon', 'Adresse'].map((text) => tag('TD', tag('P', tag('Strong', text))))),
        row('Nord', undefined, 'nord.example'),
        row('Süd', '040 123', undefined),
      ),
    ]);
    expect(shown(document)).toEqual([
      'Kontakt',
      'Firma: Nord; Adresse: nord.example',
      'Firma: Süd; Telefon: 040 123',
    ]);
  });

  it('leaves out its table of contents and what it calls decoration, and counts them; a list of literature stays', async () => {
    const document = await parse(
      [
        tag('P', 'Inhaltsverzeichnis'),
        tag('TOC', tag('TOCI', '1 Geltung 3'), tag('TOCI', '2 Fristen 5')),
        tag('H1', 'Literatur'),
        tag('TOC', tag('TOCI', 'Meier: Arbeitsrecht. München, 2. Auflage.')),
        tag('P', 'Weitere Schriften nennt die Bibliothek auf Anfrage jederzeit.'),
      ],
      [{ text: 'Entwurf vom 1. Mai', mark: 'Artifact' }],
    );
    expect(shown(document)).toEqual([
      'Literatur',
      'Meier: Arbeitsrecht. München, 2. Auflage.',
      'Weitere Schriften nennt die Bibliothek auf Anfrage jederzeit.',
    ]);
    expect(document.leftOut).toEqual({ 'lines of contents': 2, 'words that decorate the pages': 4 });
  });

  it('is read by its looks where its tags leave out text', async () => {
    const { units } = await parse(
      [tag('H1', 'Kurz'), tag('P', 'Nur das ist genannt.')],
      [{ text: 'Und das hier steht ohne jede Angabe da, was es ist.', y: 300 }],
    );
    expect(units.map(({ kind }) => kind)).not.toContain('heading');
    expect(shown({ units }).join(' ')).toContain('ohne jede Angabe');
  });

  it('joins a word that a narrow cell divides, where the document has it whole elsewhere', async () => {
    const document = await parse([
      tag('H1', 'Test'),
      tag('P', 'Ein Anwendungsfall beschreibt, was der Anwender tut.'),
      tag(
        'Table',
        row('Anwendungs', 'fallend'),
        tag('TR', tag('TD', tag('P', 'Anwendungsfa', 'll')), cell('Bestellen')),
        tag(
          'TR',
          tag('TD', tag('P', 'ada@exam', 'ple.org')),
          tag('TD', tag('P', 'eva', '@a.org oder', 'www.b.de')),
        ),
      ),
      tag('P', tag('Span', 'Zwei'), tag('Span', 'Wege')),
    ]);
    expect(shown(document).slice(2)).toEqual([
      'Anwendungs; fallend',
      'Anwendungsfall; Bestellen',
      'ada@example.org; eva@a.org oder www.b.de',
      'Zwei Wege',
    ]);
  });

  it('has short bold lines as headings where it names none', async () => {
    const document = await parse([
      tag('P', tag('Strong', 'Kündigung')),
      tag('P', 'Sie wird schriftlich erklärt, und der Empfang wird bestätigt.'),
    ]);
    expect(document.units.map(({ kind }) => kind)).toEqual(['heading', 'paragraph']);
  });

  it('has short lines in larger type as headings where it names none, the largest above the others', async () => {
    const { units } = await parse([
      tag('P', tag('Largest', 'Antrag')),
      tag('P', 'Der Antrag wird schriftlich beim Vorstand des Vereins gestellt.'),
      tag('P', tag('Large', 'Datenschutz')),
      tag('P', tag('Large', 'Alle Angaben werden nur für den Verein gespeichert.')),
      tag('P', tag('Large', 'Löschung')),
      tag('P', tag('Strong', 'Dauer')),
      tag('P', 'Sie werden gelöscht, sobald die Mitgliedschaft endet, spätestens nach einem Jahr.'),
    ]);
    expect(units.map((unit) => (unit.kind === 'heading' ? unit.level : unit.kind))).toEqual([
      1,
      'paragraph',
      2,
      'paragraph',
      2,
      3,
      'paragraph',
    ]);
  });
});

it('A tagged PDF that names no headings has one in a bold item with a number', async () => {
  const item = (number: string, text: string): Tagged =>
    tag('L', tag('LI', tag('Lbl', number), tag('LBody', tag('P', tag('Strong', text)))));
  const { units } = await parse([
    item('4.', 'Demande'),
    tag('P', tag('Strong', 'Résolution DM-2023-001')),
    tag('P', 'Le comité approuve la demande.'),
    item('5.', 'Levée de la séance'),
    tag('P', 'La séance est levée à 16h05.'),
  ]);
  expect(units.filter(({ kind }) => kind === 'heading')).toMatchObject([
    { level: 2, text: '4. Demande' },
    { level: 2, text: 'Résolution DM-2023-001' },
    { level: 2, text: '5. Levée de la séance' },
  ]);
});

/** A table with rows as the tags tell them: each cell as its place and its text. */
const toldTable = async (rows: readonly (readonly (readonly [x: number, text: string])[])[]) => {
  const texts: WrittenText[] = [];
  const children = rows.map((cells, y): WrittenTag => ({
    type: 'TR',
    children: cells.map(([x, text]) => {
      texts.push({ text, x, y: 100 + y * 16, mark: texts.length });
      return { type: 'TD', children: [{ page: 1, mark: texts.length - 1 }] };
    }),
  }));
  return shown(
    await pdf.parse(
      writePdf({
        pages: [{ texts }],
        tags: [{ type: 'Document', children: [{ type: 'Table', children }] }],
      }),
      'a.pdf',
    ),
  );
};

describe('a table whose tags contradict the places of its cells', () => {
  it('is read by its looks where the order of cells is another one from row to row', async () => {
    expect(
      await toldTable([
        [
          [60, 'Notice'],
          [320, 'Kind'],
          [140, 'Effective'],
          [230, 'City'],
        ],
        [
          [60, '06/22/2015'],
          [140, '03/25/2016'],
          [230, 'San Jose'],
          [320, 'Closure'],
        ],
        [
          [60, '06/30/2015'],
          [320, 'Layoff'],
          [140, '08/29/2015'],
          [230, 'Monterey'],
        ],
        [
          [60, '06/30/2015'],
          [140, '08/30/2015'],
          [230, 'Leidos'],
          [320, 'Layoff'],
        ],
      ]),
    ).toEqual([
      'Notice: 06/22/2015; Effective: 03/25/2016; City: San Jose; Kind: Closure',
      'Notice: 06/30/2015; Effective: 08/29/2015; City: Monterey; Kind: Layoff',
      'Notice: 06/30/2015; Effective: 08/30/2015; City: Leidos; Kind: Layoff',
    ]);
  });

  it('names no columns where its rows have other ones than its heads', async () => {
    expect(
      await toldTable([
        [
          [60, 'State'],
          [200, 'Week'],
          [320, 'Year'],
        ],
        [
          [60, 'Iowa'],
          [190, '1.35'],
          [215, 'to'],
          [230, '1.42'],
          [320, '1.38'],
        ],
        [
          [60, 'Nebraska'],
          [190, '1.38'],
          [215, 'to'],
          [230, '1.40'],
          [320, '1.36'],
        ],
        [
          [60, 'Wisconsin'],
          [190, '1.51'],
          [215, 'to'],
          [230, '1.53'],
          [320, '1.40'],
        ],
      ]),
    ).toContain('Nebraska; 1.38; to; 1.40; 1.36');
  });
});
