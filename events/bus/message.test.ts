import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { matchesFilter } from './message.ts';

const token = fc.constantFrom('a', 'b', 'c');
const filterToken = fc.constantFrom('a', 'b', 'c', '*');
const filter = fc
  .tuple(fc.array(filterToken, { maxLength: 4 }), fc.boolean())
  .map(([tokens, rest]) => (rest || tokens.length === 0 ? [...tokens, '>'] : tokens));

test('matching is what the regular expression of the filter says', () => {
  fc.assert(
    fc.property(filter, fc.array(token, { minLength: 1, maxLength: 5 }), (filter, subject) => {
      const pattern = filter.map((t) => ({ '*': '[^.]+', '>': '.+' })[t] ?? t).join('\\.');
      expect(matchesFilter(filter, subject)).toBe(new RegExp(`^${pattern}$`).test(subject.join('.')));
    }),
    { numRuns: 500 },
  );
});
