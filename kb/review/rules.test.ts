import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { covers, readFigure } from './figure.ts';
import { add, format, multiply, rational, subtract, type Rational } from './rational.ts';
import { BOUNDARY_CASES } from './boundary-cases.suite.ts';
import { verdictOf } from './check.ts';
import { readFacts } from './facts.ts';
import { judge } from './judge.ts';
import { review } from './review.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

type Pair = readonly [key: string, value: string];

interface BoundaryCase {
  readonly rule: string;
  readonly beside: readonly Pair[];
  /** Empty for a rule that tells a wrong value alone: of what is below its bound another rule decides. */
  readonly right: string;
  /** Empty for a rule that tells a right value alone, and of any other nothing. */
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

/** The judgement of the last fact: which rules judged it, and how. */
function judged(pairs: readonly Pair[]): { rules: string[]; holds: boolean[] } {
  const { facts, time } = readFacts(contextOf(pairs), base, 'Stimmt das?');
  const judgement = judge(facts.at(-1)!, facts, time, base);
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
  test.each(CASES.filter((each) => each.right !== ''))('$rule at the limit', ({ rule, beside, right }) => {
    const passes = judged([...beside, [ruleOf(rule).judges, right]]);
    expect(passes.rules).toContain(rule);
    expect(new Set(passes.holds)).toEqual(new Set([true]));
  });

  test.each(CASES.filter(({ wrong }) => wrong !== ''))(
    '$rule beyond the limit',
    ({ rule, beside, wrong }) => {
      const fails = judged([...beside, [ruleOf(rule).judges, wrong]]);
      expect(fails.rules).toContain(rule);
      expect(fails.holds).toContain(false);
    },
  );
});

/** Right slips: the facts of one case at its limit. */
const right = fc
  .constantFrom(...CASES.filter((each) => each.right !== ''))
  .map(({ rule, beside, right: value }): Pair[] => [...beside, [ruleOf(rule).judges, value]]);

const statusesOf = (pairs: readonly Pair[]): string[] =>
  review({ question: 'Stimmt das?', context: contextOf(pairs), base, language: 'de' }).checks.map(
    ({ status }) => status,
  );

/** Facts that no rule reads: unknown keys, remarks, prose with numbers. */
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
        fc.constantFrom(...CASES.filter(({ wrong }) => wrong !== '')),
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
  const [fact] = readFacts({ facts: [{ key, value }] }, base, 'Stimmt das?').facts;
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
    ['gehalt', '12,345,678 EUR', '12345678/1'],
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

const reasonOf = (...pairs: readonly Pair[]): string => {
  const { notChecked } = review({
    question: 'Stimmt das?',
    context: contextOf(pairs),
    base,
    language: 'de',
  });
  return notChecked.find(({ fact }) => fact === pairs.at(-1)![0])?.reason ?? 'checked';
};

const yearOf = (key: string, value: string, month = '2022-03'): number | null => {
  const { value: date } = readFacts(
    contextOf([
      ['monat', month],
      [key, value],
    ]),
    base,
    '?',
  ).facts[1]!;
  return date?.type === 'date' ? date.day.year : null;
};

describe('a year of two digits', () => {
  test('of a date of the past is of the last century where it would lie ahead', () => {
    expect(yearOf('geb_datum', '12.04.85')).toBe(1985);
    expect(yearOf('eintritt', '01.10.98')).toBe(1998);
    expect(yearOf('eintritt', '01.03.22')).toBe(2022);
    expect(yearOf('geb_datum', '31.12.04')).toBe(2004);
    expect(
      judged([
        ['monat', '2022-03'],
        ['elterneigenschaft', 'nein'],
        ['geb_datum', '12.04.85'],
        ['pv_zuschlag', '0,35 %'],
      ]).holds,
    ).toEqual([true]);
  });

  test('is not clear where the date may lie ahead, or lies more than a year ahead', () => {
    expect(yearOf('eintritt', '01.04.22')).toBeNull();
    expect(yearOf('austritt', '31.03.23')).toBe(2023);
    expect(yearOf('austritt', '30.04.23')).toBeNull();
    expect(reasonOf(['monat', '2022-03'], ['austritt', '30.04.23'])).toMatch(
      /^Das Jahr ist nicht eindeutig/u,
    );
    expect(yearOf('geb_datum', '31.02.85')).toBeNull();
  });
});

