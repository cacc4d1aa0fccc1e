import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { verdictOf } from './check.ts';
import { checkOf, renderNotChecked, renderSection } from './answer-section.ts';

const wage = checkOf('warn', 'stundenlohn_2022_08', 'Angegeben ist 9,82 €', ['KB-1']);
const sum = checkOf('ok', 'Rechnung (Lohn)', '1 + 1 = 2', []);

describe('the closing section', () => {
  test('has a literal heading and a line a check', () =>
    expect(renderSection([wage, sum], [{ fact: 'x', reason: 'y' }], 'en')).toBe(
      'Plausibilitätsprüfung:\n2 of 3 facts checked.\n⚠ stundenlohn_2022_08: Angegeben ist 9,82 € [KB-1]\n✓ Rechnung (Lohn): 1 + 1 = 2',
    ));
  test.each([
    [
      'de',
      'Die Angabe beschreibt den Fall; sie wird bei anderen Prüfungen berücksichtigt.',
      '2 von 3 prüfbaren Angaben geprüft; 1 beschreibt den Fall.',
    ],
    [
      'en',
      'This is not recomputed itself; other checks take it into account. Related: x.',
      '2 of 3 checkable facts checked; 1 describes the case.',
    ],
  ] as const)('does not count as unchecked what only tells the case, in %s', (language, reason, share) =>
    expect(
      renderSection(
        [wage, sum],
        [
          { fact: 'x', reason: 'y' },
          { fact: 'z', reason },
        ],
        language,
      ),
    ).toContain(`\n${share}\n`),
  );
  test('says so where nothing could be checked', () =>
    expect(renderSection([], [], 'de')).toBe(
      'Plausibilitätsprüfung:\nKeine Angabe konnte anhand der Fundstellen sicher geprüft werden.',
    ));
});

describe('what is not checked', () => {
  test('stands in a line a reason', () =>
    expect(
      renderNotChecked(
        [
          { fact: 'a', reason: 'Unbekannt.' },
          { fact: 'b', reason: 'Fehlt.' },
          { fact: 'c', reason: 'Unbekannt.' },
        ],
        'de',
      ),
    ).toBe('Nicht geprüft: a, c. Unbekannt.\nNicht geprüft: b. Fehlt.'));
  test('is not spoken of where there is nothing', () => expect(renderNotChecked([], 'de')).toBe(''));
});

test('texts of others cannot cite, mark or break a line', () => {
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
  fc.assert(
    fc.property(text, text, (aspect, detail) => {
      const check = checkOf('ok', `x${aspect}`, `y${detail}`, ['KB-1']);
      const lines = renderSection([check], [], 'de').split(/[\n\r\u2028]/u);
      expect(lines).toHaveLength(3);
      expect(lines[2]!.match(/[✓⚠]/gu)).toEqual(['✓']);
      expect(lines[2]!.match(/\[[A-Za-z0-9][A-Za-z0-9._-]{0,63}\]/gu)).toEqual(['[KB-1]']);
    }),
  );
});

describe('the verdict', () => {
  test('is not_checkable without a check', () => expect(verdictOf([])).toBe('not_checkable'));
  test('is plausible where none warns', () => expect(verdictOf([sum])).toBe('plausible'));
  test('is implausible with one warning', () => expect(verdictOf([sum, wage])).toBe('implausible'));
});
