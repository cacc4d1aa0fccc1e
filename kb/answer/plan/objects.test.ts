import { describe, expect, it } from 'vitest';
import type { Language } from '../../source.ts';
import { objectsOf, spelledOut } from './objects.ts';

const textsOf = (question: string, language: Language): string[] =>
  objectsOf(question, language).map(({ text }) => text);

describe('the things of which a question asks the same', () => {
  it.each<[string, Language, string[]]>([
    [
      'Wie hoch sind die Sätze zur Krankenversicherung und Rentenversicherung?',
      'de',
      ['Krankenversicherung', 'Rentenversicherung'],
    ],
    ['Was ändert sich bei der Kranken- und Rentenversicherung?', 'de', ['Kranken-', 'Rentenversicherung']],
    ['Wie hoch ist die Umlage U1 und U2?', 'de', ['U1', 'U2']],
    [
      'wie hoch ist der Beitrag zur Pflegeversicherung und zur Arbeitslosenversicherung',
      'de',
      ['Pflegeversicherung', 'Arbeitslosenversicherung'],
    ],
    ['Which rules for vacation and training?', 'en', ['vacation', 'training']],
  ])('are found in "%s"', (question, language, expected) => {
    expect(textsOf(question, language)).toEqual(expected);
  });

  it('are each asked of in the words of the question, the others left out', () => {
    expect(objectsOf('Wie hoch sind U1, U2 und U3 im Jahr?', 'de').map(({ question }) => question)).toEqual([
      'Wie hoch sind U1 im Jahr?',
      'Wie hoch sind U2 im Jahr?',
      'Wie hoch sind U3 im Jahr?',
    ]);
  });

  it.each<[string, Language]>([
    ['Was ist der Unterschied zwischen der Kündigung und der Aufhebung?', 'de'],
    ['Gelten in Wien und Tirol die gleichen Regeln?', 'de'],
    ['Sehr geehrte Damen und Herren, was ist zu tun?', 'de'],
    ['Arbeite ich Tag und Nacht?', 'de'],
    ['Wie lange wird Lohn fortgezahlt und wer zahlt danach?', 'de'],
    ['am I allowed to come back and forth?', 'en'],
  ])('are none in "%s"', (question, language) => {
    expect(textsOf(question, language)).toEqual([]);
  });

  it('are spelled out as a text has them', () => {
    const text = 'Die Krankenkasse erhebt Beiträge zur Krankenversicherung.';
    expect(spelledOut('Kranken-', 'Rentenversicherung', [text])).toBe('Krankenversicherung');
    expect(spelledOut('Kranken-', 'Rentenversicherung', [])).toBe('Kranken-');
  });
});
