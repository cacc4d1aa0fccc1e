import { expect, test } from 'vitest';
import { askQuoting } from '../../testing/ask-quoting.ts';
import { openKnowledge } from '../../kb/open.ts';
import { STARTER_BASE } from './settings.ts';

const { index } = await openKnowledge({ folder: STARTER_BASE, snapshotDir: null });

/** The questions of `base.yaml` and of the documentation, with the passages that answer them. */
const EXAMPLES = new Map([
  ['Wie viele Urlaubstage stehen mir im Jahr mindestens zu?', ['URL-DAUER']],
  ['Wie lange wird bei Krankheit der Lohn weitergezahlt?', ['EFZ-DAUER']],
  ['Wie hoch ist der Mindestlohn ab Juli 2022?', ['ML-HOEHE-2022']],
  ['Wie hoch ist der gesetzliche Mindestlohn ab Juli 2022?', ['ML-HOEHE-2022']],
  ['Wann sind die Sozialversicherungsbeiträge fällig?', ['SV-FAELLIGKEIT']],
  ['Darf ein befristeter Vertrag ohne Sachgrund verlängert werden?', ['BEF-OHNE-GRUND']],
  [
    'Wie hoch ist der Mindestlohn und wie lange wird das Entgelt bei Krankheit fortgezahlt?',
    ['ML-HOEHE-2022', 'EFZ-DAUER'],
  ],
]);

/** Parts that depend on the first one, a question with a year, a question within a story, and a single word. */
const SHORT = new Map([
  ['Bis wann muss ich Kurzarbeit anzeigen und wie lange läuft das maximal?', ['KUG-ANZEIGE', 'KUG-DAUER']],
  ['Wie lang ist die Pause bei neun Stunden und darf man sie aufteilen?', ['AZ-PAUSEN']],
  ['Mindestlohn 2020', ['ML-HOEHE-2020']],
  ['Mein Vertrag ist von 2018. Muss die Kündigung schriftlich sein?', ['KUE-SCHRIFTFORM']],
  ['ruhezeit', ['AZ-RUHEZEIT']],
  ['wie viel prozent krieg ich in kurzarbeit und was wenn ich da krank werde', ['KUG-HOEHE', 'KUG-KRANK']],
]);

test('the starter base offers no other questions', () => {
  expect(index.about!.questions.filter((question) => !EXAMPLES.has(question))).toEqual([]);
});

test.each([...EXAMPLES, ...SHORT])(
  'an example is answered with the right passage: %s',
  async (question, passages) => {
    const output = await askQuoting(index, question);
    expect(output).toMatchObject({
      outcome: 'answer',
      answer: { status: 'answered', citations: expect.arrayContaining(passages) },
    });
  },
);

test.each(['freigrenze', 'Fristen?'])(
  'one word that several titles have, none surely meant, is asked back: %s',
  async (question) => {
    const output = await askQuoting(index, question);
    expect(output).toMatchObject({
      outcome: 'answer',
      answer: {
        status: 'refused',
        citations: [],
        clarification_question: expect.stringContaining('Was ist gemeint'),
      },
    });
  },
);

test.each([
  [
    'Was ist bei der Weihnachtsfeier pro Kopf steuerfrei, und habt ihr ein gutes Rezept für Glühwein?',
    'LST-BETRIEBSVERANSTALTUNG',
    '„habt ihr ein gutes Rezept für Glühwein“',
  ],
  [
    'Wie lange kann ich gegen die Kündigung klagen und was kostet mich der Anwalt?',
    'KUE-KLAGEFRIST',
    '„was kostet mich der Anwalt“',
  ],
])('a part that the base does not answer is left open: %s', async (question, cited, open) => {
  const output = await askQuoting(index, question);
  expect(output).toMatchObject({
    outcome: 'answer',
    answer: { status: 'answered', citations: [cited], answer: expect.stringContaining(open) },
  });
});
