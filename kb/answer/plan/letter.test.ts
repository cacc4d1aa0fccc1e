import { describe, expect, it } from 'vitest';
import { withoutManners } from './letter.ts';

describe('a letter', () => {
  it.each([
    [
      'Sehr geehrte Damen und Herren,\nwie viel Urlaub hat eine Vollzeitkraft?\nMit freundlichen Grüßen\nPetra Müller',
      'wie viel Urlaub hat eine Vollzeitkraft?',
    ],
    [
      'Sehr geehrte Frau Meier, wann ist der Lohn fällig? Vielen Dank im Voraus!',
      'wann ist der Lohn fällig?',
    ],
    ['Hallo zusammen, gilt das Gesetz auch hier? LG Tom', 'gilt das Gesetz auch hier?'],
    ['Hi there, how do I reset it? Thanks, Anna', 'how do I reset it?'],
    ['Dear Mr. Smith, when is it due? Kind regards', 'when is it due?'],
  ])('is read for what it asks: %s', (letter, asked) => {
    expect(withoutManners(letter, 'de')).toBe(asked);
  });

  it.each([
    ['Meine Chefin sagt, Azubis haben keinen Mindestlohn - richtig?', 'Azubis haben keinen Mindestlohn?'],
    ['Unser GF will wissen, wie lange die Frist ist', 'wie lange die Frist ist'],
    ['Die Personalabteilung meint, dass der Urlaub verfällt, stimmt das?', 'der Urlaub verfällt?'],
    ['My boss says that trainees get less, is that right?', 'trainees get less?'],
    ['Our accountant asks whether meals are taxed', 'meals are taxed'],
  ])('is read without who says it: %s', (letter, asked) => {
    expect(withoutManners(letter, 'de')).toBe(asked);
  });

  it.each([
    'Mein Chef sagt, er zahlt nicht. Was tun?',
    'Mein Mitarbeiter behauptet, krank zu sein',
    'Der Chef sagt Nein zum August. Darf er das?',
    'Was ist richtig?',
    'Darf mein Chef das sagen?',
    'Wie viel Urlaub gibt es?',
    'Hallo!',
    'Was gilt als Dank an Mitarbeiter, etwa ein Geschenk mit freundlichen Grüßen und einer Karte?',
    'Darf ich danke sagen?',
  ])('is nothing that only asks: %s', (question) => {
    expect(withoutManners(question, 'de')).toBe(question);
  });

  it.each([
    [
      'Wir brauchen heute noch eine Antwort, wie lange dauert die Probezeit?',
      'wie lange dauert die Probezeit?',
    ],
    ['Als Bürokraft frage ich mich: Wie lange dauert die Probezeit?', 'Wie lange dauert die Probezeit?'],
    ['Hier die Frage der Firma Huber. Wann ist der Lohn fällig?', 'Wann ist der Lohn fällig?'],
  ])('is read without the clause that only says that somebody asks: %s', (letter, asked) => {
    expect(withoutManners(letter, 'de')).toBe(asked);
  });

  it.each([
    'Frage zum Elterngeld: wie lange gibt es Geld?',
    'Meine Frage aus Österreich: wie lange dauert die Probezeit?',
    'Als Beamter frage ich mich: wie viel Urlaub steht mir zu?',
    'Eine Frage, wie lange dauert sie?',
    'Mein Sohn ist 17. Wie lange dauert die Probezeit?',
  ])('keeps what says more than that somebody asks: %s', (question) => {
    expect(withoutManners(question, 'de')).toBe(question);
  });
});
