import { expect, test } from 'vitest';
import { quantitiesAsked } from './families.ts';

test.each([
  ['Wie hoch ist die Miete?', 'de', [{ start: 4, nouns: ['Höhe'] }]],
  ['Und wie lange gilt sie?', 'de', [{ start: 8, nouns: ['Dauer'] }]],
  ['Der hohe Turm ist wie alt?', 'de', [{ start: 22, nouns: ['Alter'] }]],
  ['Ist der Turm hoch?', 'de', []],
  ['How many keys do I get?', 'en', [{ start: 4, nouns: ['number'] }]],
  ['Many keys are old.', 'en', []],
] as const)('%s', (question, language, expected) => {
  expect(quantitiesAsked(question, language)).toEqual(expected);
});
