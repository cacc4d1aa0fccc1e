import { describe, expect, test } from 'vitest';
import type { ReviewBase } from './review-base.ts';
import { parseVocabulary } from './load.ts';
import { readFacts } from './facts.ts';
import { spansIn } from './time-spans.ts';

const AUGUST = { from: '2021-08', to: '2021-08' };

describe('a month is read from', () => {
  test.each([
    '2021-08',
    '08/2021',
    '8/2021',
    '08.2021',
    '8.2021',
    '08-2021',
    '2021/08',
    '2021.08',
    '202108',
    '2021 08',
    '082021',
    'August 2021',
    'AUGUST 2021',
    'Aug 2021',
    'Aug. 2021',
    'Aug 21',
    "Aug '21",
    '08/21',
    'august_2021',
    '2021 August',
    'Abrechnung für August 2021',
    'im August des Jahres 2021',
    'Monat 08/2021',
    '2021M08',
    '2021-08-01',
    '31.08.2021',
    '15.8.21',
    '01.08.2021 - 31.08.2021',
    '01.08.2021-31.08.2021',
    '1.8.-31.8.2021',
    '01.08. bis 31.08.2021',
    '2021-08-01/2021-08-31',
    '2021-08-01 bis 2021-08-31',
    '01.08.21 – 31.08.21',
    'vom 01.08.2021 bis zum 31.08.2021',
    '20210801',
    'August, 2021',
    '1. bis 31. August 2021',
    '1.-31. August 2021',
  ])('%s', (text) => expect(spansIn(text, true)).toEqual([AUGUST]));

  test.each([
    ['Q3 2021', '2021-07', '2021-09'],
    ['3. Quartal 2021', '2021-07', '2021-09'],
    ['2021-Q1', '2021-01', '2021-03'],
    ['01.07.2021 - 31.12.2021', '2021-07', '2021-12'],
    ['Januar bis März 2022', '2022-01', '2022-03'],
    ['01/2022 - 03/2022', '2022-01', '2022-03'],
    ['2021', '2021-01', '2021-12'],
    ['Jahr 2021', '2021-01', '2021-12'],
  ])('%s, as a span', (text, from, to) => expect(spansIn(text, true)).toEqual([{ from, to }]));

  test.each(['März 2022', 'Maerz 2022', 'Mrz 2022', 'march 2022', 'Mär. 2022'])('%s', (text) =>
    expect(spansIn(text, false)).toEqual([{ from: '2022-03', to: '2022-03' }]),
  );
});

test.each(['', 'Stimmt das?', 'eingetreten am 01.03.2019', '2021 €', '13/2021', '2.021,08 €', '§ 3 Nr. 63'])(
  'no time of a settlement is read from a question with %s',
  (text) => expect(spansIn(text, false)).toEqual([]),
);

describe('the time of a slip', () => {
  const quantities = parseVocabulary(
    `quantities:
  abrechnungsmonat: { kind: month, means: Monat., also: [monat] }
  abrechnungsjahr: { kind: count, means: Jahr., also: [jahr] }
  abrechnung_von: { kind: date, means: Von., also: [von] }
  abrechnung_bis: { kind: date, means: Bis., also: [bis] }`,
    () => expect.fail('it is right'),
  );
  const base: ReviewBase = {
    quantities,
    figures: {},
    terms: {},
    rules: [],
    never: [],
    limits: [],
    remarks: [],
  };
  const timeOfSlip = (facts: Record<string, string>, label = '', question = '') =>
    readFacts(
      {
        facts: Object.entries(facts).map(([key, value]) => ({ key, value })),
        computation: { label, result: '0' },
      },
      base,
      question,
    ).time;

  test('is told by facts, label or question', () => {
    expect(timeOfSlip({ monat: '202108' })).toEqual(AUGUST);
    expect(timeOfSlip({ monat: 'August', jahr: '2021' })).toEqual(AUGUST);
    expect(timeOfSlip({ monat: '8', jahr: '2021' })).toEqual(AUGUST);
    expect(timeOfSlip({ von: '01.08.2021', bis: '31.08.2021' })).toEqual(AUGUST);
    expect(timeOfSlip({}, 'Bruttolohn August 2021')).toEqual(AUGUST);
    expect(timeOfSlip({}, '', 'Stimmt die Abrechnung 08/2021?')).toEqual(AUGUST);
    expect(timeOfSlip({ jahr: '2021' }, '', 'Stimmt der August 2021?')).toEqual(AUGUST);
  });

  test('is none where nobody says it, and a contradiction where two do', () => {
    expect(timeOfSlip({}, 'Lohn', 'Stimmt das?')).toBe('none');
    expect(timeOfSlip({ monat: '2021-08' }, 'Lohn September 2021')).toBe('contradiction');
    expect(timeOfSlip({ monat: '2021-08', jahr: '2022' })).toBe('contradiction');
  });
});
