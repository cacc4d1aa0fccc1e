import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { writePdf, type WrittenPage, type WrittenText } from '../../testing/documents/pdf-writer.ts';
import { withoutContents } from './contents.ts';
import { pdf } from './pdf.ts';
import type { Document, Unit } from './unit.ts';

const parse = async (pages: readonly WrittenPage[], more: object = {}): Promise<Document> =>
  await pdf.parse(writePdf({ pages, ...more }), 'a.pdf');

/** Lines below each other, 12 points apart. */
const lines = (texts: readonly string[], at: Partial<WrittenText> = {}): WrittenText[] =>
  texts.map((text, i) => ({ x: 60, ...at, text, y: (at.y ?? 100) + i * 12 }));

const textsOf = (units: readonly Unit[]): string[] =>
  units.map((unit) =>
    unit.kind === 'row' ? unit.cells.map(({ head, text }) => `${head}: ${text}`).join('; ') : unit.text,
  );

/** A paragraph of five full lines, which shows the width of the column. */
const FILLER = [
  'Diese Richtlinie regelt, wie Reisen beantragt, gebucht und abgerechnet werden. Sie gilt',
  'für alle Beschäftigten mit Ausnahme der Auszubildenden, für die eine eigene Regelung in',
  'Kraft ist. Wer im Auftrag eines Kunden reist, legt dessen Bedingungen dem Antrag bei und',
  'lässt sie von der Abteilung prüfen, bevor er eine Fahrkarte oder ein Zimmer bestellt und',
  'damit Kosten auslöst, die sich nicht mehr abwenden lassen.',
];

const numbered = (texts: readonly string[], y: number): WrittenText[] =>
  texts.map((text, i) => ({ text, x: 60, y: y + i * 40, size: 14, font: 'bold' }));
const kinds = async (texts: readonly WrittenText[]): Promise<string[]> =>
  (await parse([{ texts }])).units.map((unit) =>
    unit.kind === 'item' ? `${unit.marker} ${unit.text}` : unit.kind,
  );

const kindsAboveText = async (texts: readonly string[]): Promise<string[]> =>
  (await parse([{ texts: [...lines(texts), ...lines(FILLER, { y: 200 })] }])).units.map(({ kind }) => kind);

/** A page with a running head and a page number. */
const pageOf = (number: number, texts: WrittenText[]): WrittenPage => ({
  texts: [
    { text: `Handbuch, Stand 2024, Kapitel ${number}`, x: 60, y: 40, size: 8 },
    ...texts,
    { text: `Seite ${number} von 3`, x: 270, y: 810, size: 8 },
  ],
});

const columnOf = (texts: readonly string[], x: number): WrittenText[] => lines(texts, { x, size: 9 });
const noteOf = (mark: string, text: string, y: number): WrittenText[] => [
  { text: mark, x: 60, y: y - 2.5, size: 4 },
  { text, x: 63, y, size: 7 },
];

/** Runs with a PATH that has only these programs. */
async function withPrograms<T>(
  programs: Readonly<Record<string, string>>,
  use: () => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'programs-'));
  const path = process.env['PATH'];
  try {
    for (const [name, text] of Object.entries(programs))
      await writeFile(join(folder, name), text, { mode: 0o755 });
    process.env['PATH'] = folder;
    return await use();
  } finally {
    process.env['PATH'] = path;
    await rm(folder, { recursive: true });
  }
}

/** A fake that lists its languages and prints this table for each picture. */
const tesseract = (table: string): string =>
  `#!/bin/sh\nif [ "$1" = --list-langs ]; then echo 'List of languages:'; echo deu; echo osd; exit; fi\n` +
  `/bin/cat > /dev/null\nprintf '%s' '${table}'\n`;

/** Words in the format of Tesseract, at 300 dots an inch. */
const tableOf = (
  found: readonly (readonly (readonly [x: number, text: string, sure?: number])[])[],
): string =>
  [
    'level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext',
    ...found.flatMap((line, i) => [
      ['4', 1, 1, 1, i, 0, 250, 400 + i * 50, 1800, 40, -1, ''].join('\t'),
      ...line.map(([x, text, sure = 95], j) =>
        ['5', 1, 1, 1, i, j, x, 400 + i * 50, 20 * text.length, 40, sure, text].join('\t'),
      ),
    ]),
    '',
  ].join('\n');

