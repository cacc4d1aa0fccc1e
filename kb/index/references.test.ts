import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import type { Source } from '../source.ts';
import { atOnce } from '../steps.ts';
import { References } from './references.ts';

function source(id: string, work: string, title = '', section = ''): Source {
  return { id, work, title, section, stand: '2022-01', lang: 'de', year: null, text: 'Text' };
}

const SOURCES = [
  source('EntgFG-3', 'EntgFG', '§ 3 EntgFG: Anspruch'),
  source('EntgFG-3a', 'EntgFG', '§ 3a EntgFG: Spende'),
  source('EntgFG-4', 'EntgFG', '§ 4 EntgFG: Höhe'),
  source('SGB4-8', 'SGB IV', '§ 8 SGB IV: Geringfügige Beschäftigung'),
  source('SVBezGrV2021-2', 'SVBezGrV', '§ 2 SVBezGrV 2021: Bezugsgröße'),
  source('SVBezGrV2022-2', 'SVBezGrV', '§ 2 SVBezGrV 2022: Bezugsgröße'),
  source('GewO-14-16', 'GewO', '§§ 14 bis 16 GewO: Anzeigen'),
  source('GewO-156', 'GewO', '§ 156 GewO: Übergang zu den §§ 34d und 34e'),
  source('AZ-PAUSEN', 'ArbZG', 'Pausen', '§ 4 ArbZG, § 11 JArbSchG'),
  source('PAUSEN-JUGEND', 'JArbSchG', 'Pausen der Jugendlichen', '§ 11 Abs. 1 Satz 2 JArbSchG'),
  source('BS-ALV', 'SGB III', 'Beitrag', '§§ 341, 346 Abs. 1, § 352 Abs. 1 SGB III'),
];
const references = atOnce(
  References.reading(SOURCES, [{ from: ['Entgeltfortzahlungsgesetz', 'EFZG'], to: ['EntgFG'], line: 1 }]),
);
const resolve = (question: string): string[] =>
  references.resolve(question).map(({ source: number }) => SOURCES[number]!.id);

describe('a question names', () => {
  test.each([
    ['§ 3 EntgFG', ['EntgFG-3']],
    ['§3 entgfg', ['EntgFG-3']],
    ['Was regelt Paragraph 3a des EntgFG?', ['EntgFG-3a']],
    ['EntgFG § 4', ['EntgFG-4']],
    ['§ 3 Abs. 1 Satz 2 Nr. 2 EntgFG', ['EntgFG-3']],
    ['§ 3 EFZG', ['EntgFG-3']],
    ['§ 4 Entgeltfortzahlungsgesetz', ['EntgFG-4']],
    ['§ 3 Abs. 1 und 2 EntgFG', ['EntgFG-3']],
    ['§ 3 Abs. 1 Nr. 1, 2 und 3a EntgFG', ['EntgFG-3']],
    ['§ 3 Abs. 1 Buchst. b und c EntgFG', ['EntgFG-3']],
    ['sections §§ 3 to 4 EntgFG', ['EntgFG-3', 'EntgFG-3a', 'EntgFG-4']],
    ['§§ 3 und 4 EntgFG', ['EntgFG-3', 'EntgFG-4']],
    ['§§ 3 bis 4 EntgFG', ['EntgFG-3', 'EntgFG-3a', 'EntgFG-4']],
    ['§ 15 GewO', ['GewO-14-16']],
    ['§§ 15 bis 20 GewO', ['GewO-14-16']],
    ['§ 8 SGB IV', ['SGB4-8']],
    ['§ 8 SGB 4', ['SGB4-8']],
    ['§ 8 Abs 1 Z 2 SGB4', ['SGB4-8']],
    ['§ 2 SVBezGrV 2021', ['SVBezGrV2021-2']],
    ['§ 2 SVBezGrV', ['SVBezGrV2021-2', 'SVBezGrV2022-2']],
    ['Was sagt [EntgFG-3a]?', ['EntgFG-3a']],
    ['az-pausen', ['AZ-PAUSEN']],
    ['Wann sind die AZ-Pausen?', []],
    ['§ 11 JArbSchG', ['AZ-PAUSEN', 'PAUSEN-JUGEND']],
    ['§ 346 SGB III', ['BS-ALV']],
    ['§ 34d GewO', []],
    ['§ 3 BGB', []],
    ['§ 3', []],
    ['drei Tage krank', []],
  ])('%s', (question, ids) => {
    expect(resolve(question)).toEqual(ids);
  });
});

test('keeps the Absatz', () => {
  expect(references.resolve('§ 3 Absatz 2 EntgFG')).toEqual([{ source: 0, absatz: '2' }]);
});

test('a base of one statute needs no name', () => {
  const only = atOnce(References.reading([source('ASVG-5', 'ASVG', '§ 5 ASVG')], []));
  expect(only.resolve('§ 5 Abs 2 Z 2')).toEqual([{ source: 0, absatz: '2' }]);
  expect(only.resolve('§ 5 ABGB')).toEqual([]);
});

