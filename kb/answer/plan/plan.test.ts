import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MAX_PARTS, plan } from './plan.ts';

describe('the search plan', () => {
  it.each([
    'Wie lange wird der Lohn bei Krankheit fortgezahlt?',
    'Was gilt für Urlaub und Krankheit?',
    'Wie hoch sind der Mindestlohn und die Entgeltgrenze?',
    'Was sind Kosten und Nutzen?',
    'Was ist der Unterschied zwischen der Kündigung und der Aufhebung?',
    'Wie hoch sind die Lohn- und die Kirchensteuer-?',
    'Was ist der Zusammenhang von Lohn und Gehalt?',
    'Was regelt § 3 EntgFG?',
    'Wie oft bin ich krank und muss zum Arzt?',
    'Urlaub? Wie viel?',
    'Was regelt § 3 Abs. 1 und Abs. 2 EntgFG?',
    'Wer und was?',
    '§ 3 und § 4',
    'Wie hoch ist die Zulage, die wir bei Schichtarbeit zahlen müssen?',
    'Wie hoch ist der Anteil, den der Arbeitgeber und der Arbeitnehmer zahlen?',
    'Mein Sohn ist 14 und will Zeitungen austragen, ist das erlaubt?',
    'War sechs Wochen krank und hab die Frist verpasst. Was nun?',
    'Ein Mitarbeiter will auf Teilzeit gehen. Bis wann und wie muss ich ablehnen?',
    'Wie viel muss ein Azubi mindestens bekommen? (Beginn 2022)',
  ])('leaves a question whole that asks one thing: %s', (question) => {
    expect(plan(question)).toEqual([question]);
  });

  it.each<[string, string[]]>([
    [
      'Wie lange wird der Lohn fortgezahlt und wer zahlt danach das Krankengeld?',
      ['Wie lange wird der Lohn fortgezahlt', 'wer zahlt danach das Krankengeld?'],
    ],
    [
      'Wie lange wird der Lohn fortgezahlt, und wer zahlt danach das Krankengeld und wo wird es denn beantragt?',
      [
        'Wie lange wird der Lohn fortgezahlt',
        'wer zahlt danach das Krankengeld',
        'wo wird es denn beantragt?',
      ],
    ],
    [
      'Wie hoch ist der Mindestlohn, wie viele Urlaubstage gibt es und wie hoch ist die Entgeltgrenze?',
      ['Wie hoch ist der Mindestlohn', 'wie viele Urlaubstage gibt es', 'wie hoch ist die Entgeltgrenze?'],
    ],
    [
      'Wie erfahre ich als Arbeitgeber, wie hoch der Beitrag ist und wann er fällig wird?',
      ['Wie erfahre ich als Arbeitgeber, wie hoch der Beitrag ist', 'wann er fällig wird?'],
    ],
    [
      'Wie hoch ist der Mindestlohn? Für wen gilt er denn nicht?',
      ['Wie hoch ist der Mindestlohn?', 'Für wen gilt er denn nicht?'],
    ],
    ['Wie lange dauert die Elternzeit und ab wann?', ['Wie lange dauert die Elternzeit', 'ab wann?']],
    [
      'Wie lang ist die Pause und darf man sie aufteilen?',
      ['Wie lang ist die Pause', 'darf man sie aufteilen?'],
    ],
    [
      'Zahlt ein Rentner noch Beiträge? Und der Arbeitgeber?',
      ['Zahlt ein Rentner noch Beiträge?', 'Und der Arbeitgeber?'],
    ],
    [
      'ich bin gekündigt worden - kriege ich eine sperre und wird mir die abfindung abgezogen?',
      ['ich bin gekündigt worden - kriege ich eine sperre', 'wird mir die abfindung abgezogen?'],
    ],
    [
      'Leiharbeiter im Lager: wie lange darf er bleiben, ab wann gleicher Lohn und was passiert danach?',
      ['Leiharbeiter im Lager: wie lange darf er bleiben', 'ab wann gleicher Lohn', 'was passiert danach?'],
    ],
    [
      'Was ist bei der Feier steuerfrei, kann man den Rest pauschal versteuern und fallen Beiträge an?',
      ['Was ist bei der Feier steuerfrei', 'kann man den Rest pauschal versteuern', 'fallen Beiträge an?'],
    ],
    ['Who approves leave and how far ahead must I ask?', ['Who approves leave', 'how far ahead must I ask?']],
    [
      'How long can I use the nodes and with how many cores?',
      ['How long can I use the nodes', 'with how many cores?'],
    ],
    ['How long may I work and am I insured?', ['How long may I work', 'am I insured?']],
    ['Was regeln § 3 und § 4 EntgFG?', ['Was regeln § 3 EntgFG?', 'Was regeln § 4 EntgFG?']],
    [
      'Was steht in §§ 3, 4 und 7 Abs. 2 BUrlG?',
      ['Was steht in § 3 BUrlG?', 'Was steht in § 4 BUrlG?', 'Was steht in § 7 Abs. 2 BUrlG?'],
    ],
    [
      'Wie verhalten sich § 5 Abs 2 ASVG und § 6 Abs 1 ASVG?',
      ['Wie verhalten sich § 5 Abs 2 ASVG?', 'Wie verhalten sich § 6 Abs 1 ASVG?'],
    ],
    [
      'Was sagen § 3 Abs. 1, § 4 Abs. 2 und §§ 5 bis 7 EntgFG dazu?',
      [
        'Was sagen § 3 Abs. 1 EntgFG dazu?',
        'Was sagen § 4 Abs. 2 EntgFG dazu?',
        'Was sagen §§ 5 bis 7 EntgFG dazu?',
      ],
    ],
    ['Was steht in § 3 EntgFG und § 23 SGB IV?', ['Was steht in § 3 EntgFG?', 'Was steht in § 23 SGB IV?']],
    [
      'Was regeln § 3 und § 4 EntgFG? Wie hoch ist denn das Krankengeld?',
      ['Was regeln § 3 EntgFG?', 'Was regeln § 4 EntgFG?', 'Wie hoch ist denn das Krankengeld?'],
    ],
  ])('adds the parts of one that asks several: %s', (question, parts) => {
    expect(plan(question)).toEqual([question, ...parts]);
  });

  it('has the question first, no empty part, and at most so many, whatever is asked', () => {
    const words = fc.constantFrom(
      'Wie',
      'hoch',
      'sind',
      'der',
      'Lohn',
      'und',
      ',',
      '§',
      '3',
      'BUrlG',
      'wer',
      '?',
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 30 }).map((all) => all.join(' ')),
        ),
        (question) => {
          const [first, ...parts] = plan(question);
          expect(first).toBe(question);
          expect(parts.every((part) => part.trim() !== '')).toBe(true);
          expect(parts.length === 0 || (parts.length > 1 && parts.length <= MAX_PARTS)).toBe(true);
        },
      ),
    );
  });
});
