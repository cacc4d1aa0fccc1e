import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { chunk } from './chunk.ts';

const words = fc.array(
  fc.constantFrom('der', 'Arbeitgeber', 'zahlt', '14.5.2020', 'Abs. 2', 'Urlaub', 'u. a.', 'ß'),
  {
    minLength: 1,
    maxLength: 60,
  },
);
const sentence = words.map((parts) => `${parts.join(' ')}.`);
const paragraph = fc.array(sentence, { minLength: 1, maxLength: 6 }).map((parts) => parts.join(' '));
const list = fc
  .array(sentence, { minLength: 1, maxLength: 12 })
  .map((items) => ['Folgendes gilt:', ...items.map((item, i) => `${i + 1}. ${item}`)].join('\n'));
const heading = fc.constantFrom('# Überschrift', '## § 3 Dauer');
const text = fc
  .array(fc.oneof(paragraph, list, heading, fc.string({ unit: 'grapheme', maxLength: 80 })), {
    minLength: 1,
    maxLength: 12,
  })
  .map((blocks) => blocks.join('\n\n').trim())
  .filter((body) => body !== '');

function wordsIn(body: string): number {
  return body.match(/\S+/gu)?.length ?? 0;
}

describe('chunks', () => {
  test('lie within the text, in order, and together hold every word of it', () => {
    fc.assert(
      fc.property(text, (body) => {
        const chunks = chunk({ text: body });
        let covered = 0;
        for (const { start, end } of chunks) {
          expect(start).toBeLessThan(end);
          expect(body.slice(covered, start).trim()).toBe('');
          expect(end).toBeGreaterThan(covered);
          covered = end;
        }
        expect(body.slice(covered).trim()).toBe('');
        for (const [i, { start }] of chunks.entries())
          expect(start).toBeGreaterThan(chunks[i - 1]?.start ?? -1);
      }),
      { numRuns: 300 },
    );
  });

  test('are about 120 words long, never more than 190', () => {
    fc.assert(
      fc.property(text, (body) => {
        for (const { start, end } of chunk({ text: body }))
          expect(wordsIn(body.slice(start, end))).toBeLessThanOrEqual(190);
      }),
    );
  });

  test('start and end on borders of words', () => {
    fc.assert(
      fc.property(text, (body) => {
        for (const { start, end } of chunk({ text: body })) {
          expect(body.slice(start, end)).toBe(body.slice(start, end).trim());
          expect(/\S\S/u.test(body.slice(Math.max(0, start - 1), start + 1)) && start > 0).toBe(false);
        }
      }),
    );
  });
});

describe('a list', () => {
  const lead = 'Der Arbeitgeber hat dem Arbeitnehmer Folgendes schriftlich auszuhändigen:';
  const items = Array.from(
    { length: 12 },
    (_, i) => `${i + 1}. ${'ein Wort und noch eines '.repeat(5)}ist Nummer ${i + 1},`,
  );
  const body = `${'Ein Satz davor steht hier. '.repeat(22)}\n\n${lead}\n${items.join('\n')}`;

  test('keeps its lead-in with the first item', () => {
    const first = chunk({ text: body }).find(({ start, end }) => body.slice(start, end).includes(lead));
    expect(body.slice(first?.start, first?.end)).toContain(items[0]);
  });

  test('in later chunks names its lead-in', () => {
    const later = chunk({ text: body }).filter(({ start }) => start > body.indexOf(lead));
    expect(later.length).toBeGreaterThan(0);
    for (const { leadIn } of later) expect(body.slice(leadIn?.start, leadIn?.end)).toBe(lead);
  });
});

test('a short text is one chunk', () => {
  expect(chunk({ text: 'Ein Satz. Noch einer.' })).toEqual([{ start: 0, end: 21, leadIn: null }]);
});
