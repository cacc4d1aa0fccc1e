import { describe, expect, it } from 'vitest';
import { Analysis } from './analysis.ts';
import { kinOfVerb, stemOfThirdPerson, stemOfVerb, stemOfVerbalNoun, verbsApart } from './verbs.ts';

describe('forms of German verbs', () => {
  it.each([
    ['gekundigt', 'kundig'],
    ['gemeldet', 'meld'],
    ['fortgezahlt', 'fortzahl'],
    ['zuruckgezahlt', 'zuruckzahl'],
    ['abzufuhren', 'abfuhr'],
  ])('%s is %s', (word, expected) => {
    expect(stemOfVerb(word)).toBe(expected);
  });

  it.each(['genommen', 'gern', 'zahlen', 'fallig'])('%s is left alone', (word) => {
    expect(stemOfVerb(word)).toBeUndefined();
  });

  it('the third person and the noun lead to the same stem', () => {
    expect(stemOfThirdPerson('meldet')).toBe('meld');
    expect(stemOfVerbalNoun('meldung')).toBe('meld');
  });
});

describe('the kin of a verb with a prefix', () => {
  it.each([
    ['austrete', ['austreten', 'austritt']],
    ['ausgetreten', ['austreten', 'austritt']],
    ['anzunehmen', ['annehmen', 'annahme']],
    ['angenommen', ['annehmen', 'annahme']],
    ['ubernimmt', ['ubernehmen', 'ubernahme']],
    ['verloren', ['verlieren', 'verlust']],
    ['zuruckgegeben', ['zuruckgeben', 'ruckgabe']],
    ['abschliessen', ['abschliessen', 'abschluss']],
    ['eingesetzt', ['einsetzen', 'einsatz', 'einsetzung']],
    ['reklamiert', ['reklamation']],
    ['installieren', ['installation']],
    ['aufgelost', ['auflosen']],
    ['erstattet', ['erstatten']],
    ['erfasst', ['erfassen']],
    ['unterscheidet', ['unterscheiden', 'unterscheidung', 'unterscheid']],
    ['getreten', []],
    ['sitzt', []],
    ['austeilen', []],
    ['verdient', []],
  ])('of %s is %j', (verb, kin) => {
    expect(kinOfVerb(verb)).toEqual(kin);
  });
});

const stems = (text: string): string[] =>
  new Analysis().words(text, 'de').flatMap(({ term, parts }) => [term, ...parts]);

describe('analysis', () => {
  it.each([
    ['fortgezahlt', 'Fortzahlung'],
    ['gemeldet', 'Meldung'],
    ['kündigt', 'Kündigung'],
    ['gekündigt', 'kündigen'],
  ])('%s and %s have a stem in common', (verb, other) => {
    expect(stems(verb).filter((stem) => stems(other).includes(stem))).not.toHaveLength(0);
  });

  it('reads nouns that look like verbs as nouns', () => {
    expect(new Analysis().words('Gebiet Bescheid Gehalt', 'de').map(({ parts }) => parts)).toEqual([
      [],
      [],
      [],
    ]);
  });
});

describe('a verb whose prefix stands apart', () => {
  it.each([
    ['Wie lege ich ein neues Konto an?', ['anlege']],
    ['wie melde ich mich ab', ['abmelde']],
    ['Wie melde ich mich an der Pforte an und wo gebe ich den Schlüssel zurück?', ['anmelde', 'zurückgebe']],
    ['Wie schalte ich das Licht aus und wieder ein?', ['ausschalte']],
    ['Wie lange darf ich mit dem Hund an den Strand?', []],
    ['Was mache ich, wenn das Licht an ist?', []],
  ])('is found: %s', (question, expected) => {
    expect(verbsApart(question).map(({ text }) => text)).toEqual(expected);
  });
});
