import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ReviewContext } from '../../events/messages/knowledge.ts';
import { loadKnowledgeBase } from '../base/load.ts';
import { BOUNDARY_CASES } from './boundary-cases.suite.ts';
import { arithmetic } from './arithmetic.ts';
import { review } from './review.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

const keys = base.quantities.map(({ key }) => key);
const digits = (max: number) => fc.stringMatching(new RegExp(String.raw`^\d{1,${max}}$`));
const number = fc
  .tuple(fc.constantFrom('', '-', '+'), digits(190), fc.constantFrom('', '.', ',', "'"), digits(190))
  .map((parts) => parts.join(''));
/** Numbers of any length, impossible dates, and any other values. */
const value = fc
  .oneof(
    number,
    fc
      .tuple(number, fc.constantFrom(' €', ' %', ' Jahre', ' Tage', ' Wochen', ' Monate', ':30'))
      .map((p) => p.join('')),
    fc.tuple(digits(4), fc.nat(99), fc.nat(99)).map((parts) => parts.join('-')),
    fc.constantFrom('ja', 'nein', '0', '-0', '00.00.0000', '31.02.2022', '29.02.9999', '9'.repeat(200)),
    fc.string({ minLength: 1, maxLength: 200, unit: 'grapheme' }),
  )
  .map((text) => text.slice(0, 200) || '0');
const pair = fc.record({
  key: fc.oneof(fc.constantFrom(...keys), fc.stringMatching(/^[a-z0-9_.-]{1,200}$/)),
  value,
});
const context = fc.record(
  {
    facts: fc.array(pair, { maxLength: 40, size: 'max' }),
    computation: fc.record(
      {
        label: fc.constantFrom('Nettolohn', 'Lohn', '2022', '9'.repeat(200)),
        result: value,
        basis: value,
        components: fc.array(pair, { maxLength: 40, size: 'max' }),
      },
      { requiredKeys: ['label', 'result'] },
    ),
  },
  { requiredKeys: [] },
);

describe('whatever the contract allows', () => {
  test('is reviewed', () => {
    fc.assert(
      fc.property(context, (given) => {
        fc.pre(ReviewContext.safeParse(given).success);
        const { checks, notChecked } = review({
          question: 'Stimmt das?',
          context: given,
          base,
          language: 'de',
        });
        const told = [...checks.map(({ detail }) => detail), ...notChecked.map(({ reason }) => reason)];
        expect(told.filter((text) => /NaN|Infinity|undefined/u.test(text))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });
});

/** Cases that use each rule, as pairs of key and value. */
const CASES = BOUNDARY_CASES.trim()
  .split('\n')
  .map((line) => {
    const [rule, beside, right] = line.split('|').map((cell) => cell.trim());
    const pairs = beside === '' ? [] : beside!.split('; ').map((pair) => pair.split('=') as [string, string]);
    return [...pairs, [base.rules.find(({ id }) => id === rule)!.judges, right!] as const];
  });
const NINES = '9'.repeat(30);

test.each(['', ' Tage', ' Wochen', ' Monate', ' Jahre'])(
  'every rule takes 30 nines%s as any value of its case',
  (unit) => {
    for (const pairs of CASES) {
      for (const at of pairs.keys()) {
        const facts = pairs.map(([key, value], i) => ({ key, value: i === at ? NINES + unit : value }));
        const { checks, notChecked } = review({
          question: 'Stimmt das?',
          context: { facts },
          base,
          language: 'de',
        });
        const told = [...checks.map(({ detail }) => detail), ...notChecked.map(({ reason }) => reason)];
        expect(told.filter((text) => /NaN|Infinity|undefined/u.test(text))).toEqual([]);
      }
    }
  },
);

const sumOf = (fraction: number, count: number) => ({
  computation: {
    label: 'Lohn',
    result: `1,${'0'.repeat(fraction - 1)}1`,
    components: Array.from({ length: count }, (_, i) => ({
      key: `teil_${i}`,
      value: `${i},${'7'.repeat(fraction)}`,
    })),
  },
});

describe('a number', () => {
  test.each([12, 13, 40])('of 196 digits is not read: %i of them are not added up', (count) => {
    expect(arithmetic(sumOf(196, count), 'de')).toEqual([]);
  });

  test('of as many as are read is worked with as it is, in any sign', () => {
    expect(arithmetic(sumOf(26, 12), 'de')).toMatchObject([{ status: 'warn' }]);
    expect(arithmetic(sumOf(26, 40), 'de')).toMatchObject([{ status: 'warn' }]);
  });
});
