import { expect, it } from 'vitest';

import { textOf } from './segments.ts';
import { wordsOf, type Glyph } from './words.ts';

const glyph = (text: string, left: number, right: number, afterSpace = false): Glyph => ({
  text,
  left,
  right,
  top: 0,
  bottom: 10,
  baseline: 8,
  size: 10,
  bold: false,
  italic: false,
  fixed: false,
  afterSpace,
});

it('parts words by a space that was written, though a slanted f reaches over it', () => {
  const [o, f] = [glyph('o', 0, 5), glyph('f', 5, 9.5)];
  expect(textOf(wordsOf([o, f, glyph('it', 10, 14, true)]))).toBe('of it');
  expect(textOf(wordsOf([o, f, glyph('it', 10, 14)]))).toBe('ofit');
});

it('has a character once that is printed twice in one place, one after the other', () => {
  const twice = Array.from('Collector', (text, i) => [
    glyph(text, i * 5, i * 5 + 4.8),
    glyph(text, i * 5 + 0.4, i * 5 + 5.2),
  ]).flat();
  expect(wordsOf(twice)).toMatchObject([{ text: 'Collector', bold: true }]);
  // Each letter of a ligature has the box of all of it.
  expect(textOf(wordsOf([glyph('o', 0, 5), glyph('f', 5, 11), glyph('f', 5, 11)]))).toBe('off');
});

/** The glyph with a box that reaches into the next line. */
const at = (top: number, glyph: Glyph): Glyph => ({ ...glyph, top, bottom: top + 12, baseline: top + 9 });

it('has a word once that is printed twice in one place, and takes it for bold', () => {
  const words = wordsOf([glyph('AN', 0, 10), glyph('AN', 0.4, 10.4), glyph('AN', 14, 24)]);
  expect(words).toMatchObject([
    { text: 'AN', bold: true },
    { text: 'AN', bold: false },
  ]);
});

it('joins an accent with the letter that it is drawn over', () => {
  const words = wordsOf([
    glyph('f', 0, 4),
    glyph('¨', 4.2, 9),
    glyph('u', 4, 9.5),
    glyph('r', 9.5, 13),
    glyph('¨', 20.2, 25, true),
    glyph('U', 20, 26),
  ]);
  expect(words.map(({ text }) => text)).toEqual(['für', 'Ü']);
});

/** Characters in a row, each with this distance from the one before it. */
const inRow = (text: string, step: number, left = 0, afterSpace = false): Glyph[] =>
  Array.from(text, (letter, i) => glyph(letter, left + i * step, left + i * step + 5, afterSpace));

it('joins the letters of type that is set with wider gaps', () => {
  expect(textOf(wordsOf([...inRow('STAND:', 6.6), ...inRow('MAI', 6.6, 45)]))).toBe('STAND: MAI');
  // Cells stand further from each other, and ordinary words have a space between them.
  expect(wordsOf(inRow('ABCDE', 9))).toHaveLength(5);
  expect(wordsOf(inRow('ABCDE', 6.6, 0, true))).toHaveLength(5);
  // A space may be written between the letters of a word, and a wider one between words.
  const spelled = [...inRow('SATZUNG', 9, 0, true), ...inRow('DES', 9, 66, true)];
  expect(textOf(wordsOf(spelled))).toBe('SATZUNG DES');
});

it('leaves text beside a large sign on its line, and a raised sign on that of the word that it touches', () => {
  const sign = { ...glyph('X', 0, 20), size: 24, baseline: 20 };
  const text = [glyph('Ort', 18, 33), glyph('und', 36, 50, true), glyph('Tag', 53, 66, true)];
  const lines = wordsOf([sign, ...text.map((each) => ({ ...each, baseline: 28 }))]);
  expect(lines.map(({ baseline }) => baseline)).toEqual([20, 28, 28, 28]);
  const note = { ...glyph('1', 15, 18), size: 6, baseline: 4 };
  expect(wordsOf([glyph('Ort', 0, 15), note]).map(({ baseline }) => baseline)).toEqual([8, 8]);
});

it('parts words of a line that is set narrowly', () => {
  expect(wordsOf([glyph('a', 0, 5), glyph('b', 6.5, 11)]).map(({ text }) => text)).toEqual(['a', 'b']);
});

it('finds the letter of an accent that is told elsewhere on the page', () => {
  const words = wordsOf([
    glyph('f', 0, 4),
    glyph('u', 4, 9.5),
    glyph('r', 9.5, 13),
    glyph('x', 40, 45, true),
    glyph('¨', 4.2, 9),
  ]);
  expect(words.map(({ text }) => text)).toEqual(['für', 'x']);
});

it('joins an accent with the letter of its own line, though the boxes of the lines overlap', () => {
  const words = wordsOf([
    at(0, glyph('a', 0, 5)),
    at(0, glyph('u', 5, 10)),
    at(10, glyph('f', 0, 4)),
    at(10, glyph('u', 4, 9.5)),
    at(10, glyph('r', 9.5, 13)),
    at(9.9, glyph('¨', 4.6, 8)),
    at(20, glyph('O', 20, 27)),
    at(17.8, glyph('¨', 21.6, 25)),
    at(20, glyph('l', 27, 30)),
  ]);
  expect(words.map(({ text }) => text)).toEqual(['au', 'für', 'Öl']);
});

it('parts words where the last letter has the width of the space that was written', () => {
  const usual = Array.from({ length: 10 }, (_, i) => glyph('f', 20 + i * 10, 23 + i * 10, true));
  const told = (...after: readonly Glyph[]): string =>
    textOf(wordsOf([...usual, glyph('o', 200, 205, true), ...after])).replace(/^[f ]+/u, '');
  expect(told(glyph('f', 205, 211), glyph('W', 211, 220))).toBe('of W');
  expect(told(glyph('f', 205, 208), glyph('W', 208, 217))).toBe('ofW');
});

it('has all letters of a ligature of which the file tells one', () => {
  const usual = Array.from({ length: 10 }, (_, i) => [
    glyph('f', 20 + i * 10, 23, true),
    glyph('i', 23 + i * 10, 25),
  ])
    .flat()
    .map((each) => ({ ...each, right: each.left + (each.text === 'f' ? 3 : 2) }));
  const words = wordsOf([
    ...usual,
    glyph('a', 200, 205, true),
    glyph('f', 205, 210.2),
    glyph('e', 210, 215),
    glyph('d', 220, 225, true),
    glyph('e', 225, 230),
    glyph('i', 230, 234.6),
    glyph('n', 234.6, 240),
    glyph('f', 250, 255, true),
    glyph('i', 250, 255),
  ]);
  expect(textOf(words)).toMatch(/ affe defin fi$/u);
});
