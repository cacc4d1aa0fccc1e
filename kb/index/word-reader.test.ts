import { deserialize, serialize } from 'node:v8';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Source } from '../source.ts';
import { buildIndex } from './build.ts';
import { buildInThreads } from './build-in-threads.ts';
import { WordReader, type KeptWords } from './word-reader.ts';

const WORDS =
  'Urlaub Urlaubsanspruch Anspruch zahlt Zahlt Fortzahlung fortgezahlt Entgelt Entgeltfortzahlung leave paid the and der und 24 39'.split(
    ' ',
  );
const text = fc
  .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 200 })
  .map((words) => `${words.join(' ')}.`);
const lines = fc.array(text, { maxLength: 3 });
const source = fc.record({
  id: fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F'),
  title: text,
  section: fc.constantFrom('', 'Abschnitt', 'Urlaub'),
  lang: fc.constantFrom('de', 'en'),
  text,
  asked: lines,
  unanswered: lines,
});
/** A base at one time: sources with distinct ids, sorted by id. */
const base = fc
  .uniqueArray(source, { selector: ({ id }) => id, maxLength: 6 })
  .map((sources) =>
    sources
      .map((each): Source => ({ ...each, stand: '2022-01', work: 'W', year: null }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
  );
/** Changes of a base: sources are added, removed, added again, get another id, and change their text. */
const history = fc.tuple(base, base).chain(([first, second]) =>
  fc
    .array(fc.subarray([...first, ...second.map((each) => ({ ...each, id: `${each.id}-2` }))]), {
      minLength: 1,
      maxLength: 5,
    })
    .map((bases) => [first, ...bases]),
);
const SYNONYMS = [{ from: ['freie Tage', 'Ferien'], to: ['Urlaub'], line: 1 }];

describe('words that were read before', () => {
  test('give the index that reading everything gives, whatever the history of the base', () => {
    fc.assert(
      fc.property(history, (bases) => {
        let kept: KeptWords | null = null;
        for (const sources of bases) {
          const reader = new WordReader(kept);
          reader.read(sources);
          kept = keptOf(reader);
          const built = buildIndex(sources, SYNONYMS, reader);
          expect(serialize(built)).toEqual(serialize(buildIndex(sources, SYNONYMS)));
        }
      }),
      { numRuns: 60 },
    );
  });

  test('give the same index where another thread counts their 4-grams', async () => {
    const few = fc.sample(base, { numRuns: 10, seed: 1 }).flat();
    // More than is sent at once, with new words up to the end.
    const many = Array.from({ length: 50 }, (_, copy) =>
      few.map((each) => ({ ...each, text: `${each.text} Wort${copy}` })),
    ).flat();
    for (const sources of [few, many, []]) {
      const built = await buildInThreads(sources, SYNONYMS, { worthAThread: 0 });
      expect(serialize(built)).toEqual(serialize(buildIndex(sources, SYNONYMS)));
    }
  });

  test('are kept of sources that are there, and of no others', () => {
    const [a, b] = ['eins', 'zwei'].map((word): Source => ({
      id: word,
      title: word,
      section: '',
      lang: 'de',
      text: `Hier steht ${word}.`,
      stand: '2022-01',
      work: 'W',
      year: null,
    }));
    const first = new WordReader();
    first.read([a!, b!]);
    const second = new WordReader(keptOf(first));
    second.read([b!]);
    const { texts, sources } = keptOf(second);
    expect(texts).not.toContain('eins');
    expect(texts).toContain('zwei');
    expect(sources.size).toBe(1);
  });
});

/** The words as they come back from a file. */
function keptOf(reader: WordReader): KeptWords {
  const { texts, languages, sources } = reader.kept();
  return deserialize(serialize({ texts, languages, sources: new Map(sources) })) as KeptWords;
}
