import { expect, test } from 'vitest';
import { personalDataIn } from './personal-data.ts';

test.each([
  ['Pfändung auf DE89 3704 0044 0532 0130 00 bitte', ['iban']],
  ['Lohn auf at611904300234573201 überweisen?', ['iban']],
  ['Konto DE89370400440532013000, IdNr. 86 095 742 719', ['iban', 'tax-id']],
  ['Steuer-ID 65929970489, was nun?', ['tax-id']],
  ['Rentenversicherung 15 070649 C 103', ['insurance-number']],
  ['SV-Nummer 15070649C103?', ['insurance-number']],
  ['Krankenkasse, Nr. A123456780', ['insurance-number']],
  ['Herr Müller verdient 3.200 Euro brutto, wie hoch ist der Zuschlag?', ['name-with-salary']],
  ['Frau Dr. Schmidt: Gehalt 4500, Minijob daneben?', ['name-with-salary']],
  ['Was bleibt netto, wenn Thomas Becker verdient 3200 €', ['name-with-salary']],
  ['Mitarbeiterin Anna Schulz bekommt 520 € im Monat', ['name-with-salary']],
  ['Our employee Jane Miller earns 2,500 EUR gross', ['name-with-salary']],
])('in %j: %j', (text, kinds) => {
  expect(personalDataIn(text)).toEqual(kinds);
});

test.each([
  'Wie hoch ist der gesetzliche Mindestlohn ab Juli 2022?',
  'DE88 3704 0044 0532 0130 00', // a check digit off
  'DE12 345',
  '86095742718', // a check digit off
  '12345678901', // no digit twice
  '01234567899', // begins with 0
  '15070649C104', // a check digit off
  'A123456789', // a check digit off
  'Betriebsnummer 12345678',
  'Der Minijobber verdient 520 Euro im Monat',
  'Welcher Minijobber verdient mehr als 520 Euro?',
  'Muss Frau Müller die Krankmeldung 2022 vorlegen?',
  'Bekommt Frau Müller Lohn nach § 616 BGB?',
  'Bekommt Herr Müller 25 % Zuschlag zum Lohn?',
  'Minijob 520 Euro Urlaub Feiertag Lohn',
  'Wie hoch war der Mindestlohn am 01.10.2022: 12,00 Euro?',
])('nothing in %j', (text) => {
  expect(personalDataIn(text)).toEqual([]);
});
