import { describe, expect, test } from 'vitest';
import { parseKnowledgeBase } from '../base/load.ts';
import { formatFault, KnowledgeBaseInvalid } from '../base/faults.ts';

const VOCABULARY = 'quantities:\n  stundenlohn: { kind: amount, means: Lohn. }\n';
const PASSAGE = `---
id: ML-1
title: "Mindestlohn"
section: "§ 1"
stand: "2021-01"
work: "MiLoG"
---

Der Mindestlohn beträgt 9,60 Euro je Stunde, in einer Branche 19,60 Euro.
`;

function base(rules: string) {
  const files = { 'a.md': PASSAGE, 'review.yaml': VOCABULARY, 'review-rules.yaml': rules };
  return parseKnowledgeBase({
    files: Object.entries(files).map(([path, content]) => ({
      path,
      bytes: Buffer.from(content),
      changed: '2024-01',
    })),
    unread: [],
    others: new Map(),
  });
}

function faultsOf(rules: string): string[] {
  try {
    base(rules);
  } catch (error) {
    if (error instanceof KnowledgeBaseInvalid) return error.faults.map(formatFault);
    throw error;
  }
  return [];
}

const rulesWith = (figure: string, rule = 'judges: stundenlohn, at_least: satz'): string =>
  `figures:\n  satz: [[2021, ${figure}]]\nrules:\n  lohn: { ${rule} }\n`;

