import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Speller } from './spelling.ts';

const KNOWN = ['urlaub', 'entgelt', 'krankheit', 'kuendigung', 'arbeit', 'arbeiten'];
const speller = new Speller(KNOWN);

describe('Speller', () => {
  it.each([
    ['urlub', 'urlaub', 'a letter less'],
    ['urrlaub', 'urlaub', 'a letter more'],
    ['urlauv', 'urlaub', 'another letter'],
    ['ulraub', 'urlaub', 'two swapped'],
    ['rkankheit', 'krankheit', 'two swapped at the start'],
    ['krankheti', 'krankheit', 'two swapped at the end'],
  ])('reads %s as %s: %s', (typed, meant) => {
    expect(speller.correct(typed)).toBe(meant);
  });

  it.each(['frankreich', 'ulrabu', 'arb', 'kind'])('leaves %s, which is near no known word', (typed) => {
    expect(speller.correct(typed)).toBeUndefined();
  });

  it.each([
    ['kirchenstoier', 'two letters other'],
    ['kirhcensteur', 'two swapped, one less'],
    ['kirchnsteurer', 'one less, one more'],
  ])('reads %s as kirchensteuer: %s', (typed) => {
    expect(new Speller(['kirchensteuer']).correct(typed)).toBe('kirchensteuer');
  });

  it.each(['birchenstoier', 'kirchnstoieer', 'kirchenboden'])('leaves the long %s', (typed) => {
    expect(new Speller(['kirchensteuer']).correct(typed)).toBeUndefined();
  });

  it('takes the earlier of two that are equally near', () => {
    expect(new Speller(['haftung', 'heftung']).correct('hoftung')).toBe('haftung');
  });

  it('finds a word again after any one edit', () => {
    const edit = fc.record({
      word: fc.constantFrom(...KNOWN),
      at: fc.nat(20),
      kind: fc.constantFrom('less', 'more', 'other'),
    });
    fc.assert(
      fc.property(edit, ({ word, at, kind }) => {
        const i = at % word.length;
        const letter = kind === 'less' ? '' : 'q';
        const typed = word.slice(0, i) + letter + word.slice(kind === 'more' ? i : i + 1);
        fc.pre(typed.length >= 5 && !KNOWN.includes(typed));
        const meant = speller.correct(typed);
        expect(meant === word || (word.startsWith('arbeit') && meant?.startsWith('arbeit'))).toBe(true);
      }),
    );
  });
});
