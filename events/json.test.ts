import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson, deterministicId, isJson, isSameJson, type Json } from './json.ts';

/** The same value with the members of every object in another order. */
function shuffled(value: Json): Json {
  if (Array.isArray(value)) return value.map((item: Json) => shuffled(item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

const json = fc.jsonValue({ maxDepth: 4 }) as fc.Arbitrary<Json>;

describe('Canonical JSON', () => {
  it('keeps to the example of RFC 8785', () => {
    const value = {
      numbers: [Number('333333333.33333329'), 1e30, 4.5, 2e-3, 0.000000000000000000000000001, -0],
      string: '\u20ac$\u000f\nA\'B"\\\\"/',
      literals: [null, true, false],
    };
    expect(canonicalJson(value)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27,0],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    );
  });

  it('sorts names by UTF-16 code units', () => {
    const value = { '\u20ac': 1, '\r': 2, '\ufb33': 3, '1': 4, '😀': 5, '\u0080': 6, ö: 7 };
    expect(Object.keys(JSON.parse(canonicalJson(value)) as object).filter((key) => key !== '1')).toEqual([
      '\r',
      '\u0080',
      'ö',
      '€',
      '😀',
      '\ufb33',
    ]);
  });

  it('gives equal values equal bytes, and back the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(shuffled(value))).toBe(text);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('is its own canonical form also for names and texts with lone surrogates', () => {
    const broken = fc.string({ unit: fc.constantFrom('\ud800', '\udc00', '\ufffd', 'a', '😀', '\uffff') });
    fc.assert(
      fc.property(fc.dictionary(broken, broken), (value) => {
        const text = canonicalJson(value);
        expect(text.isWellFormed()).toBe(true);
        expect(canonicalJson(JSON.parse(text) as Json)).toBe(text);
      }),
    );
  });

  it('refuses what JSON cannot say', () => {
    for (const value of [Number.NaN, Infinity, -Infinity])
      expect(() => canonicalJson([value])).toThrow(TypeError);
  });
});

describe('Deterministic id', () => {
  it('is a UUID of version 8 that its parts alone decide', () => {
    const id = deterministicId('ask-1', 'call-1', 'QuestionAsked', 0);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(deterministicId('ask-1', 'call-1', 'QuestionAsked', 0n)).toBe(id);
  });

  it('does not run its parts together', () => {
    expect(deterministicId('a', 'bc')).not.toBe(deterministicId('ab', 'c'));
    expect(deterministicId('a","b')).not.toBe(deterministicId('a', 'b'));
  });
});

describe('Two values', () => {
  it('are the same where their canonical JSON is', () => {
    const smallJson = fc.jsonValue({ maxDepth: 2, depthSize: 'small' }) as fc.Arbitrary<Json>;
    fc.assert(
      fc.property(smallJson, smallJson, (one, other) => {
        expect(isSameJson(one, shuffled(one))).toBe(true);
        expect(isSameJson(one, other)).toBe(canonicalJson(one) === canonicalJson(other));
        expect(isSameJson([one, 1], [one, 2])).toBe(false);
        expect(isSameJson({ one }, { one, two: null })).toBe(false);
      }),
    );
  });
});

it('tells what is JSON as it is', () => {
  fc.assert(fc.property(json, (value) => isJson(value)));
  const others = [undefined, Number.NaN, 1n, new Date(0), new Map(), { at: [undefined] }, () => 1];
  expect(others.filter(isJson)).toEqual([]);
});
