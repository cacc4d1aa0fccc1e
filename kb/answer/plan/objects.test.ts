import { describe, expect, it } from 'vitest';
import type { Language } from '../../source.ts';
import { objectsOf, spelledOut } from './objects.ts';

const textsOf = (question: string, language: Language): string[] =>
  objectsOf(question, language)?.objects.map(({ text }) => text) ?? [];
const questionsOf = (question: string, language: Language): string[] =>
  objectsOf(question, language)?.objects.map((each) => each.question) ?? [];

describe('the things of which a question asks the same', () => {
  it.each<[string, Language, string[]]>([
    [
      'Wie hoch sind die Sätze zur Krankenversicherung und Rentenversicherung?',
      'de',
      ['Krankenversicherung', 'Rentenversicherung'],
    ],
    ['Was ändert sich bei der Kranken- und Rentenversicherung?', 'de', ['Kranken-', 'Rentenversicherung']],
    ['Wie hoch ist die Umlage U1 und U2?', 'de', ['U1', 'U2']],
    ['Wie hoch sind U1, U2 und die Umlage für Insolvenzgeld?', 'de', ['U1', 'U2', 'Umlage']],
    ['Was gilt für Lehrlinge, Schüler und Rentner?', 'de', ['Lehrlinge', 'Schüler', 'Rentner']],
    ['Wie hoch ist der Satz der Steuer A und Steuer B?', 'de', ['Steuer A', 'Steuer B']],
    ['Sind Zuschuss, Fahrkarte sowie Gutschein steuerfrei?', 'de', ['Zuschuss', 'Fahrkarte', 'Gutschein']],
    [
      'wie hoch sind krankenversicherung und rentenversicherung',
      'de',
      ['krankenversicherung', 'rentenversicherung'],
    ],
    [
      'wie hoch ist der Beitrag zur Pflegeversicherung und zur Arbeitslosenversicherung',
      'de',
      ['Pflegeversicherung', 'Arbeitslosenversicherung'],
    ],
    [
      'Wie lautet die Nummer des Kontos und die Zahl des Vereins?',
      'de',
      ['Nummer des Kontos', 'Zahl des Vereins'],
    ],
    ['Wie hoch sind die Anteile der Mieter und der Vermieter?', 'de', ['Mieter', 'Vermieter']],
    ['Which rules for vacation and training?', 'en', ['vacation', 'training']],
    [
      'What are the fees for late returns, lost keys and broken windows?',
      'en',
      ['late returns', 'lost keys', 'broken windows'],
    ],
    ['Fees for overtime, night work and Sunday work?', 'en', ['overtime', 'night work', 'Sunday work']],
    ['Can dogs and cats enter the pool?', 'en', ['dogs', 'cats']],
    ['Who approves travel expenses and sick notes?', 'en', ['travel expenses', 'sick notes']],
  ])('are found in "%s"', (question, language, expected) => {
    expect(textsOf(question, language)).toEqual(expected);
  });

  it.each<[string, Language, string[]]>([
    [
      'Wie hoch sind U1, U2 und U3 im Jahr?',
      'de',
      ['Wie hoch sind U1 im Jahr?', 'Wie hoch sind U2 im Jahr?', 'Wie hoch sind U3 im Jahr?'],
    ],
    [
      'Wie hoch sind der Mindestlohn, die Entgeltgrenze und das Krankengeld ab Juli 2022?',
      'de',
      [
        'Wie hoch ist der Mindestlohn ab Juli 2022?',
        'Wie hoch sind die Entgeltgrenze ab Juli 2022?',
        'Wie hoch ist das Krankengeld ab Juli 2022?',
      ],
    ],
    [
      'Was muss ich bei der Aufnahme von Schülern und Rentnern beachten?',
      'de',
      [
        'Was muss ich bei der Aufnahme von Schülern beachten?',
        'Was muss ich bei der Aufnahme von Rentnern beachten?',
      ],
    ],
    ['What are the limit and the rate?', 'en', ['What are the limit?', 'What are the rate?']],
    [
      'How long is notice for the employer and the employee?',
      'en',
      ['How long is notice for the employer?', 'How long is notice for the employee?'],
    ],
    ['Do I need a visa and a passport?', 'en', ['Do I need a visa?', 'Do I need a passport?']],
  ])(
    'are each asked of in the words of the question, the others left out: %s',
    (question, language, expected) => {
      expect(questionsOf(question, language)).toEqual(expected);
    },
  );

  it.each<[string, Language]>([
    ['Was ist der Unterschied zwischen der Kündigung und der Aufhebung?', 'de'],
    ['Gelten in Wien und Tirol die gleichen Regeln?', 'de'],
    ['Dürfen Kassier und Prüfer dieselbe Person sein?', 'de'],
    ['Sehr geehrte Damen und Herren, was ist zu tun?', 'de'],
    ['Arbeite ich Tag und Nacht?', 'de'],
    ['Wie lange wird Lohn fortgezahlt und wer zahlt danach?', 'de'],
    ['Wie hoch ist die Zulage, die wir bei Schichtarbeit zahlen müssen?', 'de'],
    ['am I allowed to come back and forth?', 'en'],
    ['Der Chef schenkt mir einen Strauß und eine Uhr. Ist das Arbeitslohn?', 'de'],
    ['Für Februar und März kam kein Lohn. Wo bekomme ich das Geld her?', 'de'],
    ['Is the bonus still tax free and until when can we pay it out?', 'en'],
    ['Where do I find my badge and how do I return it?', 'en'],
  ])('are none in "%s"', (question, language) => {
    expect(textsOf(question, language)).toEqual([]);
  });

  it('are spelled out as a text has them', () => {
    const text = 'Die Krankenkasse erhebt Beiträge zur Krankenversicherung.';
    expect(spelledOut('Kranken-', 'Rentenversicherung', [text])).toBe('Krankenversicherung');
    expect(spelledOut('Kranken-', 'Rentenversicherung', [])).toBe('Kranken-');
  });
});
