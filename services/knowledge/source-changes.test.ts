import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import type { Source } from '../../kb/source.ts';
import { compareSources } from './source-changes.ts';

const source = (id: string, text: string): Source => ({
  id,
  title: 'T',
  section: '',
  stand: '2021-07',
  work: 'W',
  lang: 'de',
  year: null,
  text,
});

const IDS = ['A', 'B', 'C', 'D', 'E'];
const bases = fc
  .dictionary(fc.constantFrom(...IDS), fc.constantFrom('eins', 'zwei'))
  .map((texts) => new Map(Object.entries(texts)));
const sourcesOf = (texts: ReadonlyMap<string, string>): Source[] =>
  [...texts].map(([id, text]) => source(id, text)).toSorted((a, b) => (a.id < b.id ? -1 : 1));

test('sources are added, changed or removed by id', () => {
  fc.assert(
    fc.property(bases, bases, (before, after) => {
      expect(compareSources(sourcesOf(before), sourcesOf(after))).toEqual({
        added: IDS.filter((id) => !before.has(id) && after.has(id)).length,
        changed: IDS.filter((id) => before.has(id) && after.has(id) && before.get(id) !== after.get(id))
          .length,
        removed: IDS.filter((id) => before.has(id) && !after.has(id)).length,
      });
    }),
  );
});

test('a source that is the same object is not read', () => {
  const unreadable = {
    ...source('B', ''),
    get text(): string {
      throw new Error('its text was read');
    },
  };
  const before = [source('A', 'eins'), unreadable];
  const after = [source('A', 'zwei'), unreadable, source('C', 'drei')];
  expect(compareSources(before, after)).toEqual({ added: 1, changed: 1, removed: 0 });
});
