import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Speller } from './spelling.ts';

const KNOWN = ['krank', 'urlaub', 'entgelt', 'krankheit', 'kuendigung', 'arbeit', 'arbeiten'];
const speller = new Speller(KNOWN);

describe('Speller', () => {
  it.each([
    ['urlub', 'urlaub', 'a letter less'],
    ['urrlaub', 'urlaub', 'a letter more'],
    ['urlaup', 'urlaub', 'a letter that sounds alike'],
    ['krnk', 'krank', 'a letter less of a short word'],
    ['ulraub', 'urlaub', 'two swapped'],
    ['rkankheit', 'krankheit', 'two swapped at the start'],
    ['krankheti', 'krankheit', 'two swapped at the end'],
  ])('reads %s as %s: %s', (typed, meant) => {
    expect(speller.near(typed)).toContain(meant);
  });

  it.each(['frankreich', 'ulrabu', 'arb', 'kind', 'frank', 'urlauv', 'krankxeit'])(
    'leaves %s, which is near no known word',
    (typed) => {
      expect(speller.near(typed)).toEqual([]);
    },
  );

  it.each([
    ['kirchenstoier', 'two letters other'],
    ['kirhcensteur', 'two swapped, one less'],
    ['kirchnsteurer', 'one less, one more'],
  ])('reads %s as kirchensteuer: %s', (typed) => {
    expect(new Speller(['kirchensteuer']).near(typed)).toEqual(['kirchensteuer']);
  });

  it.each(['birchenstoier', 'kirchnstoieer', 'kirchenboden'])('leaves the long %s', (typed) => {
    expect(new Speller(['kirchensteuer']).near(typed)).toEqual([]);
  });

  it('names all that are equally near', () => {
    expect(new Speller(['vertrag', 'vetrag', 'antrag']).near('vetrrag')).toEqual(['vertrag', 'vetrag']);
  });

  it('finds a word again after a letter more or less', () => {
    const edit = fc.record({ word: fc.constantFrom(...KNOWN), at: fc.nat(20), less: fc.boolean() });
    fc.assert(
      fc.property(edit, ({ word, at, less }) => {
        const i = 1 + (at % (word.length - 2));
        const typed = word.slice(0, i) + (less ? '' : 'q') + word.slice(less ? i + 1 : i);
        expect(KNOWN.includes(typed) || speller.near(typed).includes(word)).toBe(true);
      }),
    );
  });
});
