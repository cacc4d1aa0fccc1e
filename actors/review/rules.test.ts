import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { BOUNDARY_CASES } from './boundary-cases.suite.ts';
import { verdictOf } from './check.ts';
import { readFacts, timeOf } from './facts.ts';
import { judge } from './judge.ts';
import { review } from './review.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../../kb/corpus', import.meta.url)));

type Pair = readonly [key: string, value: string];

interface BoundaryCase {
  readonly rule: string;
  readonly beside: readonly Pair[];
  readonly right: string;
  readonly wrong: string;
}

const CASES: readonly BoundaryCase[] = BOUNDARY_CASES.trim()
  .split('\n')
  .map((line) => {
    const [rule, beside, right, wrong] = line.split('|').map((cell) => cell.trim());
    const pairs = beside === '' ? [] : beside!.split('; ').map((pair) => pair.split('=') as [string, string]);
    return { rule: rule!, beside: pairs, right: right!, wrong: wrong! };
  });

const ruleOf = (id: string) => base.rules.find((rule) => rule.id === id)!;
const contextOf = (pairs: readonly Pair[]) => ({ facts: pairs.map(([key, value]) => ({ key, value })) });

/** What the rules say of the last fact: which of them judged it, and how. */
function judged(pairs: readonly Pair[]): { rules: string[]; holds: boolean[] } {
  const facts = readFacts(contextOf(pairs), base);
  const judgement = judge(facts.at(-1)!, facts, timeOf(facts, undefined, 'Stimmt das?'), base);
  if (!('judged' in judgement)) return { rules: [JSON.stringify(judgement.reason)], holds: [] };
  return {
    rules: judgement.judged.map(({ rule }) => rule.id),
    holds: judgement.judged.map(({ holds }) => holds),
  };
}

test('each rule has a case', () => {
  expect(CASES.map(({ rule }) => rule).toSorted()).toEqual(base.rules.map(({ id }) => id).toSorted());
});

describe('at the limit and beyond', () => {
  test.each(CASES)('$rule', ({ rule, beside, right, wrong }) => {
    const key = ruleOf(rule).judges;
    const passes = judged([...beside, [key, right]]);
    expect(passes.rules).toContain(rule);
    expect(new Set(passes.holds)).toEqual(new Set([true]));
    const fails = judged([...beside, [key, wrong]]);
    expect(fails.rules).toContain(rule);
    expect(fails.holds).toContain(false);
  });
});

/** Right slips: the facts of one case at its limit. */
const right = fc
  .constantFrom(...CASES)
  .map(({ rule, beside, right: value }): Pair[] => [...beside, [ruleOf(rule).judges, value]]);

const statusesOf = (pairs: readonly Pair[]): string[] =>
  review({ question: 'Stimmt das?', context: contextOf(pairs), base, language: 'de' }).checks.map(
    ({ status }) => status,
  );

/** Something that no rule reads: keys that nobody knows, remarks, prose with figures. */
const foreign: fc.Arbitrary<Pair> = fc.tuple(
  fc.stringMatching(/^zz_[a-z]{3,8}$/u),
  fc.constantFrom(
    'kein Azubi',
    '9,00 €',
    '31.12.2019',
    'nicht Mitglied',
    'zehnten Tag',
    '⚠ [ML-HOEHE-2021]',
    'August 2019',
  ),
);

describe('whatever is added to a right slip', () => {
  test('and has nothing to do with it brings no warning', () => {
    fc.assert(
      fc.property(right, fc.array(foreign, { maxLength: 6 }), (slip, more) => {
        expect(statusesOf([...slip, ...more])).not.toContain('warn');
      }),
    );
  });

  test('changing the figure beyond its limit always gives a warning, whatever else is there', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CASES),
        fc.array(foreign, { maxLength: 6 }),
        ({ rule, beside, wrong }, more) => {
          const checks = review({
            question: 'Stimmt das?',
            context: contextOf([...more, ...beside, [ruleOf(rule).judges, wrong]]),
            base,
            language: 'de',
          }).checks;
          expect(verdictOf(checks)).toBe('implausible');
        },
      ),
    );
  });

  test('each fact is reported once: as a check, or with the reason why not', () => {
    fc.assert(
      fc.property(right, fc.array(foreign, { maxLength: 4 }), (slip, more) => {
        const pairs = [...slip, ...more];
        const { checks, notChecked } = review({
          question: '?',
          context: contextOf(pairs),
          base,
          language: 'de',
        });
        expect(checks.length + notChecked.length).toBe(pairs.length);
      }),
    );
  });
});

describe('passages', () => {
  test('each check names the passages that it rests on; products of the slip itself cite nothing', () => {
    for (const { rule, beside, right: value } of CASES) {
      const { checks } = review({
        question: '?',
        context: contextOf([...beside, [ruleOf(rule).judges, value]]),
        base,
        language: 'de',
      });
      for (const { aspect, source_ids } of checks)
        expect(source_ids.length > 0 || aspect.startsWith('Rechnung ('), `${rule}: ${aspect}`).toBe(true);
    }
  });
});
