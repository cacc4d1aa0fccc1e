import { expect, it } from 'vitest';
import type { Source } from '../source.ts';
import { answersAnother } from './another-question.ts';

const passage = (title: string, text: string): Source => ({
  id: 'haus.frage',
  title,
  section: 'Fragen zum Haus',
  stand: '2024-03',
  work: 'Haus',
  lang: 'de',
  year: null,
  text,
  units: [{ kind: 'paragraph', start: 0, end: text.length, lead: null }],
});

const PARKING = passage(
  'Muss ich mein Fahrrad im Keller abstellen?',
  'Nein, im Hof ist auch Platz. Der Keller ist offen.',
);

it.each([
  ['Was kostet ein Stellplatz für mein Auto?', PARKING, true],
  ['Darf meine Freundin ihr Fahrrad mitbringen?', PARKING, true],
  ['Muss das Fahrrad in den Keller?', PARKING, false],
  ['Ist im Hof Platz?', PARKING, false],
  ['Was kostet ein Stellplatz?', passage('Fahrrad im Keller?', 'Natürlich darf es dort stehen.'), true],
  ['Was kostet ein Stellplatz?', passage('Wo steht das Fahrrad?', 'Im Keller.'), false],
  ['Was kostet ein Stellplatz?', passage('Fahrräder', 'Nein, sie müssen nicht in den Keller.'), false],
  ['Was kostet ein Stellplatz?', passage('Wer fährt Rad?', 'Doch nur wenige fahren Rad.'), false],
])('%s: whether the passage says yes or no to another question', (question, source, expected) => {
  expect(answersAnother(question, source)).toBe(expected);
});

it('does not speak of sources without units', () => {
  const { units: _, ...source } = PARKING;
  expect(answersAnother('Was kostet ein Stellplatz?', source)).toBe(false);
});
