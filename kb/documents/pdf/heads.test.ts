import { describe, expect, it } from 'vitest';

import { writePdf, type WrittenPage, type WrittenText } from '../../../testing/documents/pdf-writer.ts';
import { pdf } from '../pdf.ts';

/** The texts of a PDF with one page, rows with their heads. */
async function told(page: WrittenPage): Promise<string[]> {
  const { units } = await pdf.parse(writePdf({ pages: [page] }), 'a.pdf');
  return units.map((unit) =>
    unit.kind === 'row'
      ? unit.cells.map(({ head, text }) => (head === '' ? text : `${head}: ${text}`)).join('; ')
      : unit.text,
  );
}

/** Rows of a table, one below the other: each cell as its place and its text. */
const rows = (...all: (readonly (readonly [x: number, text: string])[])[]): WrittenText[] =>
  all.flatMap((row, i) => row.map(([x, text]) => ({ x, text, y: 200 + i * 14 })));

const FIGURES = [
  [60, 200, 260, 320, 380],
  ['1995', '59.0', '64.2', '49.7', '70.5'],
  ['2000', '64.2', '70.1', '54.1', '72.8'],
  ['2005', '66.5', '70.3', '57.4', '72.9'],
] as const;

const figures = (): (readonly [number, string])[][] => {
  const [places, ...texts] = FIGURES;
  return texts.map((row) => row.map((text, i) => [places[i]!, text] as const));
};

describe('the heads of a table that no tags tell', () => {
  it('are part of the name of each column below which the same names repeat', async () => {
    const heads = rows(
      [
        [222, 'Finland'],
        [345, 'Spain'],
      ],
      [
        [200, 'Female'],
        [260, 'Male'],
        [320, 'Female'],
        [380, 'Male'],
      ],
      ...figures(),
    );
    expect((await told({ texts: heads }))[0]).toBe(
      '1995; Finland Female: 59.0; Finland Male: 64.2; Spain Female: 49.7; Spain Male: 70.5',
    );
  });

  it('reach over the columns in whose middle they stand', async () => {
    const heads = rows(
      [
        [220, 'Actual'],
        [335, 'Projected'],
      ],
      [
        [60, 'Region'],
        [200, '2003'],
        [260, '2004'],
        [320, '2005'],
        [380, '2006'],
      ],
      ...figures(),
    );
    expect((await told({ texts: heads }))[0]).toBe(
      'Region: 1995; Actual 2003: 59.0; Actual 2004: 64.2; Projected 2005: 49.7; Projected 2006: 70.5',
    );
  });

  it('reach up to the rules around them', async () => {
    const ys = [188, 202, 216, 230, 244, 258];
    const texts = rows(
      [
        [200, 'Drawn'],
        [320, 'Bred'],
      ],
      [
        [60, 'Year'],
        [200, 'Women'],
        [260, 'Men'],
        [320, 'Girls'],
        [380, 'Boys'],
      ],
      ...figures(),
    );
    const lines = [
      ...ys.map((y) => [50, y, 440, y] as const),
      ...[50, 190, 310, 440].map((x) => [x, ys[0]!, x, ys.at(-1)!] as const),
      ...[250, 370].map((x) => [x, ys[1]!, x, ys.at(-1)!] as const),
    ];
    expect(await told({ texts, lines })).toContain(
      'Year: 1995; Drawn Women: 59.0; Drawn Men: 64.2; Bred Girls: 49.7; Bred Boys: 70.5',
    );
  });

  it('are told above the rows where it is not certain which columns they are over', async () => {
    const texts = rows(
      [
        [277, 'Estimated'],
        [420, 'Final'],
      ],
      [
        [60, 'Year'],
        [200, 'Women'],
        [260, 'Men'],
        [320, 'Girls'],
        [380, 'Boys'],
      ],
      ...figures(),
    );
    expect((await told({ texts })).slice(0, 2)).toEqual([
      'Estimated Final',
      'Year: 1995; Women: 59.0; Men: 64.2; Girls: 49.7; Boys: 70.5',
    ]);
  });

  it('are no names where these would not tell columns apart', async () => {
    const texts = rows(
      [
        [200, 'Total'],
        [260, 'Total'],
        [320, 'Total'],
        [380, 'Total'],
      ],
      ...figures(),
    );
    expect((await told({ texts })).slice(0, 2)).toEqual([
      'Total Total Total Total',
      '1995; 59.0; 64.2; 49.7; 70.5',
    ]);
  });

  it('end above the first row that begins with a name as they do, though its other cells are no figures', async () => {
    const texts = rows(
      [
        [60, 'Groups'],
        [200, 'Butter'],
        [320, 'Margarine'],
      ],
      [
        [60, 'Astra'],
        [200, 'none'],
        [320, 'Effi'],
      ],
      [
        [60, 'Besnier'],
        [200, 'Bridel'],
        [320, 'none'],
      ],
      ...['Own', 'Others', 'All', 'Rest'].map((name): (readonly [number, string])[] => [
        [60, name],
        [200, '26.9%'],
        [320, '19.4%'],
      ]),
    );
    expect((await told({ texts })).slice(0, 2)).toEqual([
      'Groups: Astra; Butter: none; Margarine: Effi',
      'Groups: Besnier; Butter: Bridel; Margarine: none',
    ]);
  });
});

it('A title in bold and larger type ends a table, and the next one begins below it', async () => {
  const ys = [188, 202, 216, 230, 244, 258, 272];
  const texts = rows(
    [
      [60, 'Claim'],
      [200, 'Amount'],
    ],
    [
      [60, 'A1'],
      [200, '12'],
    ],
    [],
    [
      [60, 'Document'],
      [200, 'Pages'],
    ],
    [
      [60, 'Receipt'],
      [200, '3'],
    ],
    [
      [60, 'Letter'],
      [200, '2'],
    ],
  );
  const lines = [
    ...ys.map((y) => [50, y, 440, y] as const),
    ...[50, 190, 440].map((x) => [x, ys[0]!, x, ys.at(-1)!] as const),
  ];
  const title = { text: 'Documents', x: 60, y: 228, size: 13, font: 'bold' as const };
  expect(await told({ texts: [...texts, title], lines })).toEqual([
    'Claim: A1; Amount: 12',
    'Documents',
    'Document: Receipt; Pages: 3',
    'Document: Letter; Pages: 2',
  ]);
});
