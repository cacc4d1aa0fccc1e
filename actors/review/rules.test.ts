import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { covers, readFigure } from '../../kb/review/figure.ts';
import { add, format, multiply, rational, subtract, type Rational } from '../../kb/review/rational.ts';
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

test('no value of any quantity makes it fail', () => {
  const value = fc.oneof(
    fc.string({ minLength: 1, maxLength: 40 }),
    fc.constantFrom(
      '1e9',
      '-5 €',
      '0',
      '99.99.9999',
      '31.02.2021',
      '∞',
      '1/0',
      '9'.repeat(190),
      'ja nein',
      '-1 Monate',
    ),
  );
  const pair = fc.tuple(fc.constantFrom(...base.quantities.map(({ key }) => key)), value);
  fc.assert(fc.property(fc.array(pair, { maxLength: 12 }), (pairs) => void statusesOf(pairs)));
});

const read = (key: string, value: string): string => {
  const [fact] = readFacts({ facts: [{ key, value }] }, base);
  return fact?.value?.type === 'number'
    ? `${fact.value.number.n}/${fact.value.number.d}`
    : String(fact?.value?.type);
};

describe('values', () => {
  test.each([
    ['stundenlohn', '9,60 €', '48/5'],
    ['stundenlohn', '9.60', '48/5'],
    ['stundenlohn', '9,60 € je Stunde', '48/5'],
    ['stundenlohn', '9,60 €/Std', '48/5'],
    ['gehalt', '3.000', '3000/1'],
    ['gehalt', '3,000 EUR', '3000/1'],
    ['gehalt', '3,000.50 EUR', '6001/2'],
    ['gehalt', '3.000,50 EUR', '6001/2'],
    ['pv_satz', '1.525 %', '61/4000'],
    ['rv_satz', '18,6', '93/500'],
    ['pause', '0:45', '45/1'],
    ['arbeitsstunden', '7:30 h', '15/2'],
    ['dienstjahre', '18 Monate', '3/2'],
    ['efz_tage', '6 Wochen', '42/1'],
  ])('%s %s', (key, value, expected) => expect(read(key, value)).toBe(expected));

  test.each([
    ['stundenlohn', '2.000 € monatlich'],
    ['rv_satz', '18,60 €'],
    ['kinderlos', 'vielleicht'],
    ['rechtskreis', 'Nord'],
    ['entbindungstermin', '31.02.2021'],
  ])('%s %s is not read', (key, value) => {
    const { checks, notChecked } = review({
      question: '?',
      context: contextOf([[key, value]]),
      base,
      language: 'de',
    });
    expect(checks).toEqual([]);
    expect(notChecked[0]!.reason).toMatch(/nicht lesbar/u);
  });
});

describe('what is missing is said', () => {
  const reasonOf = (...pairs: Pair[]): string => {
    const { notChecked } = review({
      question: 'Stimmt das?',
      context: contextOf(pairs),
      base,
      language: 'de',
    });
    return notChecked.find(({ fact }) => fact === pairs.at(-1)![0])?.reason ?? 'checked';
  };

  test.each<[string, string, Pair[]]>([
    ['a month', 'Der Abrechnungsmonat fehlt', [['stundenlohn', '9,00 €']]],
    [
      'a month of a year in which the figure changes',
      'Der Abrechnungsmonat fehlt',
      [
        ['jahr', '2022'],
        ['stundenlohn', '9,00 €'],
      ],
    ],
    [
      'months that contradict',
      'widersprechen sich',
      [
        ['monat', '2022-01'],
        ['periode', '02/2022'],
        ['stundenlohn', '9,00 €'],
      ],
    ],
    [
      'children',
      'Für die Prüfung fehlt: kinderlos',
      [
        ['monat', '2022-03'],
        ['bundesland', 'Bayern'],
        ['pv_satz_an', '1,525 %'],
      ],
    ],
    [
      'the place',
      'Für die Prüfung fehlt: rechtskreis',
      [
        ['monat', '2022-03'],
        ['bbg_rv', '7.050 €'],
      ],
    ],
    [
      'who gives notice',
      'Für die Prüfung fehlt: kuendigung_durch',
      [
        ['dienstjahre', '1'],
        ['kuendigungsfrist', '3 Wochen'],
      ],
    ],
    [
      'a passage of that year',
      'Für März 2017',
      [
        ['monat', '2017-03'],
        ['stundenlohn', '9,00 €'],
      ],
    ],
  ])('%s', (_, said, pairs) => expect(reasonOf(...pairs)).toContain(said));
});

/** Rules that say nothing but what a figure is, each figure with a month of its time. */
const FIGURES = base.rules.flatMap((rule) => {
  const [bound] = rule.bounds;
  const figures = base.figures[bound!.formula] ?? [];
  const others = CASES.find((each) => each.rule === rule.id)!.beside.filter(
    ([key]) => key !== 'monat' && key !== 'jahr',
  );
  return figures.flatMap(({ span, written, source }) => {
    const value = readFigure(written);
    const month = span.from ?? '2021-05';
    return value?.type !== 'number' || !covers(rule.span, { from: month, to: month })
      ? []
      : [
          {
            rule,
            comparison: bound!.comparison,
            value: value.number,
            source,
            beside: [['monat', month], ...others] as Pair[],
          },
        ];
  });
});

function written(rule: string, value: Rational): string {
  const { kind } = base.quantities.find(({ key }) => key === ruleOf(rule).judges)!;
  const shown = kind === 'rate' ? multiply(value, rational(100n)) : value;
  return `${format(shown, 6, 'de')}${kind === 'rate' ? ' %' : kind === 'amount' ? ' €' : ''}`;
}

describe('every figure of every year', () => {
  test('is right, and cites its passage; the least beyond it is wrong', () => {
    expect(FIGURES.length).toBeGreaterThan(150);
    fc.assert(
      fc.property(fc.constantFrom(...FIGURES), fc.integer({ min: 1, max: 100_000 }), (figure, parts) => {
        const { rule, comparison, value, source, beside } = figure;
        const off = multiply(rational(BigInt(parts), 100_000n), value);
        const wrong = comparison === 'at_most' ? add(value, off) : subtract(value, off);
        const [check] = review({
          question: '?',
          context: contextOf([...beside, [rule.judges, written(rule.id, value)]]),
          base,
          language: 'de',
        }).checks;
        expect(check).toMatchObject({ status: 'ok', aspect: rule.judges });
        expect(check!.source_ids).toContain(source);
        expect(statusesOf([...beside, [rule.judges, written(rule.id, wrong)]])).toContain('warn');
      }),
      { numRuns: 150 },
    );
  });
});

test('one case alone tells nothing apart: a right half is not judged where it may be a midi-job', () => {
  const slip: Pair[] = [
    ['monat', '2022-03'],
    ['sv_brutto', '1.200 €'],
    ['rv_an', '111,60 €'],
  ];
  expect(judged(slip).rules).toEqual(['{"kind":"missing","keys":["midijob"]}']);
  expect(judged([['minijob', 'nein'], ['midijob', 'nein'], ...slip]).holds).toEqual([true]);
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
