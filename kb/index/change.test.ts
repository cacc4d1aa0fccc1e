import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { atOnce } from '../steps.ts';
import type { Source } from '../source.ts';
import { buildIndex } from './build.ts';
import { changing } from './change.ts';
import { LexicalIndex, readingNames } from './lexical-index.ts';
import { opening } from './searched.ts';
import { rankHits } from '../ranking/rank.ts';

/** Words that are parts of others, so that adding or removing one changes how others are split. */
const WORDS =
  'Schicht Nacht Nachtschicht Nachtschichten Spätschicht Schichtzulage Zulage Zulagen Entgelt Entgeltfortzahlung Fortzahlung Fortzahlungen Arbeit Arbeitszeit Zeit Zeitung zahlt zahlen gezahlt Nachtarbeitszeitzulage 24 39tage leave paid shift the and der und'.split(
    ' ',
  );
const QUESTIONS = [
  ...WORDS,
  'Nachtschichtzulage',
  'Arbeitszeitzulagen',
  'Entgeltfortzahlng',
  'Schichtzlage',
  'Zeitungen der Nachtarbeit',
  'Wie viel Zulage wird für Spätschichten gezahlt?',
  'freie Tage',
  '§ 3 W',
  'A-2021',
];
/** Those whose hits are compared as a whole, too. */
const RANKED = ['Wie viel Zulage wird für Spätschichten gezahlt?', 'Nachtschichtzulage'];
const SYNONYMS = [{ from: ['freie Tage', 'Ferien'], to: ['Zeitung'], line: 1 }];
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 150 })
  .map((words) => `${words.join(' ')}.`);
const short = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 })
  .map((words) => words.join(' '));
const lines = fc.array(short, { maxLength: 2 });
const IDS = ['A', 'A-2021', 'A-2022', 'B', 'C', 'D', 'E', 'F', 'G', 'W-3'];
const source = fc
  .record({
    id: fc.constantFrom(...IDS),
    title: short,
    section: fc.constantFrom('', 'Abschnitt', 'Nachtschichten', '§ 3'),
    lang: fc.constantFrom<'de' | 'en'>('de', 'de', 'de', 'en'),
    text,
    asked: lines,
    unanswered: lines,
  })
  .map((each): Source => ({
    ...each,
    stand: '2022-01',
    work: 'W',
    year: /20\d\d$/u.test(each.id) ? Number(each.id.slice(-4)) : null,
  }));
/** A base at one time. An object that is the same in two bases has not changed. */
const bases = fc
  .array(source, { minLength: 4, maxLength: 16 })
  .chain((sources) => fc.array(fc.subarray(sources, { minLength: 1 }), { minLength: 2, maxLength: 6 }))
  .map((all) => all.map((sources) => [...new Map(sources.map((each) => [each.id, each])).values()]))
  .map((all) => all.map((sources) => sources.toSorted((a, b) => (a.id < b.id ? -1 : 1))));

function found(index: LexicalIndex, terms: Iterable<string>): unknown {
  return {
    passages: index.passageCount,
    frequencies: [...terms].map((term) => [term, index.words.passageFrequency(term)]),
    hits: QUESTIONS.map((question) => [question, index.search(question, { topK: 20 })]),
    ranked: RANKED.map((question) =>
      atOnce(rankHits(index, question, index.search(question, { topK: 10 }))).map(({ source, match }) => ({
        id: source.id,
        match,
      })),
    ),
    occurs: index.data.sources.flatMap(({ id }) =>
      QUESTIONS.map((term) => index.occurs(term.toLowerCase(), id)),
    ),
    sources: IDS.map((id) => index.source(id)),
    unanswered: [...index.data.unanswered].toSorted(([a], [b]) => (a < b ? -1 : 1)),
    vocabulary: QUESTIONS.map((word) => index.data.vocabulary.has(word.toLowerCase())),
  };
}

describe('an index after a change', () => {
  test('finds what one that is counted at once finds, whatever the history', () => {
    let changes = 0;
    fc.assert(
      fc.property(bases, ([first, ...later]) => {
        const opened = atOnce(opening(buildIndex(first!, SYNONYMS)));
        const large = atOnce(readingNames(opened));
        for (const sources of later) {
          const searched = atOnce(changing(opened, sources));
          if (searched === null) continue;
          changes++;
          const names = atOnce(readingNames(searched, null, { large }));
          const changed = new LexicalIndex(opened.data, null, { searched, names });
          const rebuilt = new LexicalIndex(buildIndex(sources, SYNONYMS));
          expect(found(changed, changed.words.terms())).toEqual(found(rebuilt, changed.words.terms()));
        }
      }),
      { numRuns: Number(process.env['RUNS'] ?? 60) },
    );
    expect(changes).toBeGreaterThan(60);
  });
});