test.each(['1', 'I', 'Steuerklasse 1', 'Steuerklasse I', 'StKl 1', 'St.-Kl. I', 'Klasse 1', 'tax class 1'])(
  'tax class %s is read',
  (value) =>
    expect(readFacts({ facts: [{ key: 'stkl', value }] }, base, '?').facts[0]!.value).toEqual({
      type: 'choice',
      choice: 'I',
    }),
);

describe('a relief that may be for a part of the year', () => {
  const year: Pair[] = [
    ['jahr', '2021'],
    ['kinder', '1'],
  ];
  test.each<[string, Pair[], boolean[]]>([
    ['that of the year before is wrong', [['entlastungsbetrag', '1.908 €']], [false]],
    ['a twelfth of it is not judged', [['entlastungsbetrag', '2.672 €']], []],
    [
      'with its months it is',
      [
        ['entlastung_monate', '8'],
        ['entlastungsbetrag', '2.672 €'],
      ],
      [true],
    ],
    [
      'the whole of it is wrong then',
      [
        ['entlastung_monate', '8'],
        ['entlastungsbetrag', '4.008 €'],
      ],
      [false],
    ],
  ])('%s', (_, pairs, holds) => expect(judged([...year, ...pairs]).holds).toEqual(holds));

  test('of a child more is not judged without its months', () => {
    expect(reasonOf(['jahr', '2021'], ['kinder', '2'], ['entlastungsbetrag', '4.008 €'])).toBe(
      'Für die Prüfung fehlt: entlastung_monate.',
    );
  });
});

describe('what is missing is said', () => {
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
        ['pv_zuschlag', '0,35 %'],
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
      'the fact that leads out of the rules',
      'In diesem Fall wird die Angabe nicht nachgerechnet: kind_geboren 31.08.2021.',
      [
        ['kind_geboren', '31.08.2021'],
        ['elternzeit_wochenstunden', '32'],
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

/** Rules that only state a figure, each figure with a month of its validity. */
const FIGURES = base.rules.flatMap((rule) => {
  const [bound] = rule.bounds;
  const figures = bound!.reading === null ? (base.figures[bound!.formula] ?? []) : [];
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
        const { range, kind } = base.quantities.find(({ key }) => key === rule.judges)!;
        const most = range === undefined ? Number.POSITIVE_INFINITY : range[1] / (kind === 'rate' ? 100 : 1);
        fc.pre(Number(wrong.n) / Number(wrong.d) <= most);
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

describe('where it may be a midi-job', () => {
  const slip: Pair[] = [
    ['monat', '2022-03'],
    ['minijob', 'nein'],
    ['sv_brutto', '1.200 €'],
  ];
  test.each([
    ['111,60 €', true],
    ['109,15 €', true],
    ['105,00 €', false],
  ])('an employee’s part of %s is right in one reading: %s', (value, holds) => {
    expect(judged([...slip, ['rv_an', value]]).holds).toEqual([holds]);
  });
});

describe('passages', () => {
  test('each check names the passages that it rests on', () => {
    const uncited = CASES.flatMap(({ rule, beside, right: value }) => {
      const { checks } = review({
        question: '?',
        context: contextOf([...beside, [ruleOf(rule).judges, value]]),
        base,
        language: 'de',
      });
      return checks.flatMap(({ aspect, source_ids }) => (source_ids.length === 0 ? [aspect] : []));
    });
    expect(uncited).toEqual([]);
  });
});
