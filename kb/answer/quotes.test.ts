import { expect, it } from 'vitest';
import type { Source } from '../source.ts';
import { quotesOf } from './quotes.ts';

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