describe('rules of a base', () => {
  test('take their figures from the passage, with its sentence', () => {
    expect(faultsOf(rulesWith("'9,60 Euro', ML-1"))).toEqual([]);
    expect(base(rulesWith("'9,60 Euro', ML-1")).review.figures['satz']).toEqual([
      {
        span: { from: '2021-01', to: '2021-12' },
        written: '9,60 Euro',
        source: 'ML-1',
        quote: 'Der Mindestlohn beträgt 9,60 Euro je Stunde, in einer Branche 19,60 Euro.',
        section: '§ 1',
      },
    ]);
  });

  test.each([
    [
      'a figure that the passage does not state',
      "'9,50 Euro', ML-1",
      'satz: no sentence of ML-1 states 9,50 Euro',
    ],
    ['a part of another figure', "'60 Euro', ML-1", 'satz: no sentence of ML-1 states 60 Euro'],
    [
      'a figure without the words beside it',
      "'9,60 Euro', ML-1, Pflege",
      'satz: no sentence of ML-1 states 9,60 Euro with “Pflege”',
    ],
    ['a passage that is not there', "'9,60 Euro', ML-2", 'satz: the knowledge base has no source ML-2'],
    ['what is no figure', 'viel Geld, ML-1', 'satz: viel Geld is not a figure'],
  ])('%s is a fault', (_, figure, message) =>
    expect(faultsOf(rulesWith(figure))).toContain(`review-rules.yaml:2: ${message}`),
  );

  test.each([
    ['a quantity that is not there', 'judges: gehalt, at_least: satz', 'lohn: gehalt is not a quantity'],
    [
      'a name that is not there',
      'judges: stundenlohn, at_least: satz + x',
      'lohn: x is not a quantity, term, figure or choice',
    ],
    ['a formula that cannot be read', "judges: stundenlohn, at_least: 'satz +'", 'lohn: cannot be read: '],
    [
      'a function that is not there',
      'judges: stundenlohn, at_least: sqrt(satz)',
      'lohn: cannot be read: sqrt is not a known function',
    ],
    [
      'a time that is none',
      'judges: stundenlohn, at_least: satz, for: bald',
      'lohn: bald is not a period like',
    ],
  ])('%s is a fault', (_, rule, message) =>
    expect(faultsOf(rulesWith("'9,60 Euro', ML-1", rule))).toEqual([
      expect.stringContaining(`review-rules.yaml:4: ${message}`),
    ]),
  );

  test.each([
    ['1e5', 'cannot be read: 1e5 must be written in digits, like 0.5 or 100000'],
    ['.5 + satz', 'cannot be read: .5 must be written in digits, like 0.5 or 100000'],
    ['0x10', 'cannot be read: '],
    ['constructor(satz)', 'cannot be read: constructor is not a known function'],
    ['toString()', 'cannot be read: toString is not a known function'],
    ['hasOwnProperty(satz)', 'cannot be read: hasOwnProperty is not a known function'],
    ['min()', 'cannot be read: min takes 1 or more arguments, and is given 0'],
    ['cent(satz, 2)', 'cannot be read: cent takes 1 argument, and is given 2'],
    ['down_to(satz, 1, 2)', 'cannot be read: down_to takes 1 to 2 arguments, and is given 3'],
    ['1 / 0', 'cannot be read: it divides by 0'],
    ['satz / (2 - 2)', 'cannot be read: it divides by 0'],
    ['satz + down_to(5, 0)', 'cannot be read: a part of it that names nothing has no value'],
    ['satz + !1', 'cannot be read: a part of it that names nothing has no value'],
    ['--1', 'cannot be read: two minus signs follow each other'],
    ['--satz', 'cannot be read: two minus signs follow each other'],
    ['satz.constructor', 'cannot be read: the expression cannot be parsed'],
    [`satz${' + satz'.repeat(400)}`, 'cannot be read: it has more than 2000 characters'],
  ])('a formula that no review could evaluate is a fault: %s', (formula, message) => {
    expect(
      faultsOf(rulesWith("'9,60 Euro', ML-1", `judges: stundenlohn, at_least: ${JSON.stringify(formula)}`)),
    ).toEqual([expect.stringContaining(`lohn: ${message}`)]);
  });

  test.each([
    [
      'a quantity that is not there',
      'judges: [gehalt], when: satz > 0, says: Eins.',
      '0: gehalt is not a quantity',
    ],
    [
      'a name that is not there',
      'judges: [stundenlohn], when: x > 0, says: Eins.',
      '0: x is not a quantity, term,',
    ],
    [
      'a name in its sentence that is not there',
      'judges: [stundenlohn], when: satz > 0, says: "Es sind {y}."',
      '0: y is not a quantity, term,',
    ],
  ])('%s in a remark is a fault', (_, remark, message) =>
    expect(
      faultsOf(`${rulesWith("'9,60 Euro', ML-1")}remarks:\n  - { ${remark}, rests_on: [ML-1] }\n`),
    ).toEqual([expect.stringContaining(message)]),
  );

  test('terms that use each other are a fault', () => {
    const rules = rulesWith("'9,60 Euro', ML-1", 'judges: stundenlohn, at_least: a');
    const [first] = faultsOf(`${rules}terms:\n  a: b + 1\n  b: a + 1\n`);
    expect(first).toMatch(/cannot be evaluated: the term [ab] uses itself$/u);
  });

  test.each([
    'down_to(satz, 0)',
    'satz / stundenlohn',
    'down_to(satz, stundenlohn)',
    'days_after(month_start, 100000000000)',
  ])('what has no value in some case is not known then: %s', (formula) => {
    expect(faultsOf(rulesWith("'9,60 Euro', ML-1", `judges: stundenlohn, at_least: '${formula}'`))).toEqual(
      [],
    );
  });

  test('rules that rest on a file that was left out are left out with it, and the others stay', () => {
    const rules = `figures:
  satz: [[2021, '9,60 Euro', ML-1]]
  anderer: [[2021, '9,60 Euro', ML-2]]
terms:
  doppelt: 2 * anderer
rules:
  lohn: { judges: stundenlohn, at_least: satz }
  mehr: { judges: stundenlohn, at_least: doppelt }
  auch: { judges: stundenlohn, at_least: satz, rests_on: [ML-2] }
remarks:
  - { judges: [stundenlohn], when: stundenlohn > 0, says: Eins., rests_on: [ML-1] }
  - { judges: [stundenlohn], when: stundenlohn > 0, says: Zwei., rests_on: [ML-2] }
`;
    expect(faultsOf(rules)).toHaveLength(3);
    const { review, files } = parseKnowledgeBase({
      files: [
        ['a.md', PASSAGE],
        ['b.md', PASSAGE.replace('ML-1', 'ML-2').replace('title:', 'titel:')],
        ['review.yaml', VOCABULARY],
        ['review-rules.yaml', rules],
      ].map(([path, content]) => ({ path: path!, bytes: Buffer.from(content!), changed: '2024-01' })),
      unread: [],
      others: new Map(),
    });
    expect(review.rules.map(({ id }) => id)).toEqual(['lohn']);
    expect(review.remarks.map(({ says }) => says)).toEqual(['Eins.']);
    const left = files.leftOut.map(({ file }) => file);
    expect(left).toEqual(['b.md', ...Array.from({ length: 3 }, () => 'review-rules.yaml')]);
  });
});
