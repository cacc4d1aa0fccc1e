import { describe, expect, it } from 'vitest';

import { writePdf, type WrittenPage } from '../../../testing/documents/pdf-writer.ts';
import { passagesOf } from '../passages.ts';
import { pdf } from '../pdf.ts';
import type { Document } from '../unit.ts';

const parse = async (pages: readonly WrittenPage[]): Promise<Document> =>
  await pdf.parse(writePdf({ pages }), 'a.pdf');

const LINES = ['Kosten senken,', 'auch im Lager', 'Personal gewinnen', 'Kunden halten'];

/** A slide with a title and lines, of which the first, third and fourth have a square before them. */
const slide = (title: string): WrittenPage => ({
  wide: true,
  texts: [
    { text: title, x: 60, y: 80, size: 40, font: 'bold' },
    ...LINES.map((text, i) => ({ text, x: 100, y: 160 + i * 30, size: 24 })),
  ],
  squares: [0, 2, 3].map((i) => [72, 146 + i * 30, 12] as const),
});

const page = (text: string): WrittenPage => ({ wide: true, texts: [{ text, x: 60, y: 300, size: 24 }] });

it('A list has an item for each question mark before a line, which stands for a bullet that the font lacks', async () => {
  const lines = ['1. Zugang zum Netz', '? Rechte zum Lesen', '? Rechte zum Schreiben', 'Noch Fragen ?'];
  const texts = lines.map((text, i) => ({ text, x: 60, y: (i === 3 ? 120 : 100) + i * 14 }));
  const { units } = await parse([{ texts }]);
  expect(units.map((unit) => ('text' in unit ? `${unit.kind} ${unit.text}` : ''))).toEqual([
    'item Zugang zum Netz',
    'item Rechte zum Lesen',
    'item Rechte zum Schreiben',
    'paragraph Noch Fragen ?',
  ]);
});

describe('a list with drawn bullets', () => {
  it('has an item for each square before a line', async () => {
    const { units } = await parse([slide('Ziele')]);
    expect(units.map(({ kind }) => kind)).toEqual(['heading', 'item', 'item', 'item']);
    expect(units[1]).toMatchObject({ kind: 'item', text: 'Kosten senken, auch im Lager' });
  });

  it('is no list where a square stands between a figure and its name, as in a chart', async () => {
    const names = ['Nord', 'Mitte', 'West'];
    const { units } = await parse([
      {
        texts: names.flatMap((text, i) => [
          { text: `${i}0 %`, x: 60, y: 100 + i * 40 },
          { text, x: 120, y: 100 + i * 40 },
        ]),
        squares: names.map((_, i) => [105, 94 + i * 40, 6] as const),
      },
    ]);
    expect(JSON.stringify(units)).not.toContain('•');
  });
});

describe('a PDF of slides', () => {
  it('has a passage for each page, also where a title is that of the slide before', async () => {
    const document = await parse([slide('Ziele'), slide('Ziele'), slide('Wege')]);
    expect(document.slides).toBe(true);
    expect(passagesOf(document, 'a.pdf').map(({ title, page }) => `${page} ${title}`)).toEqual([
      '1 Ziele',
      '2 Ziele',
      '3 Wege',
    ]);
  });

  it('lets no text go on from one page to the next', async () => {
    const { units } = await parse([page('Die Aufgaben der'), page('neuen Abteilung im Lager')]);
    expect(units).toHaveLength(2);
  });

  it('is none where a wide page has the small type of a table', async () => {
    const page: WrittenPage = {
      wide: true,
      texts: [{ text: 'Umsatz nach Regionen im Jahr', x: 60, y: 300, size: 9 }],
    };
    expect((await parse([page, page, page])).slides).toBeUndefined();
  });
});
