import { describe, expect, it } from 'vitest';
import type { Language, Source } from '../source.ts';
import { contradicting } from './premise.ts';

function source(
  text: string,
  { lang = 'de', title = 'Haus' }: { lang?: Language; title?: string } = {},
): Source {
  return { id: 'H', title, section: '', stand: '2022-03', work: 'Test', lang, year: null, text };
}

const denied = (question: string, text: string): string | null => contradicting(question, 'de', source(text));
const deniedInEnglish = (question: string, text: string): string | null =>
  contradicting(question, 'en', source(text, { lang: 'en', title: 'House' }));

describe('what a question takes for granted is contradicted', () => {
  it.each([
    ['Sind Haustiere erlaubt?', 'Haustiere sind nicht erlaubt.'],
    ['darf ich im zimmer rauchen?', 'Das Rauchen ist in allen Zimmern verboten.'],
    ['Darf ich im Zimmer kochen?', 'Es ist nicht gestattet, in den Zimmern zu kochen.'],
    ['Verfällt der Urlaub beim Wechsel?', 'Der Urlaub verfällt bei einem Wechsel nicht.'],
    ['Wird das alte Skript noch verwendet?', 'Das Skript wird nicht mehr verwendet!'],
    ['Beträgt die Kaution 500 Euro?', 'Die Kaution beträgt 600 Euro.'],
    ['Hat das Haus eine eigene Küche?', 'Das Haus hat keine Küche.'],
    ['Die Kaution beträgt 500 Euro, oder?', 'Die Kaution beträgt 600 Euro.'],
  ])('%s – %s', (question, text) => {
    expect(denied(question, `Das Haus hat drei Etagen. ${text}`)).toBe(text);
  });

  it.each([
    ['Are pets allowed?', 'Pets are not allowed.'],
    ['It gets renewed automatically, right?', 'Renewals are not automatic.'],
    ['Is the deposit 500 euros?', 'The deposit is 600 euros.'],
  ])('%s – %s', (question, text) => {
    expect(deniedInEnglish(question, text)).toBe(text);
  });

  it('by more than what is asked, where its passage speaks of the rest', () => {
    const text = 'Der Bürgersaal steht Vereinen zur Verfügung. Tierschauen werden nicht zugelassen.';
    expect(denied('Kann unser Verein im Bürgersaal eine Tierschau machen?', text)).toBe(
      'Tierschauen werden nicht zugelassen.',
    );
  });
});

describe('nothing is contradicted', () => {
  it.each([
    ['where it is so', 'Sind Haustiere erlaubt?', 'Haustiere sind erlaubt.'],
    ['where no yes or no is asked for', 'Wo sind Haustiere erlaubt?', 'Haustiere sind nicht erlaubt.'],
    ['where the question denies too', 'Sind Haustiere nicht erlaubt?', 'Haustiere sind nicht erlaubt.'],
    ['where it asks whether it is forbidden', 'Sind Haustiere verboten?', 'Haustiere sind nicht erlaubt.'],
    ['by a condition', 'Sind Haustiere erlaubt?', 'Haustiere sind nicht erlaubt, wenn sie stören.'],
    ['by an exception', 'Sind Haustiere erlaubt?', 'Haustiere sind nur in Käfigen nicht verboten.'],
    ['by two denials', 'Sind Haustiere erlaubt?', 'Haustiere sind nicht unzulässig.'],
    ['by what is no duty', 'Darf ich eine Quittung vorlegen?', 'Eine Quittung vorzulegen ist nicht nötig.'],
    ['by something else', 'Sind Haustiere erlaubt?', 'Fahrräder sind nicht erlaubt.'],
    ['by what its compound begins with', 'Sind Haustiere erlaubt?', 'Das Haus ist nicht zu betreten.'],
    ['by what leans on another sentence', 'Sind Haustiere erlaubt?', 'Dies ist für Haustiere nicht erlaubt.'],
    [
      'where another sentence says otherwise',
      'Sind Haustiere erlaubt?',
      'Haustiere sind nicht erlaubt. Haustiere sind im Hof erlaubt.',
    ],
    ['by the same figure', 'Beträgt die Kaution 600 Euro?', 'Die Kaution beträgt 600,00 €.'],
    ['by a limit', 'Reicht eine Kaution von 500 Euro?', 'Eine Kaution von mindestens 400 Euro reicht.'],
    ['by a figure that is allowed', 'Darf ich drei Personen mitbringen?', 'Erlaubt sind fünf Personen.'],
    ['by a figure of the case', 'Verfällt der Urlaub nach 6 Monaten?', 'Der Urlaub verfällt nach 3 Monaten.'],
    ['by a comparison', 'Sind 700 Euro Kaution zu viel?', 'Die Kaution beträgt 600 Euro.'],
    ['by another unit', 'Beträgt die Frist 6 Wochen?', 'Die Frist beträgt 2 Monate.'],
  ])('%s', (_, question, text) => {
    expect(denied(question, text)).toBeNull();
  });
});
