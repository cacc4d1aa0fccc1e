import { describe, expect, it } from 'vitest';
import { leansOnMore } from './leaning.ts';

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