describe('a scan', () => {
  it('is read by Tesseract, and says so of each unit', async () => {
    const table = tableOf([
      [
        [250, 'Urlaub'],
        [400, 'ist'],
        [480, 'zu'],
        [540, 'bean-'],
      ],
      [
        [250, 'tragen.'],
        [600, '|~', 12],
      ],
      [
        [250, 'e'],
        [330, 'schriftlich'],
      ],
      [
        [250, 'e'],
        [330, 'rechtzeitig'],
      ],
    ]);
    const { units } = await withPrograms({ tesseract: tesseract(table) }, () => parse([{ picture: true }]));
    expect(units).toEqual([
      { kind: 'paragraph', text: 'Urlaub ist zu beantragen.', page: 1, ocr: true },
      { kind: 'item', depth: 0, text: 'schriftlich', page: 1, ocr: true },
      { kind: 'item', depth: 0, text: 'rechtzeitig', page: 1, ocr: true },
    ]);
  });

  it('is named where the machine has no Tesseract, alone or among other pages', async () => {
    await withPrograms({}, async () => {
      await expect(parse([{ picture: true }])).rejects.toThrow('is a scan without text');
      const { units, leftOut } = await parse([{ picture: true }, { texts: lines(FILLER) }]);
      expect(textsOf(units)).toEqual([FILLER.join(' ')]);
      expect(leftOut).toEqual({ 'pages that are scans without text': 1 });
    });
  });
});

/** A slide with a title, a line in large type below it, and a text. */
const slide = (title: string, text: string): WrittenPage => ({
  wide: true,
  texts: [
    { text: title, x: 60, y: 80, size: 30, font: 'bold' },
    { text, x: 60, y: 160, size: 24 },
    ...['Der Plan hängt im Flur.', 'Er gilt ab Mai.', 'Fragen nimmt Anna an.'].map(
      (each, i): WrittenText => ({ text: each, x: 60, y: 220 + i * 40, size: 18 }),
    ),
  ],
});

