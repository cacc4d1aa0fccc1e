import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Analysis } from './analysis.ts';
import { gramsOf } from './grams.ts';
import type { Word } from './word.ts';
import { isMistyped, similarity } from './similarity.ts';

function word(text: string): Word {
  return new Analysis().words(text, 'de')[0]!;
}

describe('similarity', () => {
  it('is 1 for the same stem and 0 for strangers', () => {
    expect(similarity(word('Verträge'), word('Vertrag'))).toBe(1);
    expect(similarity(word('Urlaub'), word('Lohnsteuer'))).toBe(0);
  });

  it.each([
    ['gezahlt', 'Zahlung'],
    ['gemeldet', 'meldet'],
  ])('is nearly 1 for forms of one verb and its noun: %s, %s', (a, b) => {
    expect(similarity(word(a), word(b))).toBeGreaterThanOrEqual(0.9);
  });

  it('lies between for compounds, inflection and typing mistakes', () => {
    for (const [a, b] of [
      ['Urlaub', 'Erholungsurlaub'],
      ['Kündigung', 'gekündigt'],
      ['Urlabu', 'Urlaub'],
    ]) {
      expect(similarity(word(a!), word(b!))).toBeGreaterThan(0.3);
      expect(similarity(word(a!), word(b!))).toBeLessThan(1);
    }
  });
});

describe('isMistyped', () => {
  it.each([
    ['Vertiedigung', 'Verteidigung'],
    ['Verteidgung', 'Verteidigung'],
    ['Verteidiigung', 'Verteidigung'],
    ['Verteidigunk', 'Verteidigung'],
    ['Vertiediger', 'Verteidigern'],
  ])('takes %s for %s', (a, b) => {
    expect(isMistyped(word(a), word(b))).toBe(true);
  });

  it.each([
    ['Haus', 'Maus'],
    ['Verwertung', 'Bewertung'],
    ['Paternität', 'Maternität'],
    ['Arbeitgeber', 'Arbeitnehmer'],
    ['Verteidigung', 'Verteidigung'],
    ['2021000', '2022000'],
  ])('does not take %s for %s', (a, b) => {
    expect(isMistyped(word(a), word(b))).toBe(false);
  });
});

const form = (folded: string) => ({ folded, term: `${folded}-`, parts: [] });

describe('a likeness of letters', () => {
  it('is counted alike for short words and for words of any length', () => {
    const letters = fc.stringMatching(/^[ab]{4,80}$/u);
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        fc.pre(a !== b && !a.includes(`${b}-`) && !isMistyped(form(a), form(b)));
        const there = gramsOf(b);
        const common = gramsOf(a).filter((gram) => there.includes(gram)).length;
        const dice = (2 * common) / (gramsOf(a).length + there.length);
        expect(similarity(form(a), form(b))).toBe(dice > 0.35 ? 0.9 * dice : 0);
      }),
    );
  });
});
