import { expect, it } from 'vitest';
import { asksOwnCase } from './own-case.ts';

it.each([
  'Wie viele freie Tage habe ich noch übrig?',
  'welche steuerklasse hab ich grad',
  'Ist mein Antrag schon genehmigt?',
  'Haben wir den Lehrling bereits angemeldet?',
  'how many days do I have left',
])('asks for what only files hold: %s', (question) => {
  expect(asksOwnCase(question)).toBe(true);
});

it.each([
  'Wie viele freie Tage habe ich noch, wenn ich im Juli kündige?',
  'Wie viel Urlaub habe ich noch bei einem Wechsel im Mai?',
  'Sind Überstunden bereits mit dem Gehalt abgegolten?',
  'Ich habe schon gekündigt. Wann endet mein Vertrag?',
  'Wie viele Tage Urlaub stehen mir zu?',
])('asks for a rule: %s', (question) => {
  expect(asksOwnCase(question)).toBe(false);
});
