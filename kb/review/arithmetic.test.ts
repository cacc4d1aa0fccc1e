import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { arithmetic } from './arithmetic.ts';
import type { Computation } from './check.ts';
import { format, rational } from './rational.ts';

type Parts = Readonly<Record<string, string>>;

function judged(result: string, parts: Parts, more: Partial<Computation> & { facts?: Parts } = {}) {
  const { facts = {}, ...rest } = more;
  const pairs = (from: Parts) => Object.entries(from).map(([key, value]) => ({ key, value }));
  const computation = { label: 'Lohn', result, components: pairs(parts), ...rest };
  return arithmetic({ computation, facts: pairs(facts) }, 'de').map(({ status }) => status);
}

describe('components', () => {
  test('that add up are right', () =>
    expect(judged('2.645,50 €', { a: '2.400,00 €', b: '245,50 €' })).toEqual(['ok']));
  test('that are off by a cent are not', () =>
    expect(judged('2.645,51 €', { a: '2.400,00 €', b: '245,50 €' })).toEqual(['warn']));
  test('keep their sign', () =>
    expect(judged('2.000 €', { brutto: '2.500 €', steuer: '-500 €' })).toEqual(['ok']));
  test('named as deductions are taken off', () =>
    expect(judged('2.000 €', { brutto: '2.500 €', abzug_steuer: '500 €' })).toEqual(['ok']));
  test('that are all deductions add up, whether or not their name has the word', () => {
    const parts = { rv_abzug: '641,70 €', av_beitrag_an: '82,80 €', health_employee: '370,32 €' };
    expect(judged('1.094,82 €', parts)).toEqual(['ok']);
    expect(judged('1.194,82 €', parts)).toEqual(['warn']);
    expect(judged('2.358,30 €', { brutto: '3.000 €', rv_abzug: '641,70 €' })).toEqual(['ok']);
    expect(judged('1.283,40 €', { rv_abzug: '641,70 €', rv_ag: '641,70 €' })).toEqual(['ok']);
    expect(judged('480 €', { steuer: '500 €', abzug: '20 €' })).toEqual(['ok']);
  });
  test('of a net pay are taken off the gross pay', () => {
    const parts = { brutto: '2.500 €', lohnsteuer: '300 €', sv: '200 €' };
    expect(judged('2.000 €', parts, { label: 'Nettolohn' })).toEqual(['ok']);
    expect(judged('2.010 €', parts, { label: 'Nettolohn' })).toEqual(['warn']);
  });
  test('of a net pay that may be added are not judged', () =>
    expect(
      judged('1.900 €', { brutto: '2.500 €', lohnsteuer: '500 €', reisekosten: '100 €' }, { label: 'Netto' }),
    ).toEqual([]));
  test('with the sign behind keep it', () =>
    expect(judged('2.000 €', { brutto: '2.500 €', steuer: '500,00- €' })).toEqual(['ok']));
  test('that might be deductions without saying so are not judged', () =>
    expect(judged('2.000 €', { brutto: '2.500 €', steuer: '500 €' })).toEqual([]));
  test('of rates add up to a rate, percentage points too', () => {
    expect(judged('15,9 %', { kv: '14,6 %', zusatz: '1,3 %' })).toEqual(['ok']);
    expect(judged('3,4 %', { pv: '3,05 %', kinderlos: '0,35 %-Punkte' })).toEqual(['ok']);
  });
  test('some with their unit and some without are money all the same', () => {
    const parts = { rv: '333,50', av: '43.03', kv: 'EUR 277.92', pv: '67,24 Euro' };
    expect(judged('EUR 721,69', parts)).toEqual(['ok']);
    expect(judged('EUR 721,68', parts)).toEqual(['warn']);
  });
  test('whose product is the result are no sum', () =>
    expect(judged('2.000,00', { stundenlohn: '12,50', stunden: '160,00' })).toEqual([]));
  test.each([
    ['hours and money', '1.672 €', { stunden: '160 Stunden', satz: '10,45 €' }],
    ['a month and a year', '1.300 €', { a: '1.000 € monatlich', b: '300 € jährlich' }],
    ['no number', '1.300 €', { a: '1.000 €', b: 'wie Vormonat' }],
    ['nothing', '1.300 €', {}],
  ])('%s are not judged', (_, result, parts) => expect(judged(result, parts as Parts)).toEqual([]));
});

describe('rates of a basis', () => {
  const rates = { allgemein: '7,3 %', zusatz: '0,65 %' };
  test('are taken of it exactly', () => {
    expect(judged('159,00 €', rates, { basis: '2.000,00 €' })).toEqual(['ok']);
    expect(judged('195,00 €', rates, { basis: '2.000,00 €' })).toEqual(['warn']);
  });
  test('find it in the fact that it names', () =>
    expect(judged('159,00 €', rates, { basis: 'brutto', facts: { brutto: '2.000 €' } })).toEqual(['ok']));
  test('say that they are rounded', () => {
    const computation = {
      label: 'KV',
      basis: '3.333,33 €',
      result: '486,67 €',
      components: [{ key: 'kv', value: '14,6 %' }],
    };
    expect(arithmetic({ computation }, 'de')[0]?.detail).toContain('auf Cent gerundet');
  });
  test('a cent apart may be another way of rounding', () =>
    expect(judged('486,66 €', { kv: '14,6 %' }, { basis: '3.333,33 €' })).toEqual([]));
  test('without a basis are not judged', () => expect(judged('159,00 €', rates)).toEqual([]));
});

const cents = fc.integer({ min: 1, max: 10_000_000 });
const money = (value: number | bigint): string => `${format(rational(BigInt(value), 100n), 2, 'de')} €`;

test('whatever order and scale: the true sum is right, any other never is', () => {
  fc.assert(
    fc.property(
      fc.array(cents, { minLength: 1, maxLength: 12 }),
      fc.integer({ min: -500, max: 500 }),
      fc.integer({ min: 1, max: 1000 }),
      (values, off, scale) => {
        const total = values.reduce((a, b) => a + b, 0) + off;
        const parts = (list: readonly number[], factor: number): Parts =>
          Object.fromEntries(list.map((value, i) => [`teil_${'abcdefghijkl'[i]!}`, money(value * factor)]));
        const verdict = judged(money(total), parts(values, 1));
        expect(verdict).toEqual(off === 0 ? ['ok'] : verdict.filter((status) => status === 'warn'));
        expect(judged(money(total), parts(values.toReversed(), 1))).toEqual(verdict);
        expect(judged(money(total * scale), parts(values, scale))).toEqual(verdict);
      },
    ),
  );
});
