import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Unit } from '../documents/unit.ts';
import { sourcesOf } from '../documents/sources.ts';
import type { Source } from '../source.ts';
import { quotesOf } from './quotes.ts';
import { sentencesOf, squeeze } from './source-sentences.ts';
import { isQuote } from './verify.ts';

const source: Source = {
  id: 'A',
  title: 'A',
  section: '',
  stand: '2022-03',
  work: 'W',
  lang: 'de',
  year: null,
  text: 'Erster Satz.\nZweiter   Satz (mit Klammern). Dritter Satz.',
};

it('finds what was quoted where it stands, in order of the text, whatever its white space', () => {
  const quotes = quotesOf(source, [
    { kind: 'statement', text: 'Dritter Satz.', citations: ['A'] },
    { kind: 'statement', text: 'Zweiter Satz (mit Klammern).', citations: ['A'], decisive: true },
    { kind: 'statement', text: 'Erster Satz.', citations: ['B'] },
    { kind: 'statement', text: 'In anderen Worten.', citations: ['A'] },
  ]);
  expect(quotes.map(({ start, end }) => source.text.slice(start, end))).toEqual([
    'Zweiter   Satz (mit Klammern).',
    'Dritter Satz.',
  ]);
  expect(quotes.map(({ decisive }) => decisive)).toEqual([true, false]);
});

it('takes what a writer rests a statement on for what decides', () => {
  const [quote] = quotesOf(source, [
    { kind: 'statement', text: 'So ist es.', quote: 'Erster Satz.', citations: ['A'] },
  ]);
  expect(quote).toEqual({ start: 0, end: 12, decisive: true });
});

it('looks further where only the first words stand, or stand without white space between them', () => {
  const text = 'Der Satz gilt. DerSatz zählt. Der Satz zählt.';
  const quotes = quotesOf({ ...source, text }, [
    { kind: 'statement', text: 'Der Satz zählt.', citations: ['A'] },
  ]);
  expect(quotes).toMatchObject([{ start: 30, end: 45 }]);
});

const words = fc
  .array(fc.constantFrom('Ja', 'Urlaub', 'und', '24', 'Tage', 'z. B.', '[A]', 'nicht'), {
    minLength: 1,
    maxLength: 6,
  })
  .map((each) => each.join(' '));
const sentences = fc.array(words, { minLength: 1, maxLength: 3 }).map((each) => `${each.join('. ')}.`);
const lines = fc
  .array(fc.constantFrom('Ja', '  npm  start', '', '\t# Urlaub.', 'a[0] = "```";'), {
    minLength: 1,
    maxLength: 5,
  })
  .filter((each) => each.some((line) => line !== ''))
  .map((each) => each.join('\n'));
const unit: fc.Arbitrary<Unit> = fc.oneof(
  fc.record({ kind: fc.constant('heading'), level: fc.integer({ min: 1, max: 3 }), text: words }),
  fc.record({ kind: fc.constant('paragraph'), text: sentences }),
  fc.record({ kind: fc.constant('item'), depth: fc.integer({ min: 0, max: 2 }), text: sentences }),
  fc.record({
    kind: fc.constant('row'),
    cells: fc.array(fc.record({ head: fc.constantFrom('', 'Tage'), text: words }), {
      minLength: 1,
      maxLength: 3,
    }),
  }),
  fc.record({ kind: fc.constant('code'), text: lines }),
  fc.record({ kind: fc.constant('definition'), term: words, text: sentences }),
  fc.record({ kind: fc.constant('note'), label: fc.constantFrom('', 'Hinweis'), text: sentences }),
);

it('finds every sentence of a document where it stands, row by row, code as it is', () => {
  const file = { path: 'a.md', bytes: Buffer.from(''), changed: '2024-01' };
  fc.assert(
    fc.property(fc.array(unit, { maxLength: 12 }), (units) => {
      for (const passage of sourcesOf({ units }, file, null)) {
        const own = sentencesOf(passage);
        for (const { text, form, lead } of own) {
          const before =
            lead === null
              ? []
              : ([{ kind: 'statement', text: own[lead]!.text, citations: [passage.id] }] as const);
          expect(isQuote(text, passage, before)).toBe(true);
          const quotes = quotesOf(passage, [{ kind: 'statement', text, citations: [passage.id] }]);
          expect(quotes).toHaveLength(1);
          const [{ start, end }] = quotes as [(typeof quotes)[number]];
          const quoted = passage.text.slice(start, end);
          expect(form === 'code' ? quoted : squeeze(quoted)).toBe(text);
          expect(own.some((each) => each.start === start && each.end === end && each.text === text)).toBe(
            true,
          );
        }
      }
    }),
  );
});
