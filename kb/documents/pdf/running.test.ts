import { describe, expect, it } from 'vitest';

import { writePdf, type WrittenText } from '../../../testing/documents/pdf-writer.ts';
import { pdf } from '../pdf.ts';

/** The texts of a PDF with these pages, and what was left out. */
async function told(pages: readonly (readonly WrittenText[])[]) {
  const { units, leftOut } = await pdf.parse(writePdf({ pages: pages.map((texts) => ({ texts })) }), 'a.pdf');
  return {
    texts: units.map((unit) =>
      unit.kind === 'row' ? unit.cells.map(({ text }) => text).join(' | ') : unit.text,
    ),
    leftOut,
  };
}

const TEXT = [
  'Wer im Auftrag eines Kunden reist, legt dessen Bedingungen dem Antrag',
  'bei und lässt sie von der Abteilung prüfen, bevor er eine Fahrkarte',
  'bestellt und damit Kosten auslöst.',
];

const body = (x = 120, y = 200): WrittenText[] => TEXT.map((text, i) => ({ text, x, y: y + i * 12 }));

const PARAGRAPH = TEXT.join(' ');

const beside = (number: number): WrittenText[] => [
  { text: 'Arbeit in', x: 40, y: 204, size: 12 },
  { text: 'Schichten', x: 40, y: 216, size: 12 },
  { text: `${number}`, x: 60, y: 228, size: 12 },
];

/** Lines with a number before every one of `step`. */
const counted = (step: number, first: number): WrittenText[] =>
  Array.from({ length: 15 }, (_, i) => [
    ...(i % step === 0 ? [{ text: `${first + i}`, x: 60, y: 200 + i * 12, size: 9 }] : []),
    { text: TEXT[0]!, x: 90, y: 200 + i * 12 },
  ]).flat();

/** Rows of a table that it counts by `step`. */
const rows = (step: number): WrittenText[] =>
  Array.from({ length: 15 }, (_, i) => [
    { text: `${(i + 1) * step}`, x: 60, y: 200 + i * 12 },
    { text: `Ort ${i}`, x: 120, y: 200 + i * 12 },
    { text: '1.250', x: 300, y: 200 + i * 12 },
  ]).flat();

const foot = (page: number): WrittenText[] =>
  ['Druck vom', 'Blatt des Amtes', `Akte ${page}`, 'Abzug', 'Register'].map((text, i) => ({
    text,
    x: 60 + i * 100,
    y: 800,
    size: 7,
  }));

