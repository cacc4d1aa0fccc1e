import { expect, test } from 'vitest';
import { createExtractiveGenerator } from '../../actors/ask/extractive/generator.ts';
import type { Retriever } from '../../actors/ask/ports.ts';
import { askMachineOf, runAsk } from '../../actors/ask/run.ts';
import { openKnowledge } from '../../kb/open.ts';
import { STARTER_BASE } from '../config.ts';

const { index } = await openKnowledge({ folder: STARTER_BASE, snapshotDir: null });
const retriever: Retriever = {
  indexHash: index.hash,
  asOf: index.about?.asOf ?? null,
  search: (query, options) => index.search(query, options),
  coverage: (query, hits) => index.coverage(query, hits),
  source: (id) => index.source(id),
};

/** What `base.yaml` and the documentation ask, and the passages that answer it. */
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

/** Parts that lean on the first, a year that is asked about, one of a story, and one word. */
const SHORT = new Map([
  ['Bis wann muss ich Kurzarbeit anzeigen und wie lange läuft das maximal?', ['KUG-ANZEIGE', 'KUG-DAUER']],
  ['Wie lang ist die Pause bei neun Stunden und darf man sie aufteilen?', ['AZ-PAUSEN']],
  ['Mindestlohn 2020', ['ML-HOEHE-2020']],
  ['Mein Vertrag ist von 2018. Muss die Kündigung schriftlich sein?', ['KUE-SCHRIFTFORM']],
  ['ruhezeit', ['AZ-RUHEZEIT']],
]);

test('the starter base offers no other questions', () => {
  expect(index.about!.questions.filter((question) => !EXAMPLES.has(question))).toEqual([]);
});

test.each([...EXAMPLES, ...SHORT])(
  'an example is answered with the right passage: %s',
  async (question, passages) => {
    const output = await runAsk(
      askMachineOf(retriever, createExtractiveGenerator()),
      {
        request_id: 'example',
        question,
        mode: 'knowledge',
        top_k: 8,
        model: 'extractive',
        modelUntil: null,
        fallback: false,
        now: () => 0,
      },
      new AbortController().signal,
    );
    expect(output).toMatchObject({
      outcome: 'answer',
      answer: { status: 'answered', citations: expect.arrayContaining(passages) },
    });
  },
);
