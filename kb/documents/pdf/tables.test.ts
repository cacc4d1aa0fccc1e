import { describe, expect, it } from 'vitest';

import { writePdf, type WrittenPage, type WrittenText } from '../../../testing/documents/pdf-writer.ts';
import { pdf } from '../pdf.ts';

/** The units of a page, each as one line. */
async function told(page: WrittenPage): Promise<string[]> {
  const { units } = await pdf.parse(writePdf({ pages: [page] }), 'a.pdf');
  return units.map((unit) =>
    unit.kind === 'row'
      ? unit.cells.map(({ head, text }) => (head === '' ? text : `${head}: ${text}`)).join('; ')
      : `${unit.kind} ${unit.text}`,
  );
}

/** Rows with a name and figures at the right edges of their columns, 13 points apart. */
const rowsOf = (rows: readonly (readonly string[])[], y: number): WrittenText[] =>
  rows.flatMap(([name, ...figures], i) => [
    ...(name === '' ? [] : [{ text: name!, x: 60, y: y + i * 13 }]),
    ...figures.flatMap((text, column) =>
      text === '' ? [] : [{ text, x: 360 + column * 90 - text.length * 5.56, y: y + i * 13 }],
    ),
  ]);

describe('a form', () => {
  it('has no heads where its first row has names with their values', async () => {
    const texts = [
      ['Author: Miller', 'Volume : 27 L'],
      ['Kind: Ale', '31.67 L'],
      ['Bitter units', '22.67 L'],
      ['Colour', '12.23 L'],
      ['Carbonation', '34.9 L'],
    ].flatMap((row, i) => row.map((text, column) => ({ text, x: 60 + column * 200, y: 104 + i * 13 })));
    expect(await told({ texts })).toContain('Bitter units; 22.67 L');
  });

  it('is none where the heads of columns have colons, and none names the first column', async () => {
    const texts = rowsOf(
      [
        ['', 'Plan A: Basic', 'Plan B: Plus'],
        ['Storage', '5 GB', '50 GB'],
        ['Users', '1', '10'],
        ['Price', '9', '29'],
      ],
      104,
    );
    expect(await told({ texts })).toContain('Users; Plan A: Basic: 1; Plan B: Plus: 10');
  });
});

describe('a table of fees', () => {
  it('keeps a column apart from a head that ends with the sign of a currency', async () => {
    const rows = [
      ['Item', 'Fee in $', '30 days'],
      ['Copy', '12', '3'],
      ['Print', '14', '4'],
      ['Scan', '16', '5'],
    ];
    expect(await told({ texts: rowsOf(rows, 104) })).toContain('Copy; 12; 3');
  });
});

describe('a table of accounts', () => {
  it('keeps figures with the names of their rows where lines are drawn under the figures alone', async () => {
    const under = [133, 172, 185].flatMap((y) =>
      [300, 390].map((x): [number, number, number, number] => [x, y, x + 85, y]),
    );
    const texts = rowsOf(
      [
        ['', '2024', '2023'],
        ['Spenden', '2.339', '3.218'],
        ['Beitraege', '2.542', '1.632'],
        ['Ertraege', '4.881', '4.850'],
        ['Personal', '3.510', '3.095'],
        ['Sachkosten', '1.183', '1.003'],
        ['Aufwand', '4.693', '4.098'],
        ['Ergebnis', '188', '752'],
      ],
      104,
    );
    expect(await told({ texts, lines: under })).toEqual([
      'Spenden; 2024: 2.339; 2023: 3.218',
      'Beitraege; 2024: 2.542; 2023: 1.632',
      'Ertraege; 2024: 4.881; 2023: 4.850',
      'Personal; 2024: 3.510; 2023: 3.095',
      'Sachkosten; 2024: 1.183; 2023: 1.003',
      'Aufwand; 2024: 4.693; 2023: 4.098',
      'Ergebnis; 2024: 188; 2023: 752',
    ]);
  });

  it('keeps the sign of a currency at the edge of a column with its figure', async () => {
    const texts = [
      ...rowsOf(
        [
          ['', '2024', '2023'],
          ['Cash', '568,747', '567,048'],
          ['Receivables', '12,400', '9,870'],
          ['Total', '581,147', '576,918'],
        ],
        100,
      ),
      ...[113, 139].flatMap((y) => [300, 390].map((x) => ({ text: '$', x, y }))),
    ];
    expect(await told({ texts })).toEqual([
      'Cash; 2024: $ 568,747; 2023: $ 567,048',
      'Receivables; 2024: 12,400; 2023: 9,870',
      'Total; 2024: $ 581,147; 2023: $ 576,918',
    ]);
  });

  it('takes the name of a group below the heads for no head, and joins the name of a row over two lines', async () => {
    const texts = rowsOf(
      [
        ['', 'Balances', ''],
        ['', 'April 1', 'Increases'],
        ['Capital assets', '', ''],
        ['Buildings', '1,300', '18'],
        ['Difference between expected', '', ''],
        ['and actual experience', '1,097', '39'],
        ['Equipment', '5,626', '675'],
      ],
      100,
    );
    expect(await told({ texts })).toEqual([
      'Capital assets',
      'Buildings; Balances April 1: 1,300; Increases: 18',
      'Difference between expected and actual experience; Balances April 1: 1,097; Increases: 39',
      'Equipment; Balances April 1: 5,626; Increases: 675',
    ]);
  });

  it('begins below a numbered heading', async () => {
    const texts = [
      { text: '5.', x: 60, y: 72, size: 12 },
      { text: 'LONG-TERM DEBT', x: 90, y: 72, size: 12 },
      ...rowsOf(
        [
          ['', '2024', '2023'],
          ['Loan', '49,932', '3,272'],
          ['Bond', '51,553', '1,650'],
          ['Total', '101,485', '4,922'],
        ],
        100,
      ),
    ];
    expect((await told({ texts })).slice(1)).toEqual([
      'Loan; 2024: 49,932; 2023: 3,272',
      'Bond; 2024: 51,553; 2023: 1,650',
      'Total; 2024: 101,485; 2023: 4,922',
    ]);
  });
});
