import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stretchesOf } from './quote-marks.ts';

test('marks what is quoted, and more strongly what decides', () => {
  expect(
    stretchesOf('Regel. Ausnahme. Rest.', [
      { start: 0, end: 6, decisive: true },
      { start: 7, end: 16, decisive: false },
    ]),
  ).toEqual([
    { text: 'Regel.', mark: 'decisive' },
    { text: ' ', mark: 'none' },
    { text: 'Ausnahme.', mark: 'quoted' },
    { text: ' Rest.', mark: 'none' },
  ]);
});

test('shows each unit of the text once, marked as its quotes say, however these lie', () => {
  const at = fc.integer({ min: -3, max: 20 });
  const quote = fc.record({ start: at, end: at, decisive: fc.boolean() });
  fc.assert(
    fc.property(fc.string({ maxLength: 15 }), fc.array(quote, { maxLength: 5 }), (text, quotes) => {
      const units = stretchesOf(text, quotes).flatMap((stretch) =>
        stretch.text.split('').map((unit) => [unit, stretch.mark]),
      );
      const expected = text.split('').map((unit, i) => {
        const over = quotes.filter(({ start, end }) => start <= i && i < end);
        return [unit, over.length === 0 ? 'none' : over.some((q) => q.decisive) ? 'decisive' : 'quoted'];
      });
      expect(units).toEqual(expected);
    }),
  );
});
