import * as fc from 'fast-check';
import { expect, test } from 'vitest';

import { atOnce } from '../steps.ts';
import type { Source } from '../source.ts';
import { placing, placingChange, type SourcesOfFile } from './placing.ts';

const source = (id: string, isOfDocument: boolean): Source => ({
  id,
  title: id,
  section: '',
  stand: '2021-03',
  work: 'W',
  lang: 'de',
  text: 'Text.',
  year: null,
  ...(isOfDocument && { units: [] }),
});
/** Some ids are of several files, and some have a year that only counts beside another one. */
const id = fc.constantFrom('A', 'B', 'C', 'D', 'E', 'F', 'G', 'SVBez2021-1', 'SVBez2022-1');
const file = fc
  .record({
    path: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
    kind: fc.constantFrom('source' as const, 'source' as const, 'document' as const),
    ids: fc.uniqueArray(id, { maxLength: 2 }),
  })
  .map(({ path, kind, ids }): SourcesOfFile => ({
    path,
    kind,
    idLine: 2,
    sources: (kind === 'source' ? ids.slice(0, 1) : ids).map((each) => source(each, kind === 'document')),
  }));
/** The files of a base at several times. */
const histories = fc.array(fc.uniqueArray(file, { maxLength: 6, selector: ({ path }) => path }), {
  minLength: 2,
  maxLength: 5,
});

const sorted = (files: readonly SourcesOfFile[]): SourcesOfFile[] =>
  files.toSorted((a, b) => (a.path < b.path ? -1 : 1));

test('sources after a change are those of a base that is placed at once, as the same objects', () => {
  let changes = 0;
  fc.assert(
    fc.property(histories, fc.constantFrom(null, true, false), ([first, ...later], law) => {
      const about =
        law === null
          ? null
          : { title: null, language: 'de' as const, asOf: null, topics: [], questions: [], law };
      let files = sorted(first!);
      let { sources: before } = atOnce(placing(files, about, []));
      for (const each of later) {
        // Every second file stays as it was.
        const kept = files.filter((_, n) => n % 2 === 0);
        const come = each.filter(({ path }) => !kept.some((one) => one.path === path));
        const gone = files.filter((one) => !kept.includes(one));
        files = sorted([...kept, ...come]);
        const placed = atOnce(placing(files, about, before));
        const changed = atOnce(placingChange({ gone, come }, about, before)) ?? placed;
        changes += Number(changed !== placed);
        expect(changed).toEqual(placed);
        expect(changed.sources.every((one, number) => one === placed.sources[number])).toBe(true);
        before = changed.sources;
      }
    }),
    { numRuns: 300 },
  );
  expect(changes).toBeGreaterThan(100);
});
