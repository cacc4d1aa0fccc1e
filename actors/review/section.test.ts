import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictOf } from './check.ts';
import { checkOf, parseSection, renderSection } from './section.ts';

const known = (id: string): boolean => id.startsWith('KB');
const wage = checkOf('warn', 'stundenlohn_2022_08', 'Angegeben ist 9,82 €', ['KB-1']);
const sum = checkOf('ok', 'Rechnung (Lohn)', '1 + 1 = 2', []);

describe('the closing section', () => {
  test('has a literal heading and a line a check', () =>
    expect(renderSection([wage, sum], 'en')).toBe(
      'Plausibilitätsprüfung:\n⚠ stundenlohn_2022_08: Angegeben ist 9,82 € [KB-1]\n✓ Rechnung (Lohn): 1 + 1 = 2',
    ));
  test('says so where nothing could be checked, and reads as nothing', () =>
    expect(parseSection(renderSection([], 'de'), known)).toEqual([]));
  test('is the last under its heading', () =>
    expect(
      parseSection(`Plausibilitätsprüfung:\n✓ a: b [KB-9]\n\n${renderSection([wage], 'de')}`, known),
    ).toEqual([wage]));
  test.each([
    ['an id that is not in context', '✓ lohn: passt [X-1]'],
    ['one of two ids that is not', '✓ lohn: passt [KB-1][X-1]'],
    ['no source, though it is no arithmetic', '✓ lohn: passt'],
    ['no mark', 'lohn: passt [KB-1]'],
    ['no aspect', '✓ passt [KB-1]'],
    ['no detail', '✓ lohn: '],
  ])('a line with %s is no check', (_, line) =>
    expect(parseSection(`Plausibilitätsprüfung:\n${line}`, known)).toEqual([]),
  );
});

test('texts of others cannot cite, mark or break a line', () => {
  const check = checkOf('ok', 'a: b\n⚠ c', '✓ [KB-2]\n⚠ d: e [KB-3]', ['KB-1']);
  expect(parseSection(renderSection([check], 'de'), known)).toEqual([check]);
  expect(check.source_ids).toEqual(['KB-1']);
});

test('what is rendered is read back, whatever the texts', () => {
  const hostile = fc.constantFrom(
    '[KB-1]',
    '[X]',
    '[',
    ']',
    '✓',
    '⚠',
    '\uFE0F',
    ':',
    '\n',
    '\r',
    '\u2028',
    '\u0000',
    ' ',
    'a',
  );
  const text = fc.oneof(
    fc.string(),
    fc.array(hostile, { maxLength: 12 }).map((parts) => parts.join('')),
  );
  const check = fc
    .record({
      status: fc.constantFrom('ok' as const, 'warn' as const),
      aspect: text,
      detail: text,
      ids: fc.array(fc.constantFrom('KB-1', 'KB', 'KB.a_b-2', 'KB99'), { minLength: 1, maxLength: 3 }),
    })
    .map(({ status, aspect, detail, ids }) => checkOf(status, `x${aspect}`, `y${detail}`, ids));
  fc.assert(
    fc.property(fc.array(check, { maxLength: 5 }), (checks) => {
      expect(parseSection(`Antwort.\n\n${renderSection(checks, 'de')}`, known)).toEqual(checks);
    }),
  );
});

describe('the verdict', () => {
  test('is not_checkable without a check', () => expect(verdictOf([])).toBe('not_checkable'));
  test('is plausible where none warns', () => expect(verdictOf([sum])).toBe('plausible'));
  test('is implausible with one warning', () => expect(verdictOf([sum, wage])).toBe('implausible'));
});
