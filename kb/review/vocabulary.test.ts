import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readFacts } from './facts.ts';
import { parseReview, parseVocabulary } from './load.ts';
import { foldSpelling, readingsOf, spellingsOf } from './vocabulary.ts';

const STARTER = readFileSync(new URL('../corpus/review.yaml', import.meta.url), 'utf8');

const told = (line: number, message: string): never => expect.fail(`${line}: ${message}`);

function faultsOf(text: string): string[] {
  const faults: string[] = [];
  parseVocabulary(text, (line, message) => faults.push(`${line}: ${message}`));
  return faults;
}

describe('the vocabulary of the starter base', () => {
  const quantities = parseVocabulary(STARTER, told);

  test('finds each quantity by each of its spellings', () => {
    for (const quantity of quantities)
      for (const spelling of spellingsOf(quantity))
        expect(readingsOf(spelling, quantities)).toEqual({ quantities: [quantity], time: null });
  });

  test.each([
    ['std-lohn', 'stundenlohn', null],
    ['saeumnis_zuschlag', 'saeumniszuschlag', null],
    ['beitragsbemessungsgrenze.rv.monat', 'bbg_rv_monat', null],
    ['bbg_rv_monat_2021', 'bbg_rv_monat', { from: '2021-01', to: '2021-12' }],
    ['mindestlohn_2022_08', 'mindestlohn', { from: '2022-08', to: '2022-08' }],
    ['hourly_wage', 'stundenlohn', null],
  ])('%s is %s', (key, expected, time) => {
    const found = readingsOf(key, quantities);
    expect(found.quantities.map((quantity) => quantity.key)).toEqual([expected]);
    expect(found.time).toEqual(time);
  });

  test('a key that may mean several things is each of them', () => {
    const { quantities: read, time } = readingsOf('bbg_rv_2021', quantities);
    expect(read.map(({ key }) => key)).toEqual(['bbg_rv_monat', 'bbg_rv_jahr']);
    expect(time).toEqual({ from: '2021-01', to: '2021-12' });
  });

  test('does not guess', () => {
    expect(readingsOf('stundenlohn_soll', quantities).quantities).toEqual([]);
    expect(readingsOf('2021', quantities).quantities).toEqual([]);
  });
});

test('spelling is folded: case, umlauts, what stands between words', () => {
  expect(foldSpelling('Säumnis-Zuschlag (ß)')).toBe(foldSpelling('saeumnis_zuschlag.ss'));
});

test('faults are told by their line', () => {
  const head = 'quantities:\n  lohn: { kind: amount, means: Lohn., also: [entgelt] }\n';
  expect(faultsOf(head)).toEqual([]);
  expect(faultsOf(`${head}  gehalt: { kind: money, means: Gehalt. }\n`)).toEqual([
    expect.stringMatching(/^3: quantities\.gehalt\.kind: /u),
  ]);
  expect(faultsOf(`${head}  ent_gelt: { kind: amount, means: Entgelt. }\n`)).toEqual([
    '3: ent_gelt: ent_gelt is also a spelling of lohn',
  ]);
  expect(faultsOf(`${head}  ort: { kind: choice, means: Ort. }\n`)).toEqual([
    '3: quantities.ort: must have choices if its kind is choice, and no choices otherwise',
  ]);
});

test.each([
  ['count', 'Kilometer', '12 km', { n: 12n, d: 1n }],
  ['count', 'km', '12 Kilometer', { n: 12n, d: 1n }],
  ['count', 'Wochen', '12 Wochen', { n: 12n, d: 1n }],
  ['count', 'Jahre', '6 Monate', { n: 1n, d: 2n }],
  ['hours', 'Minuten', '2 Stunden', { n: 120n, d: 1n }],
  ['days', 'Kalendertage', '2 Wochen', { n: 14n, d: 1n }],
  ['count', 'Monate', '12 Jahre', undefined],
  ['count', 'Stück', '12 km', undefined],
])('of a %s in the unit %s, %s is read as values of texts are', (kind, unit, value, number) => {
  const vocabulary = `quantities:\n  menge: { kind: ${kind}, unit: ${unit}, means: Menge. }\n`;
  const base = parseReview({ vocabulary, rules: undefined }, [], {
    vocabulary: told,
    rules: told,
    withoutSource: told,
  });
  const { facts } = readFacts({ facts: [{ key: 'menge', value }] }, base, '');
  expect(facts[0]!.value).toEqual(number === undefined ? null : { type: 'number', number });
});