describe('a document', () => {
  const units: Source['units'] = [];
  const documents = [
    { ...source('on-call', 'On call'), units },
    { ...source('travel.costs-3', 'Travel', '§ 3 Costs'), units },
  ];
  const named = (question: string, law: boolean | null = null): string[] => {
    const about = { title: 'T', language: 'en', law, asOf: null, topics: [], questions: [] } as const;
    const references = atOnce(References.reading(documents, [], about));
    return references.resolve(question).map(({ source: number }) => documents[number]!.id);
  };

  test.each([
    ['Who is on-call at night?', []],
    ['What does [on-call] say?', ['on-call']],
    ['on-call', ['on-call']],
    ['What does paragraph 3 say?', []],
  ])('is named by its id where that is no word of the question: %s', (question, ids) => {
    expect(named(question)).toEqual(ids);
  });

  test('is named by its § where the base is law', () => {
    expect(named('§ 3 Travel', true)).toEqual(['travel.costs-3']);
  });
});

const passage = (id: string, section: string, title: string): Source => ({
  ...source(id, 'Haus', title, section),
  units: [],
});

describe('a question in the words of a heading names the passage of a document', () => {
  const passages = [
    passage('a', 'Haus › Küche', 'Spüldienst'),
    passage('b', 'Haus › Küche', 'Putzen'),
    passage('c', 'Haus › Zimmer', 'Putzen'),
  ];
  const inHouse = atOnce(References.reading(passages, []));
  test.each([
    ['spüldienst?', ['a']],
    ['Haus › Küche › Putzen', ['b']],
    ['Haus › Zimmer › Putzen', ['c']],
    ['Putzen', []],
    ['Wer macht den Spüldienst?', []],
  ])('%s', (question, expected) => {
    expect(inHouse.resolve(question).map((each) => passages[each.source]!.id)).toEqual(expected);
  });
});

/** Sources whose names may be those of others too; an id has several versions. */
const named = fc
  .record({
    id: fc.constantFrom('A-1', 'A-1-3', 'A-2', 'a-2', 'B-1', 'B-2', 'B-2a', 'C-1', 'X', 'Y', 'Z'),
    work: fc.constantFrom('A', 'B', 'A', 'B', 'C'),
    title: fc.constantFrom('Pausen', '§ 1 A: Anspruch', '§§ 1 bis 2 B: Dauer', '§ 3: Höhe'),
    section: fc.constantFrom('', '§ 2 B', '§ 1 A, § 2a B', '§ 1 C'),
    isOfDocument: fc.boolean(),
  })
  .map(({ id, work, title, section, isOfDocument }) => ({
    ...source(id, work, title, section),
    ...(isOfDocument && id < 'a' && id > 'W' && { units: [] }),
  }));
const lists = fc
  .uniqueArray(named, { minLength: 6, maxLength: 12, selector: ({ id }) => id })
  .map((sources) => sources.toSorted((a, b) => (a.id < b.id ? -1 : 1)));
const ASKED =
  'A-1|a-2|B-2a|X|[Y]|Pausen|§ 1 A|§ 2 B|§§ 1 bis 3 A|§§ 1 bis 2a B|§ 1 C|§ 3|§ 1 Alpha|§ 2 Abs. 1 B, § 1 A'.split(
    '|',
  );
const SYNONYMS = [{ from: ['Alpha'], to: ['A'], line: 1 }];

test('after a change, the same is named as in a base that is read at once', () => {
  let changes = 0;
  fc.assert(
    fc.property(lists, lists, fc.func(fc.nat(9)), (first, second, drawn) => {
      // Most sources stay.
      const stays = first.filter(({ id }) => drawn(id) < 8);
      const come = second.filter((one) => drawn(one.title) < 4 && !stays.some(({ id }) => id === one.id));
      const now = [...stays, ...come].toSorted((a, b) => (a.id < b.id ? -1 : 1));
      const large = atOnce(References.reading(first, SYNONYMS));
      const change = {
        large,
        moved: Int32Array.from(first, (one) => now.indexOf(one)),
        come: come.map((one) => now.indexOf(one)).toSorted((a, b) => a - b),
      };
      const steps = [...References.reading(now, SYNONYMS, null, { change })].length;
      const changed = atOnce(References.reading(now, SYNONYMS, null, { change }));
      const read = atOnce(References.reading(now, SYNONYMS));
      changes += Number(steps < now.length);
      for (const question of ASKED)
        expect([question, changed.resolve(question)]).toEqual([question, read.resolve(question)]);
    }),
    { numRuns: 1_000 },
  );
  expect(changes).toBeGreaterThan(100);
});

const costOf = (steps: Iterable<number>): number => [...steps].reduce((sum, step) => sum + step, 0);

test('with what a snapshot has of them, the same is named for less work', () => {
  fc.assert(
    fc.property(lists, (sources) => {
      const read = atOnce(References.reading(sources, SYNONYMS));
      const known = atOnce(References.reading(sources, SYNONYMS, null, { known: read.known }));
      for (const question of ASKED)
        expect([question, known.resolve(question)]).toEqual([question, read.resolve(question)]);
      expect(known.known).toEqual(read.known);
    }),
    { numRuns: 300 },
  );
  const statute = Array.from({ length: 200 }, (_, n) => source(`A-${n}`, 'A', `§ ${n} A`));
  const before = { known: atOnce(References.reading(statute, [])).known };
  expect(costOf(References.reading(statute, [], null, before))).toBeLessThan(
    costOf(References.reading(statute, [])) / 2,
  );
});
