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
    ['Darf ich in der Wohnung rauchen?', 'Das Rauchen ist in der Wohnung nicht gestattet.'],
    ['Sind Haustiere 2022 erlaubt?', 'Haustiere sind nicht erlaubt.'],
    ['Hat das Haus eine eigene Küche?', 'Das Haus hat keine Küche.'],
  ])('%s – %s', (question, text) => {
    expect(denied(question, `Das Haus hat drei Etagen. ${text}`)).toBe(text);
  });

  it.each([
    ['Are pets allowed?', 'Pets are not allowed.'],
    ['Can I smoke in my room?', 'Smoking is prohibited in every room.'],
    ['It gets renewed automatically, right?', 'Renewals are not automatic.'],
  ])('%s – %s', (question, text) => {
    expect(deniedInEnglish(question, text)).toBe(text);
  });

  it.each([
    [
      'Sind Haustiere erlaubt?',
      'Bitte beachten Sie folgende Regeln:\n- Müll wird getrennt.\n- ',
      'Haustiere sind nicht erlaubt.',
    ],
    [
      'Kann man das Haus mit der Karte öffnen?',
      '',
      'Das Haus öffnet man nicht mit der Karte, sondern nur mit dem Schlüssel.',
    ],
    ['Sind Haustiere erlaubt?', '', 'Haustiere (Hunde, Katzen) sind nicht erlaubt.'],
    ['Ist die Anmeldung über die Karte möglich?', '', 'Die Anmeldung ist nicht über die Karte möglich.'],
  ])('%s – in a list, with what is so instead, with another name: %s%s', (question, before, text) => {
    expect(denied(question, `${before}${text}`)).toBe(text);
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
    ['by another case', 'Sind Haustiere erlaubt?', 'Haustiere sind in der Küche nicht erlaubt.'],
    ['by a kind of it', 'Sind Haustiere erlaubt?', 'Giftige Haustiere sind nicht erlaubt.'],
    ['by whom it is about', 'Bekommt man Rabatt?', 'Besucher bekommen keinen Rabatt.'],
    ['by another year', 'Sind Haustiere 2022 erlaubt?', 'Haustiere sind 2021 nicht erlaubt.'],
    ['by a list of a case', 'Sind Haustiere erlaubt?', 'In der Küche gilt:\n- Haustiere sind nicht erlaubt.'],
    [
      'by a list of what is not so',
      'Sind Haustiere erlaubt?',
      'Es gilt nicht:\n- Haustiere sind nicht erlaubt.',
    ],
    [
      'by an item that is no sentence',
      'Sind Haustiere erlaubt?',
      'Bitte beachten:\n- nicht erlaubt Haustiere;',
    ],
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

const ofHeading = (
  title: string,
  question: string,
  text: string,
  lang: Language = 'de',
  year: number | null = null,
) => contradicting(question, lang, { ...source(text, { lang, title }), year });

describe('a figure that a question takes for granted is contradicted', () => {
  it.each<[string, string, string, Language?]>([
    [
      'Frist für Widerspruch',
      'Stimmt es, dass die Frist für den Widerspruch 14 Tage beträgt?',
      'Die Frist beträgt 30 Tage.',
    ],
    [
      'Widerspruch',
      'Stimmt es, dass man für den Widerspruch 14 Tage Zeit hat?',
      'Ein Widerspruch ist innerhalb von 30 Tagen möglich.',
    ],
    [
      'Widerspruch',
      'Hat man für den Widerspruch wirklich zwei Wochen Zeit?',
      'Der Widerspruch ist innerhalb eines Monats nach Zugang einzulegen.',
    ],
    ['Probezeit', 'Die Probezeit dauert doch sechs Monate?', 'Die Probezeit dauert drei Monate.'],
    [
      'Probezeit',
      'Ist es richtig, dass die Probezeit ein Jahr dauert? Sie dauert ein Jahr, oder?',
      'Die Probezeit dauert sechs Monate.',
    ],
    ['Kaution', 'Beträgt die Kaution 2022 500 Euro?', 'Die Kaution beträgt 2022 600 Euro.'],
    ['Kaution', 'Beträgt die Kaution 500 Euro?', 'Die Kaution beträgt 600 Euro.'],
    ['Kaution', 'Die Kaution beträgt 500 Euro, oder?', 'Die Kaution beträgt 600 Euro.'],
    ['Stimmen', 'Hat jedes Mitglied drei Stimmen?', 'Jedes Mitglied hat zwei Stimmen.'],
    ['Zimmer', 'Hat die Wohnung vier Zimmer?', 'Die Wohnung hat drei große Zimmer.'],
    [
      'Anmeldung',
      'Muss ich den Hund innerhalb von vier Wochen anmelden?',
      'Der Hund ist innerhalb von zwei Wochen anzumelden.',
    ],
    ['Zinsen', 'Die Zinsen betragen 5 %, richtig?', 'Die Zinsen betragen 3 Prozent.'],
    ['Probation', 'Probation is six months, right?', 'Probation lasts three months.', 'en'],
    ['Deposit', 'Is it true that the deposit is 500 euros?', 'The deposit is 600 euros.', 'en'],
    ['Votes', 'Does each member really have three votes?', 'Each member has two votes.', 'en'],
    ['Refunds', 'Do refunds take ten days?', 'Refunds take 30 days.', 'en'],
    ['Notice', 'Is the notice one week?', 'The notice is a month.', 'en'],
  ])('%s: %s – %s', (title, question, text, lang) => {
    expect(ofHeading(title, question, text, lang)).toBe(text);
  });
});

describe('no figure is contradicted', () => {
  it.each<[string, string, string, string, Language?]>([
    ['by the same in another unit', 'Frist', 'Beträgt die Frist zwei Wochen?', 'Die Frist beträgt 14 Tage.'],
    [
      'by the same in weeks of work',
      'Urlaub',
      'Beträgt der Urlaub sechs Wochen?',
      'Der Urlaub beträgt 30 Tage.',
    ],
    [
      'by the same in days of work',
      'Urlaub',
      'Beträgt der Urlaub 20 Arbeitstage?',
      'Der Urlaub beträgt 24 Werktage.',
    ],
    [
      'by the same in months',
      'Elternzeit',
      'Dauert die Elternzeit ein Jahr? Sie dauert ein Jahr, oder?',
      'Die Elternzeit dauert zwölf Monate.',
    ],
    ['by the same in words', 'Stimmen', 'Hat jedes Mitglied drei Stimmen?', 'Jedes Mitglied hat 3 Stimmen.'],
    [
      'by a number of something else',
      'Mitglieder',
      'Hat jedes Mitglied drei Stimmen?',
      'Jedes Mitglied hat zwei Ausweise.',
    ],
    ['by another one of several', 'Hunde', 'Ist der dritte Hund frei?', 'Der erste Hund ist frei.'],
    [
      'by a number before a verb',
      'Stufe',
      'Hat Stufe 3 Hunde? Stufe 3 gilt für Hunde, oder?',
      'Stufe 2 gilt für Hunde.',
    ],
    ['by another one of several', 'Dogs', 'Is the third dog free?', 'The first dog is free.', 'en'],
    ['by a number of nothing', 'Stufe', 'Gilt die Stufe 3? Es ist Stufe 3, oder?', 'Es gilt Stufe 2.'],
    [
      'by another year',
      'Kaution',
      'Beträgt die Kaution 2022 500 Euro?',
      'Die Kaution beträgt 2021 600 Euro.',
    ],
    [
      'by a figure without a year',
      'Kaution',
      'Betrug die Kaution 2019 500 Euro? Die Kaution betrug 2019 500 Euro, oder?',
      'Die Kaution beträgt 600 Euro.',
    ],
    [
      'by another case',
      'Kündigung',
      'Beträgt die Kündigungsfrist vier Wochen?',
      'Die Kündigungsfrist beträgt in der Probezeit zwei Wochen.',
    ],
    [
      'by a case before it',
      'Kündigung',
      'Beträgt die Kündigungsfrist vier Wochen?',
      'In der Probezeit beträgt die Kündigungsfrist zwei Wochen.',
    ],
    [
      'by the case of its heading',
      'Kündigungsfrist in der Probezeit',
      'Beträgt die Kündigungsfrist vier Wochen?',
      'Die Kündigungsfrist beträgt zwei Wochen.',
    ],
    [
      'by a heading on something else',
      'Probezeit',
      'Beträgt die Kündigungsfrist vier Wochen?',
      'Die Kündigungsfrist beträgt zwei Wochen.',
    ],
    ['by an adjective', 'Frist', 'Beträgt die Frist 14 Tage?', 'Die verlängerte Frist beträgt 30 Tage.'],
    [
      'by whose it is',
      'Kündigungsfrist',
      'Beträgt die Kündigungsfrist drei Monate?',
      'Die Kündigungsfrist des Mieters beträgt einen Monat.',
    ],
    [
      'where it stands elsewhere',
      'Frist',
      'Beträgt die Frist 14 Tage?',
      'Die Frist beträgt 30 Tage. Vereine haben 14 Tage.',
    ],
    [
      'where it stands elsewhere in other words',
      'Frist',
      'Beträgt die Frist 14 Tage?',
      'Die Frist beträgt 30 Tage. Vereine haben zwei Wochen.',
    ],
    ['by two figures', 'Frist', 'Beträgt die Frist 14 Tage?', 'Die Frist beträgt 30 Tage und 60 Tage.'],
    [
      'by a condition',
      'Frist',
      'Beträgt die Frist 14 Tage?',
      'Die Frist beträgt 30 Tage, wenn ein Feiertag dazwischen liegt.',
    ],
    [
      'by a least figure',
      'Kaution',
      'Beträgt die Kaution 500 Euro?',
      'Die Kaution beträgt mindestens 400 Euro.',
    ],
    [
      'by a subject of its own',
      'Frist',
      'Beträgt die Frist für den Antrag 14 Tage?',
      'Die Frist für die Klage beträgt 30 Tage.',
    ],
    [
      'by a price per time',
      'Parken',
      'Kostet das Parken zehn Euro?',
      'Das Parken kostet 5 Euro je Tag und 10 Euro je Woche.',
    ],
    ['by what is allowed', 'Besuch', 'Darf der Besuch drei Tage bleiben?', 'Der Besuch bleibt zwei Tage.'],
    [
      'by a deadline that is none',
      'Vertrag',
      'Muss der Vertrag innerhalb von 14 Tagen vorliegen?',
      'Der Vertrag dauert 30 Tage.',
    ],
    ['where it is so', 'Deposit', 'Is the deposit 600 euros?', 'The deposit is €600.', 'en'],
    ['by the same in another unit', 'Refunds', 'Do refunds take two weeks?', 'Refunds take 14 days.', 'en'],
    [
      'by another case',
      'Deposit',
      'Is the deposit 500 euros?',
      'The deposit for students is 300 euros.',
      'en',
    ],
    [
      'by a case before it',
      'Deposit',
      'Is the deposit 500 euros?',
      'During summer the deposit is 300 euros.',
      'en',
    ],
    [
      'by a condition',
      'Refunds',
      'Do refunds take ten days?',
      'Refunds take 30 days if you pay by card.',
      'en',
    ],
    [
      'by another year',
      'Fee',
      'Is the fee 20 euros in 2023? It is 20 euros, right?',
      'In 2021 the fee is 10 euros.',
      'en',
    ],
    [
      'where it stands elsewhere',
      'Probation',
      'Probation is six months, right?',
      'Probation lasts three months. Managers have six months.',
      'en',
    ],
    ['by something else', 'Votes', 'Does each member have three votes?', 'Each member has two keys.', 'en'],
  ])('%s: %s, %s – %s', (_, title, question, text, lang) => {
    expect(ofHeading(title, question, text, lang)).toBeNull();
  });

  it('of another year than the source, and it is of its year', () => {
    const text = 'Die Kaution beträgt 600 Euro.';
    expect(ofHeading('Kaution', 'Beträgt die Kaution 2022 500 Euro?', text, 'de', 2022)).toBe(text);
    expect(ofHeading('Kaution', 'Beträgt die Kaution 2021 500 Euro?', text, 'de', 2022)).toBeNull();
  });
});