describe('a PDF as units', () => {
  it('tells the margin of a leaflet apart from the text beside it, which goes on below both', async () => {
    const margin = [
      'Kontakt',
      'Telefon 0123 456',
      'Fax 0123 457',
      'Sprechzeiten',
      'Mo. bis Fr.',
      '9 bis 12 Uhr',
    ];
    const { units } = await parse([
      {
        texts: [
          ...FILLER.map((text, i): WrittenText => ({ text, x: 60, y: 100 + i * 14, size: 9 })),
          ...margin.map((text, i): WrittenText => ({ text, x: 460, y: 97 + i * 10.4, size: 7 })),
        ],
      },
    ]);
    const all = textsOf(units).join(' ');
    expect(all).toContain(margin.join(' '));
    expect(all).toContain(FILLER.join(' '));
  });

  it('has no heading on a slide in a sentence below its title', async () => {
    const { units } = await parse([
      slide('Neuer Plan', 'Wir tauschen die Schichten.'),
      slide('Was bleibt', 'Die Pausen sind wie vorher.'),
    ]);
    expect(units.flatMap((unit) => (unit.kind === 'heading' ? [unit.text] : []))).toEqual([
      'Neuer Plan',
      'Was bleibt',
    ]);
  });

  it('reads a table of texts without lines cell by cell', async () => {
    const columns = [
      ['Diese Regel gilt', 'für alle Büros', 'im ganzen Haus', 'und im Lager'],
      ['Vertreter werden gefragt', 'und bekommen dafür', 'genug freie Zeit', 'auf ihrem Konto'],
      ['Der Plan hängt', 'im großen Flur', 'und wird erneuert', 'wenn es nötig'],
      ['Fragen beantwortet immer', 'die Leitung oder', 'ihr Vertreter dort', 'am frühen Morgen'],
    ];
    const row = (y: number): WrittenText[] =>
      columns.flatMap((texts, i) =>
        lines([...texts, 'danach auch gilt.'], { x: 30 + i * 122, y, size: 8.6 }),
      );
    const heads = ['Zweck', 'Vertretung', 'Plan', 'Fragen'].map((text, i): WrittenText => ({
      text,
      x: 30 + i * 122,
      y: 86,
      size: 8.6,
      font: 'bold',
    }));
    const { units } = await parse([{ texts: [...heads, ...row(100), ...row(172)] }]);
    const cell = (i: number): string => [...columns[i]!, 'danach auch gilt.'].join(' ');
    const told = `Zweck: ${cell(0)}; Vertretung: ${cell(1)}; Plan: ${cell(2)}; Fragen: ${cell(3)}`;
    expect(textsOf(units)).toEqual([told, told]);
  });

  it('reads headings by the size and weight of their type, and paragraphs over their lines', async () => {
    const { units, title } = await parse([
      {
        texts: [
          { text: 'Reiserichtlinie', x: 60, y: 70, size: 20, font: 'bold' },
          ...lines(FILLER),
          { text: '1 Antrag', x: 60, y: 190, size: 14, font: 'bold' },
          ...lines(FILLER, { y: 210 }),
          { text: '1.1 Frist', x: 60, y: 290, font: 'bold' },
          ...lines(FILLER, { y: 310 }),
        ],
      },
    ]);
    const paragraph = { kind: 'paragraph', text: FILLER.join(' '), page: 1 };
    expect(units).toEqual([
      { kind: 'heading', level: 1, text: 'Reiserichtlinie', page: 1 },
      paragraph,
      { kind: 'heading', level: 2, text: '1 Antrag', page: 1 },
      paragraph,
      { kind: 'heading', level: 3, text: '1.1 Frist', page: 1 },
      paragraph,
    ]);
    expect(title).toBe('Reiserichtlinie');
  });

  it('takes levels from the outline', async () => {
    const texts = [{ text: 'Anhang', x: 60, y: 70, font: 'bold' as const }, ...lines(FILLER)];
    const { units } = await parse([{ texts }], { outline: [{ title: 'Anhang', page: 1 }] });
    expect(units[0]).toEqual({ kind: 'heading', level: 1, text: 'Anhang', page: 1 });
  });

  it('joins what a line end divided, and leaves hyphens that are written', async () => {
    const { units } = await parse([
      {
        texts: lines([
          'Der Arbeitgeber beteiligt sich an den Kosten der Vorsorge, soweit sie ein Arbeit-',
          'nehmer nachweist, und an Beiträgen zur gesetzlichen Kranken-, Pflege-, Unfall- und',
          'Rentenversicherung. Rechnungen kommen in der Regel mit der Post oder per E-Mail, E-',
          'Mail geht vor. Zuständig ist die Kasse in Baden-Baden, bei Fragen auch die Kranken-',
          'und Rentenkasse.',
        ]),
      },
    ]);
    expect(textsOf(units)).toEqual([
      'Der Arbeitgeber beteiligt sich an den Kosten der Vorsorge, soweit sie ein Arbeitnehmer nachweist, und an ' +
        'Beiträgen zur gesetzlichen Kranken-, Pflege-, Unfall- und Rentenversicherung. Rechnungen kommen in der Regel ' +
        'mit der Post oder per E-Mail, E-Mail geht vor. Zuständig ist die Kasse in Baden-Baden, bei Fragen auch die ' +
        'Kranken- und Rentenkasse.',
    ]);
  });

  it('reads lists with their signs and depth', async () => {
    const { units } = await parse([
      {
        texts: [
          ...lines(['Nötig sind:']),
          { text: '•', x: 70, y: 120 },
          {
            text: 'ein Antrag, der so lang ist, dass er in einer Zeile keinen Platz hat und also in',
            x: 84,
            y: 120,
          },
          { text: 'der nächsten weitergeht', x: 84, y: 132 },
          { text: '–', x: 92, y: 144 },
          { text: 'mit Unterschrift', x: 106, y: 144 },
          { text: '•', x: 70, y: 156 },
          { text: 'ein Beleg', x: 84, y: 156 },
          ...lines(['Danach:'], { y: 176 }),
          { text: '1. prüfen', x: 70, y: 196 },
          { text: '2. zahlen', x: 70, y: 208 },
        ],
      },
    ]);
    expect(units).toEqual([
      { kind: 'paragraph', text: 'Nötig sind:', page: 1 },
      {
        kind: 'item',
        depth: 0,
        text: 'ein Antrag, der so lang ist, dass er in einer Zeile keinen Platz hat und also in der nächsten weitergeht',
        page: 1,
      },
      { kind: 'item', depth: 1, text: 'mit Unterschrift', page: 1 },
      { kind: 'item', depth: 0, text: 'ein Beleg', page: 1 },
      { kind: 'paragraph', text: 'Danach:', page: 1 },
      { kind: 'item', depth: 0, marker: '1.', text: 'prüfen', page: 1 },
      { kind: 'item', depth: 0, marker: '2.', text: 'zahlen', page: 1 },
    ]);
  });

  it('takes the letter o for the circle that Word draws with it', async () => {
    const { units } = await parse([
      {
        texts: [
          ...lines(['Nötig sind:']),
          ...['ein Antrag', 'ein Beleg', 'eine Unterschrift'].flatMap((text, i) => [
            { text: 'o', x: 70, y: 120 + i * 12, font: 'fixed' as const },
            { text, x: 88, y: 120 + i * 12 },
          ]),
        ],
      },
    ]);
    expect(units.slice(1)).toEqual([
      { kind: 'item', depth: 0, text: 'ein Antrag', page: 1 },
      { kind: 'item', depth: 0, text: 'ein Beleg', page: 1 },
      { kind: 'item', depth: 0, text: 'eine Unterschrift', page: 1 },
    ]);
  });

  const CELLS = [
    ['Dauer', 'Inland', 'Ausland'],
    ['bis 8 Stunden', '0', '12'],
    ['bis 24 Stunden', '14', '28'],
    ['ab 24 Stunden', '28', '56'],
  ];
  const table = CELLS.flatMap((row, i) => row.map((text, j) => ({ text, x: 70 + j * 120, y: 200 + i * 16 })));
  const ROWS = [
    'Dauer: bis 8 Stunden; Inland: 0; Ausland: 12',
    'Dauer: bis 24 Stunden; Inland: 14; Ausland: 28',
    'Dauer: ab 24 Stunden; Inland: 28; Ausland: 56',
  ];

  it('reads tables by where their cells stand', async () => {
    const { units } = await parse([{ texts: [...lines(FILLER), ...table, ...lines(FILLER, { y: 300 })] }]);
    expect(textsOf(units)).toEqual([FILLER.join(' '), ...ROWS, FILLER.join(' ')]);
  });

  it('reads tables that lines are drawn around, with several lines in a cell', async () => {
    const ys = [186, 205, 221, 249, 265];
    const { units } = await parse([
      {
        texts: [
          ...lines(FILLER),
          ...table.map((cell) => ({ ...cell, y: cell.y > 240 ? cell.y + 12 : cell.y })),
          { text: 'mit Anreise', x: 70, y: 244 },
        ],
        lines: [
          ...ys.map((y) => [60, y, 420, y] as const),
          ...[60, 180, 300, 420].map((x) => [x, ys[0]!, x, ys.at(-1)!] as const),
        ],
      },
    ]);
    expect(textsOf(units).slice(1)).toEqual([
      ROWS[0],
      'Dauer: bis 24 Stunden mit Anreise; Inland: 14; Ausland: 28',
      ROWS[2],
    ]);
  });

  it('reads two columns one after the other, below a title over both', async () => {
    const left = [
      'Die linke Spalte beginnt hier und',
      'geht über mehrere Zeilen weiter, bis',
      'sie in der Mitte eines Satzes zu Ende',
      'ist und mit den Worten in der',
    ];
    const right = [
      'rechten Spalte weitergeht, wie man es',
      'aus der Zeitung kennt. Dann kommt ein',
      'zweiter Satz, der auch noch lang genug',
      'für mehrere Zeilen in der Spalte ist.',
    ];
    const { units } = await parse([
      {
        texts: [
          { text: 'Über beide Spalten', x: 60, y: 70, size: 18 },
          ...lines(left),
          ...lines(right, { x: 310 }),
        ],
      },
    ]);
    expect(textsOf(units)).toEqual(['Über beide Spalten', [...left, ...right].join(' ')]);
  });

  it('takes the end of a word at the top of a page for no page number', async () => {
    const pages = [1, 2, 3].map(() => ({
      texts: [...lines(['ll'], { y: 40 }), ...lines(FILLER, { y: 100 })],
    }));
    const { leftOut } = await parse(pages);
    expect(leftOut?.['page numbers']).toBeUndefined();
  });

  it('keeps the lines of a table of contents apart, which are left out with its title, and the fields of a form', async () => {
    const document = await parse([
      {
        texts: [
          { text: 'Inhaltsverzeichnis', x: 60, y: 60, size: 16, font: 'bold' },
          ...lines(['1 Geltung ............................ 3', '2 Fristen ............................ 5']),
          ...lines(FILLER, { y: 200 }),
          ...lines(['Name: ............................'], { y: 500 }),
        ],
      },
    ]);
    expect(textsOf(withoutContents(document).units)).toEqual([
      FILLER.join(' '),
      'Name: ............................',
    ]);
  });

  it('drops running heads and page numbers, counts them, and joins what goes on over a page', async () => {
    const { units, leftOut } = await parse([
      pageOf(1, lines(FILLER.slice(0, 3), { y: 700 })),
      pageOf(2, [...lines(FILLER.slice(3)), ...lines(FILLER, { y: 150 })]),
      pageOf(3, lines(FILLER)),
    ]);
    expect(units).toEqual([
      { kind: 'paragraph', text: FILLER.join(' '), page: 1 },
      { kind: 'paragraph', text: FILLER.join(' '), page: 2 },
      { kind: 'paragraph', text: FILLER.join(' '), page: 3 },
    ]);
    expect(leftOut).toEqual({ 'running heads': 3, 'page numbers': 3 });
  });

  it('joins what goes on over a page with a capital, and an address that a line end divides', async () => {
    const before = [
      ...FILLER.slice(0, 4),
      'damit Kosten auslöst. Was eine Reise ist, sagt das Gesetz über die Kosten von Reisen,',
    ];
    const after = [
      'Umzügen und Trennung in seiner letzten Fassung (siehe https://www.',
      'example.org/reise-',
      'kosten).',
    ];
    const { units } = await parse([
      { texts: lines(before, { y: 700 }) },
      { texts: [...lines(after), ...lines(FILLER, { y: 160 })] },
    ]);
    expect(textsOf(units)).toEqual([
      `${before.join(' ')} Umzügen und Trennung in seiner letzten Fassung (siehe https://www.example.org/reise-kosten).`,
      FILLER.join(' '),
    ]);
  });

  it('leaves figures at the edge of a page that are no page numbers', async () => {
    const pages = [7, 20, 31].map((figure, i) => ({
      texts: [...lines(FILLER.slice(i), { y: 200 }), { text: `${figure}`, x: 500, y: 800 }],
    }));
    const { units } = await parse(pages);
    expect(textsOf(units).filter((text) => /^\d+$/u.test(text))).toEqual(['7', '20', '31']);
  });

  it('keeps code as it is written', async () => {
    const { units } = await parse([
      { texts: [...lines(FILLER), ...lines(['if (a) {', '  b();', '}'], { y: 200, font: 'fixed' })] },
    ]);
    expect(units[1]).toEqual({ kind: 'code', text: 'if (a) {\n  b();\n}', page: 1 });
  });

  it('reads notes below the page', async () => {
    const { units } = await parse([
      { texts: [...lines(FILLER), ...lines(['1 Siehe den Erlass vom 3. Mai.'], { y: 780, size: 8 })] },
    ]);
    expect(units[1]).toEqual({ kind: 'note', label: '1', text: 'Siehe den Erlass vom 3. Mai.', page: 1 });
  });

  it('leaves the sign of a note out of the text, and keeps powers', async () => {
    const { units } = await parse([
      {
        texts: [
          ...lines(FILLER),
          { text: 'Wort', x: 60, y: 172 },
          { text: '1', x: 81.3, y: 168, size: 6 },
          { text: 'und 20 m', x: 87, y: 172 },
          { text: '2', x: 126.4, y: 168, size: 6 },
          { text: 'Fläche.', x: 133, y: 172 },
          ...lines(['1 Siehe den Erlass vom 3. Mai.'], { y: 780, size: 8 }),
        ],
      },
    ]);
    expect(textsOf(units)[1]).toBe('Wort und 20 m2 Fläche.');
  });

  it('reads a page whose text runs upwards, and leaves out what runs otherwise', async () => {
    const texts = FILLER.map((text, i) => ({ text, x: 100 + i * 12, y: 700, upwards: true }));
    const { units, leftOut } = await parse([{ texts: [...texts, { text: 'Stempel', x: 300, y: 300 }] }]);
    expect(textsOf(units)).toEqual([FILLER.join(' ')]);
    expect(leftOut).toEqual({ 'characters set sideways': 7 });
  });

  it('reads a page that is turned', async () => {
    const { units } = await parse([{ texts: lines(FILLER), rotate: 90 }]);
    expect(textsOf(units)).toEqual([FILLER.join(' ')]);
  });

  it.each([
    ['Reiserichtlinie der GmbH', 'Reiserichtlinie der GmbH'],
    ['Microsoft Word - richtlinie_v3.docx', undefined],
    ['richtlinie_v3', undefined],
    ['Dokument1', undefined],
  ])('takes the title %s and the date from the document', async (given, title) => {
    const info = { Title: given, CreationDate: "D:20240305101500+01'00'" };
    expect(await parse([{ texts: lines(FILLER) }], { info })).toMatchObject({ stand: '2024-03' });
    expect((await parse([{ texts: lines(FILLER) }], { info })).title).toBe(title);
  });

  describe('has no date of its own', () => {
    const info = { CreationDate: "D:20240305101500+01'00'" };
    const standOf = async (...pages: WrittenPage[]) => (await parse(pages, { info })).stand;

    it('where most of its pages are scans with a layer of text', async () => {
      const scan = { texts: lines(FILLER), picture: true };
      expect(await standOf(scan, scan, { texts: lines(FILLER) })).toBeUndefined();
      expect(await standOf(scan, { texts: lines(FILLER) }, { texts: lines(FILLER) })).toBe('2024-03');
    });

    it.each([
      ['1.7.1998', undefined],
      ['01. 07. 2022', undefined],
      ['12. Dezember 2022', undefined],
      ['1st July 2022', undefined],
      ['July 1, 2022', undefined],
      ['2022-07-01', undefined],
      ['1.7.2023', '2024-03'],
      ['1. Januar 2026', '2024-03'],
      ['im Jahr 1998', '2024-03'],
    ])('where its text is older: %s', async (date, stand) => {
      expect(await standOf({ texts: lines([...FILLER, `Beschlossen wurde dies am ${date} im Rat.`]) })).toBe(
        stand,
      );
    });
  });

  it('takes bold words and a date within a sentence for its words', async () => {
    const { units } = await parse([
      {
        texts: [
          ...lines(FILLER),
          ...lines(['Tipp: Wenn Sie die Option'], { y: 190 }),
          ...lines(['Buchungen zeigen'], { y: 215, font: 'bold' }),
          ...lines(['auswählen, sehen Sie die Buchungen, die Sie für den'], { y: 240 }),
          ...lines(['28. April geplant haben.'], { y: 265 }),
        ],
      },
    ]);
    expect(textsOf(units).slice(1)).toEqual([
      'Tipp: Wenn Sie die Option Buchungen zeigen auswählen, sehen Sie die Buchungen, die Sie für den 28. April geplant haben.',
    ]);
  });

  it('lets numbers decide the levels of headings', async () => {
    const { units } = await parse([
      {
        texts: [
          { text: '1. Inland', x: 60, y: 70, size: 14, font: 'bold' },
          ...lines(FILLER),
          { text: '1.1 Antrag', x: 60, y: 190, size: 14, font: 'bold' },
          ...lines(FILLER, { y: 210 }),
          { text: '2. Ausland', x: 60, y: 300, size: 12, font: 'bold' },
          ...lines(FILLER, { y: 320 }),
        ],
      },
    ]);
    expect(units.flatMap((unit) => (unit.kind === 'heading' ? [`${unit.level} ${unit.text}`] : []))).toEqual([
      '1 1. Inland',
      '2 1.1 Antrag',
      '1 2. Ausland',
    ]);
  });

  it.each([
    'Tabelle 2: Tagegeld',
    'ESTIMATED COSTS—Continued',
    '1309 S. Mary Avenue',
    'Lange Straße 12',
    '70173 Stuttgart',
  ])('takes no caption and no address for a heading: %s', async (text) => {
    const { units } = await parse([
      { texts: [...lines(FILLER), { text, x: 60, y: 190, font: 'bold' }, ...lines(FILLER, { y: 220 })] },
    ]);
    expect(units.filter(({ kind }) => kind === 'heading')).toEqual([]);
  });

  it('takes a numbered list in the type of headings for a list, but not headings without text', async () => {
    const list = numbered(['1. Antrag', '2. Reise', '3. Abrechnung'], 190);
    expect(await kinds([...lines(FILLER), ...list, ...lines(FILLER, { y: 320 })])).toEqual([
      'paragraph',
      '1. Antrag',
      '2. Reise',
      '3. Abrechnung',
      'paragraph',
    ]);
    const more = numbered(['4. Frist'], 400);
    expect(
      await kinds([
        ...lines(FILLER),
        ...list,
        ...lines(FILLER, { y: 320 }),
        ...more,
        ...lines(FILLER, { y: 420 }),
      ]),
    ).toEqual(['paragraph', 'heading', 'heading', 'heading', 'paragraph', 'heading', 'paragraph']);
  });

  it('takes a line in capitals for a heading, and one within a sentence for its words', async () => {
    const { units } = await parse([
      {
        texts: [
          ...lines(['§1. NAME, SITZ', '1) Der Verein heißt Werkraum.', '2) Er hat seinen Sitz in Gera.']),
          ...lines(['GEMEINNÜTZIGKEIT', 'Der Verein ist selbstlos tätig.'], { y: 160 }),
          ...lines([...FILLER.slice(0, 4), 'DIN EN ISO', ...FILLER], { y: 220 }),
        ],
      },
    ]);
    expect(units.map((unit) => [unit.kind, textsOf([unit])[0]!.slice(0, 28)])).toEqual([
      ['heading', '§1. NAME, SITZ'],
      ['item', 'Der Verein heißt Werkraum.'],
      ['item', 'Er hat seinen Sitz in Gera.'],
      ['heading', 'GEMEINNÜTZIGKEIT'],
      ['paragraph', 'Der Verein ist selbstlos tät'],
      ['paragraph', 'Diese Richtlinie regelt, wie'],
    ]);
  });

  it('leaves out an item that is empty', async () => {
    const { units } = await parse([
      { texts: [...lines(FILLER), { text: '•', x: 60, y: 200 }, ...lines(FILLER, { y: 260 })] },
    ]);
    expect(units.map(({ kind }) => kind)).toEqual(['paragraph', 'paragraph']);
  });

  it('takes no sentence in quotation marks for a heading', async () => {
    const text = '„Wir haben viel gelernt.“';
    const { units } = await parse([
      { texts: [...lines(FILLER), { text, x: 60, y: 190, size: 14 }, ...lines(FILLER, { y: 220 })] },
    ]);
    expect(units.filter(({ kind }) => kind === 'heading')).toEqual([]);
  });

  it('takes no row of far texts for a heading', async () => {
    const row = ['Antrag', 'Betrag', 'Datum'].map((text, i) => ({
      text,
      x: 60 + i * 120,
      y: 190,
      font: 'bold' as const,
    }));
    const { units } = await parse([{ texts: [...lines(FILLER), ...row, ...lines(FILLER, { y: 220 })] }]);
    expect(units.filter(({ kind }) => kind === 'heading')).toEqual([]);
  });

  it('keeps the number of a heading', async () => {
    const texts = [
      { text: '2. Abrechnung', x: 60, y: 70, size: 14, font: 'bold' as const },
      ...lines(FILLER),
    ];
    expect(textsOf((await parse([{ texts }])).units)[0]).toBe('2. Abrechnung');
  });

  it('says what to do about a locked file', async () => {
    const key = '0'.repeat(64);
    const locked = writePdf({ pages: [{ texts: lines(FILLER) }] })
      .toString('latin1')
      .replace(
        'trailer\n<<',
        `trailer\n<< /ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /O <${key}> /U <${key}> /P -4 >>`,
      );
    await expect(async () => pdf.parse(Buffer.from(locked, 'latin1'), 'a.pdf')).rejects.toThrow(
      'is encrypted: save it without a password',
    );
  });

  it('ends a web address with its line where the next words are no part of it', async () => {
    const { units } = await parse([
      {
        texts: [
          ...lines(['https://example.org/HJDataset/', 'fine-tuned parameters.'], { y: 200 }),
          ...lines(['https://example.org/HJDataset/', 'models/index.html'], { y: 224 }),
        ],
      },
    ]);
    expect(textsOf(units)).toEqual([
      'https://example.org/HJDataset/ fine-tuned parameters. https://example.org/HJDataset/models/index.html',
    ]);
  });

  it('tells the heads of a table once, though they are printed again', async () => {
    const again = CELLS[0]!.map((text, j) => ({ text, x: 70 + j * 120, y: 200 + 4 * 16 }));
    const more = CELLS.slice(1).flatMap((row, i) =>
      row.map((text, j) => ({ text, x: 70 + j * 120, y: 200 + (5 + i) * 16 })),
    );
    const { units } = await parse([{ texts: [...table, ...again, ...more] }]);
    expect(textsOf(units)).toEqual([...ROWS, ...ROWS]);
  });

  it('names what has no text, is broken, or is no PDF', async () => {
    await expect(parse([{}])).rejects.toThrow('has no text');
    await expect(async () => pdf.parse(Buffer.from('%PDF-1.7\nkaputt'), 'a.pdf')).rejects.toThrow(
      'is broken',
    );
    await expect(async () => pdf.parse(Buffer.from('Text'), 'a.pdf')).rejects.toThrow('is broken, or no PDF');
  });

  it('tells footnotes apart by their raised numbers, above the text of the next column, and lets the text go on', async () => {
    const left = [
      'Diese Richtlinie regelt, wie Reisen beantragt, gebucht',
      'und abgerechnet werden. Sie gilt für alle Beschäftigten',
      'mit Ausnahme der Auszubildenden, für die eine eigene',
      'Regelung in Kraft ist. Wer im Auftrag des Kunden',
    ];
    const right = [
      'reist, legt dessen Bedingungen dem Antrag bei und lässt',
      'sie von der Abteilung prüfen, bevor er eine Fahrkarte',
      'oder ein Zimmer bestellt und damit Kosten auslöst, die',
      'sich nicht mehr abwenden lassen, auch wenn er absagt und',
      'die Reise verschiebt oder ein anderer sie für ihn macht',
      'und die Kosten sich dadurch nicht weiter erhöhen, weil',
      'er mit demselben Zug und in dasselbe Haus gereist ist.',
    ];
    const { units } = await parse([
      {
        texts: [
          ...columnOf(left, 60),
          ...noteOf('1', 'Stand vom Mai, ohne die Nachträge.', 160),
          ...noteOf('2', 'Siehe die Liste der Kunden im Anhang.', 169),
          ...columnOf(right, 320),
        ],
      },
    ]);
    expect(units).toEqual([
      { kind: 'paragraph', text: [...left, ...right].join(' '), page: 1 },
      { kind: 'note', label: '1', text: 'Stand vom Mai, ohne die Nachträge.', page: 1 },
      { kind: 'note', label: '2', text: 'Siehe die Liste der Kunden im Anhang.', page: 1 },
    ]);
  });

  it('goes on after a range of numbers that a line end divides', async () => {
    const text = [
      'Müller, Über die Messung des Gewichts von Patienten im Krankenhaus, 22(2), 252-',
      '257. Berlin, 2001.',
    ];
    expect((await parse([{ texts: [...lines(text), ...lines(FILLER, { y: 160 })] }])).units[0]).toMatchObject(
      {
        kind: 'paragraph',
        text: 'Müller, Über die Messung des Gewichts von Patienten im Krankenhaus, 22(2), 252-257. Berlin, 2001.',
      },
    );
  });

  it('goes on after a dash at the beginning of a line, and has items where a lead-in stands before dashes', async () => {
    const sentence = [`${FILLER[0]!} also`, '- und das ist neu - auch für alle.'];
    const list = [`${FILLER[0]!} also:`, '- für alle', '- für jeden'];
    expect(await kindsAboveText(sentence)).toEqual(['paragraph', 'paragraph']);
    expect(await kindsAboveText(list)).toEqual(['paragraph', 'item', 'item', 'paragraph']);
  });
});