describe('what runs over the pages of a PDF', () => {
  it('is no line of a form that many have filled in, each on pages of their own', async () => {
    const pages = Array.from({ length: 12 }, (_, n) => [
      { text: 'Umfrage des Vereins', x: 200, y: 40 },
      { text: ['Erste Frage', 'Zweite Frage', 'Dritte Frage'][n % 3]!, x: 60, y: 60 },
      ...body(60, 90),
    ]);
    const { texts } = await told(pages);
    const whole = texts.join(' ');
    expect(whole.match(/Dritte Frage/gu)).toHaveLength(4);
    expect(whole).not.toContain('Umfrage');
  });

  it('is a line around a page number, though chapter and side change from page to page', async () => {
    const { texts, leftOut } = await told([
      [{ text: '2', x: 60, y: 40 }, { text: 'Reisen im Inland', x: 200, y: 40 }, ...body()],
      [{ text: 'Verpflegung', x: 200, y: 40 }, { text: '3', x: 530, y: 40 }, ...body()],
      [{ text: '4 | Reisen im Ausland', x: 60, y: 40 }, ...body()],
    ]);
    expect(texts).toEqual([PARAGRAPH, PARAGRAPH, PARAGRAPH]);
    expect(leftOut).toEqual({ 'running heads': 3 });
  });

  it('is a line at the top that says the heading of its chapter again, on one page of each chapter', async () => {
    const { texts, leftOut } = await told(
      ['Name und Sitz', 'Mitglieder', 'Organe'].flatMap((chapter) => [
        [{ text: chapter, x: 60, y: 90, size: 16 }, ...body(60, 150)],
        [{ text: chapter, x: 60, y: 40 }, ...body(60, 150)],
      ]),
    );
    expect(texts).toEqual(
      ['Name und Sitz', 'Mitglieder', 'Organe'].flatMap((chapter) => [chapter, PARAGRAPH, PARAGRAPH]),
    );
    expect(leftOut).toEqual({ 'running heads': 3 });
  });

  it('is the number of the page beside a line of text, which stays, and the number below letters set apart', async () => {
    const number = { text: 'Seite 4', x: 40, y: 60, size: 7 };
    expect((await told([[number, ...body(90, 60)]])).texts).toEqual([PARAGRAPH]);
    expect((await told([[{ text: 'P a g e | 1', x: 480, y: 40 }, ...body()]])).texts).toEqual([PARAGRAPH]);
  });

  it('is a page number that says what it is, on a single page too', async () => {
    const { texts } = await told([
      [{ text: 'Seite 1092', x: 60, y: 40 }, { text: 'GMBl 2008 Nr. 52', x: 400, y: 40 }, ...body()],
    ]);
    expect(texts).toEqual([PARAGRAPH]);
  });

  it.each(['3', '- 3 -', '3 / 12', 'xiv', 'Page 3 of 12', 'Seite 3'])(
    'is the number %s by itself below the text of a single page, though a sentence goes on over it',
    async (text) => {
      const sentence = body(60, 700).slice(0, 2);
      const { texts, leftOut } = await told([[...sentence, { text, x: 290, y: 790 }]]);
      expect(texts).toEqual([TEXT.slice(0, 2).join(' ')]);
      expect(leftOut).toEqual({ 'page numbers': 1 });
    },
  );

  it('is no figure below other figures, no year, no number of a chapter and no part of the text', async () => {
    const figures = ['1', '2', '3'].map((text, i) => ({ text, x: 290, y: 720 + i * 30 }));
    const texts = await Promise.all(
      [
        [...body(60, 640), ...figures],
        [...body(60, 700), { text: '2023', x: 290, y: 790 }],
        [{ text: '2', x: 290, y: 60, size: 24 }, ...body(60, 120)],
        [...body(60, 700), { text: '14', x: 290, y: 736 }],
      ].map(async (page) => (await told([page])).texts.join(' ')),
    );
    for (const [i, kept] of [/1.*2.*3$/u, /2023$/u, /^2/u, /14$/u].entries()) expect(texts[i]).toMatch(kept);
  });

  it('is a page number above a last line that is another one on each page', async () => {
    const { texts, leftOut } = await told(
      ['Gedruckt in Bonn', 'Auf Papier aus Holz', 'Ohne Gewähr'].map((text, i) => [
        ...body(60, 735),
        { text: `${i + 7}`, x: 290, y: 784 },
        { text, x: 60, y: 810, size: 7 },
      ]),
    );
    expect(texts.filter((text) => /^\d+$/u.test(text))).toEqual([]);
    expect(leftOut).toMatchObject({ 'page numbers': 3 });
  });

  it('is what stands beside the text with the page number, also where a table has notes there', async () => {
    const { texts, leftOut } = await told([
      ...[162, 163, 164].map((number) => [...beside(number), ...body(120, 200 + (number - 162) * 8)]),
      [...beside(165), { text: 'Tabelle 1.', x: 40, y: 400 }, ...body(120, 205), ...body(120, 400)],
    ]);
    expect(texts.join(' ')).not.toMatch(/Schichten|16\d/u);
    expect(texts.slice(0, 3)).toEqual([PARAGRAPH, PARAGRAPH, PARAGRAPH]);
    expect(texts.join(' ')).toContain('Tabelle 1.');
    expect(leftOut).toEqual({ 'running heads': 4 });
  });

  it('is no column of labels that a form has on each page', async () => {
    const pages = ['Anna', 'Berta', 'Cäsar'].map((name) => [
      { text: 'Name', x: 60, y: 120 },
      { text: name, x: 200, y: 120 },
      { text: 'Kinder', x: 60, y: 140 },
      { text: '2', x: 200, y: 140 },
      ...body(60, 300),
    ]);
    const { texts } = await told(pages);
    expect(texts.join(' ').match(/Name|Kinder/gu)).toHaveLength(6);
  });

  it('are numbers of lines in the margin, of every fifth or of each on several pages', async () => {
    for (const [step, count] of [
      [5, 6],
      [1, 30],
    ] as const) {
      const { texts, leftOut } = await told([counted(step, 850), counted(step, 865)]);
      expect(texts.join(' ')).toBe(Array.from({ length: 30 }, () => TEXT[0]).join(' '));
      expect(leftOut).toEqual({ 'numbers of lines': count });
    }
  });

  it('are no numbers that a table gives its rows, by ones or by fives', async () => {
    for (const step of [1, 5]) {
      const { texts, leftOut } = await told([rows(step), rows(step)]);
      expect(leftOut).toBeUndefined();
      expect(texts).toContain(`${15 * step} | Ort 14 | 1.250`);
    }
  });

  it('is a line below the text that has text in many places', async () => {
    const { texts, leftOut } = await told([1, 2, 3].map((page) => [...body(), ...foot(page)]));
    expect(texts).toEqual([PARAGRAPH, PARAGRAPH, PARAGRAPH]);
    expect(leftOut).toEqual({ 'running heads': 3 });
  });
});
