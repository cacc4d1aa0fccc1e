import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { parseVocabulary } from './load.ts';
import { foldSpelling, quantityOf, spellingsOf } from './vocabulary.ts';

const STARTER = readFileSync(new URL('../corpus/review.yaml', import.meta.url), 'utf8');

const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
const named = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ');

function faultsOf(text: string): string[] {
  const faults: string[] = [];
  parseVocabulary(text, (line, message) => faults.push(`${line}: ${message}`));
  return faults;
}

describe('the vocabulary of the starter base', () => {
  const quantities = parseVocabulary(STARTER, (line, message) => expect.fail(`${line}: ${message}`));

  test('finds each quantity by each of its spellings', () => {
    for (const quantity of quantities)
      for (const spelling of spellingsOf(quantity))
        expect(quantityOf(spelling, quantities)).toEqual({ quantity, time: null });
  });

  test.each([
    ['std-lohn', 'stundenlohn', null],
    ['saeumnis_zuschlag', 'saeumniszuschlag', null],
    ['beitragsbemessungsgrenze.rv', 'bbg_rv_monat', null],
    ['bbg_rv_2021', 'bbg_rv_monat', { from: '2021-01', to: '2021-12' }],
    ['mindestlohn_2022_08', 'mindestlohn', { from: '2022-08', to: '2022-08' }],
    ['hourly_wage', 'stundenlohn', null],
  ])('%s is %s', (key, expected, time) => {
    const found = quantityOf(key, quantities);
    expect(found?.quantity.key).toBe(expected);
    expect(found?.time).toEqual(time);
  });

  test('stands in the documentation as it is', async () => {
    const table = [
      '# Vocabulary of the starter base',
      '',
      'What `GET /v1/review/vocabulary` publishes, for reading. `review.md` says how it is used.',
      '',
      row('Key', 'What it is', 'Kind', 'Otherwise', 'Also'),
      row('---', '---', '---', '---', '---'),
      ...quantities.map(({ key, explanation, kind, unit, per, choices, otherwise, also, english }) =>
        row(
          `\`${key}\``,
          explanation,
          [kind, unit, per, choices === undefined ? undefined : Object.keys(choices).join(' / ')]
            .filter((part) => part !== undefined && part !== null)
            .join(', '),
          otherwise === undefined ? '' : `\`${otherwise.replaceAll('|', String.raw`\|`)}\``,
          named([...also, ...english]),
        ),
      ),
      '',
    ].join('\n');
    await expect(table).toMatchFileSnapshot('../../docs/review-vocabulary.md');
  });

  test('does not guess', () => {
    expect(quantityOf('stundenlohn_soll', quantities)).toBeNull();
    expect(quantityOf('2021', quantities)).toBeNull();
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
    '3: quantities.ort: has choices where its kind is choice, and only there',
  ]);
});
