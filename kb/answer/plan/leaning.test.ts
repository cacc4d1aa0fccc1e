import { describe, expect, it } from 'vitest';
import { leansOnMore, namesSubject, standsAlone } from './leaning.ts';

describe('a question', () => {
  it.each([
    'Gilt das auch für Azubis?',
    'und wie ist das im osten',
    'Und bei Teilzeit?',
    'Ist das bei Minijobs anders?',
    'Does that also apply to trainees?',
    'And for part-timers?',
    'What about interns?',
  ])('leans on what was said before it: %s', (question) => {
    expect(leansOnMore(question)).toBe(true);
  });

  it.each([
    'Was ist das Elterngeld?',
    'Gilt das Mutterschutzgesetz auch für Azubis?',
    'gilt das arbeitszeitgesetz in der pflege',
    'Wie ist das mit dem Urlaub in der Probezeit?',
    'Und wie lange wird der Lohn bei Krankheit fortgezahlt?',
    'how much upload does it eat at the standard quality setting',
    'Wie läuft das Verfahren bei einer Kündigung?',
    'Mein Azubi ist krank. Gilt das auch für ihn?',
  ])('says itself what it means: %s', (question) => {
    expect(leansOnMore(question)).toBe(false);
  });
});

describe('a part of a question', () => {
  it.each([
    ['wann ist der Lohn fällig?', 'de'],
    ['Wie lange dauert die Probezeit?', 'de'],
    ['reicht eine E-Mail?', 'de'],
    ['how long is the notice period?', 'en'],
  ] as const)('is a question of its own: %s', (part, language) => {
    expect(standsAlone(part, `Was ist Lohn und ${part}`, language)).toBe(true);
  });

  it.each([
    ['ab wann?', 'de'],
    ['wie viele Wochen?', 'de'],
    ['wie rechnet man das?', 'de'],
    ['gilt er auch für Praktikanten?', 'de'],
    ['wann muss man melden?', 'de'],
    ['muss der Arbeitgeber was dazugeben?', 'de'],
    ['does it apply to interns?', 'en'],
    ['what if I resign?', 'en'],
  ] as const)('leans on what was asked before it: %s', (part, language) => {
    expect(standsAlone(part, `Was ist Lohn und ${part}`, language)).toBe(false);
  });

  it.each([
    ['wer schreibt es?', 'de', false],
    ['wer zahlt dann die Kaution?', 'de', true],
    ['who gets the money?', 'en', false],
    ['who repairs the boiler?', 'en', true],
  ] as const)('names what it is about or not: %s', (part, language, names) => {
    expect(namesSubject(part, `Was ist Lohn und ${part}`, language)).toBe(names);
  });

  it('may have no capitals where the question has none', () => {
    expect(
      standsAlone('wie lang ist die probezeit', 'was ist lohn und wie lang ist die probezeit', 'de'),
    ).toBe(true);
  });
});
