import { describe, expect, it } from 'vitest';
import { figureAsked, isOfFigure } from './figure-asked.ts';

const isMissing = (question: string, sentence: string): boolean =>
  figureAsked(question)?.isStated(sentence) === false;

describe('a figure that is asked for', () => {
  it.each([
    ['Was kostet ein Zimmer?', 'Die 12 Zimmer liegen im ersten Stock.'],
    ['wie teuer ist die lizenz', 'Das Werk steht unter einer Lizenz zu folgenden Bedingungen.'],
    ['How much does a ticket cost?', 'Tickets are sold at the door from 8 pm.'],
    ['which phone number do I call for support', 'Ask in the forum.'],
    ['Was kostet die Lizenz im Monat?', 'Die Nummer ist frei wählbar, ab 01.12. auch im Programm.'],
    ['Wie hoch ist der Mitgliedsbeitrag?', 'Der Beitrag wird am 1. 3. 2021 von 12 Mitgliedern beschlossen.'],
    ['What is the membership fee?', 'The fee is paid in January; you are free to leave.'],
    ['Welche Telefonnummer hat das Finanzamt?', 'Die Telefonnummer steht beim Klienten, Feld 12.'],
    ['what is your fax number?', 'Send a letter.'],
    ['Wie viele Mitglieder hat der Verein?', 'Der Verein freut sich über Mitglieder.'],
    ['Wie viele Gruppen darf ein Kind wählen?', '1. Jedes Kind wählt eine Gruppe.'],
    ['Wie viele Tore hat der Hof?', 'Der Beschluss vom 12.03.2021 nach § 4 und Schritt 2 gilt für den Hof.'],
    ['Wie lange bleibt der Ordner liegen?', 'Der Ordner hat 12 Seiten.'],
    ['Wie lange gilt der Lohn?', 'Der Lohn beträgt 12,50 Euro je Stunde.'],
    ['How long is the trial period?', 'The trial has no fixed form; any member may join.'],
    ['How often is the boiler serviced?', 'The boiler stands in the cellar since 2019.'],
    ['What is the minimum length of a code?', 'Codes are kept in 2FA and KeyBox4.'],
    ['Ab welchem Alter darf man mitfahren?', 'Mitfahren darf man mit einem Helm.'],
    ['What is the speaker bonus?', 'Speakers get a bonus.'],
    ['Welche Chor-Version wird gesungen?', 'Gesungen wird die Version des Chors.'],
    ['Öffnungszeiten des Hofladens', 'Außerhalb der Öffnungszeiten ist der Hofladen zu.'],
    ['Wann hat der Hofladen offen?', 'Im Hofladen gibt es 12 Sorten Äpfel.'],
    ['What time does the choir begin?', 'The choir begins with a song.'],
  ])('is missing: %s', (question, text) => {
    expect(isMissing(question, text)).toBe(true);
  });

  it.each([
    ['Was kostet ein Zimmer?', 'Ein Zimmer kostet 40 Euro.'],
    ['Was kostet die Beglaubigung?', 'Beglaubigung von Unterschriften: 5,00'],
    ['Was kostet ein Zimmer?', 'Die Zimmer sind kostenlos.'],
    ['which phone number do I call for support', 'Call 030 1234567.'],
    ['i have a german phone number, how can i log in', 'Use the app.'],
    ['Wie hoch ist der Mitgliedsbeitrag?', 'Mitglieder zahlen 12 EUR im Jahr.'],
    ['What is the parking fee?', 'Parking is free on Sundays.'],
    ['How much is the deposit for a room?', 'A deposit of 50.00 is paid at the desk.'],
    ['Was kostet die Kopie?', 'Kopien gibt es ohne weitere Kosten.'],
    ['Was kostet der Eintritt?', 'Der Eintritt ist frei.'],
    ['Wie ändere ich die Telefonnummer?', 'Im Profil.'],
    ['Wie lange gilt der Ausweis?', 'Er gilt bis zum Auszug.'],
    ['How often is it checked?', 'It is checked weekly.'],
    ['how much bandwidth does it need', 'It needs 58 kbit/s.'],
    ['Ab welchem Alter darf man mitfahren?', 'Mitfahren dürfen Kinder ab 6 Jahren.'],
    ['What is the speaker bonus?', 'Speakers get £250.'],
    ['which editor version do I need', 'You need the editor from 4.2 on.'],
    ['Welcher Satz steht am Tor?', 'Am Tor steht ein Gruß.'],
    ['How long is the trial period?', 'The trial takes two months.'],
    ['Wie viele Gäste darf ich mitbringen?', 'Gäste dürfen in beliebiger Zahl kommen.'],
    ['Wie oft wird der Hof gefegt?', 'Der Hof wird jeden Freitag gefegt.'],
    ['What is the procedure for a new desk?', 'Ask the office.'],
    ['Wo liegt das Zimmer?', 'Im ersten Stock.'],
    ['Wie finde ich heraus, welche Chor-Version gesungen wird?', 'Das steht am Brett.'],
    ['how can I check how many seats are left', 'Ask at the desk.'],
    ['Öffnungszeiten des Hofladens', 'Der Hofladen hat freitags von 8 bis 12 Uhr offen.'],
    ['When is the shop open?', 'The shop is open Monday to Friday.'],
    ['When can I open an account?', 'Ask the office.'],
  ])('is there, or is not asked for: %s', (question, text) => {
    expect(isMissing(question, text)).toBe(false);
  });
});

it('is a figure of a thing, not of what it is measured by', () => {
  expect(['pro', 'm³', 'Kubikmeter', 'Kilometer', 'month'].map(isOfFigure)).toEqual(Array(5).fill(true));
  expect(['Karte', 'Wasser', 'Messer'].map(isOfFigure)).toEqual(Array(3).fill(false));
});
