import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { review } from './review.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

function reviewed(slip: Readonly<Record<string, string>>) {
  const facts = Object.entries(slip).map(([key, value]) => ({ key, value }));
  return review({ question: 'Stimmt die Abrechnung?', context: { facts }, base, language: 'de' });
}
const warned = (slip: Readonly<Record<string, string>>): string[] =>
  reviewed(slip)
    .checks.filter(({ status }) => status === 'warn')
    .map(({ aspect }) => aspect);

/** Pay of 3,310 euros, tax class I, in November 2021. */
const SLIP = {
  monat: '2021-11',
  bundesland: 'Hessen',
  pgr: '101',
  bgr: '1111',
  kinderlos: 'nein',
  steuerklasse: 'I',
  kinderfreibetraege: '1,0',
  kv_zusatzsatz: '1,3 %',
  sv_brutto: '3.310,00',
  steuerbrutto: '3.310,00',
  rv_brutto: '3.310,00',
  kv_brutto: '3.310,00',
  rv_an: '307,83',
  rv_ag: '307,83',
  av_an: '39,72',
  av_ag: '39,72',
  kv_an: '263,15',
  kv_ag: '263,15',
  pv_an: '50,48',
  pv_ag: '50,48',
  insolvenzgeldumlage: '3,97',
  lohnsteuer: '473,83',
  soli: '0,00',
} as const;
const without = (...keys: (keyof typeof SLIP)[]): Record<string, string> =>
  Object.fromEntries(Object.entries(SLIP).filter(([key]) => !keys.includes(key as keyof typeof SLIP)));

test('the slip is right', () => {
  expect(warned(SLIP)).toEqual([]);
});

describe('a value that others rest on, and that none of them agrees with, is the one that is named:', () => {
  test.each([
    ['pay that is ten times as much', { ...SLIP, sv_brutto: '33.100,00' }, 'sv_brutto', '3.310,00 €'],
    [
      'the same, without the bases',
      { ...without('rv_brutto', 'kv_brutto'), sv_brutto: '33.100,00' },
      'sv_brutto',
      '3.310,00 €',
    ],
    [
      'the same, where no other amount is as much',
      { ...without('rv_brutto', 'kv_brutto', 'steuerbrutto', 'lohnsteuer', 'soli'), sv_brutto: '33.100,00' },
      'sv_brutto',
      '3.310,00 €',
    ],
    ['pay of a thousand more', { ...SLIP, sv_brutto: '4.310,00' }, 'sv_brutto', '3.310,00 €'],
    [
      'the same, without the bases',
      { ...without('rv_brutto', 'kv_brutto', 'steuerbrutto', 'lohnsteuer', 'soli'), sv_brutto: '4.310,00' },
      'sv_brutto',
      '3.310,00 €',
    ],
    ['swapped digits of the pay', { ...SLIP, sv_brutto: '3.130,00' }, 'sv_brutto', '3.310,00 €'],
    [
      'pay that is taxed, of a thousand more',
      { ...SLIP, steuerbrutto: '4.310,00' },
      'steuerbrutto',
      '3.310,00 €',
    ],
    [
      'a rate that contributions do not agree with',
      { ...SLIP, kv_zusatzsatz: '1,6 %' },
      'kv_zusatzsatz',
      '1,3 %',
    ],
  ])('%s', (_case, slip, key, right) => {
    const { checks } = reviewed(slip);
    const wrong = checks.filter(({ status }) => status === 'warn');
    expect(wrong.map(({ aspect }) => aspect)).toEqual([key]);
    expect(wrong[0]!.detail).toContain(`richtig: ${right}`);
    expect(wrong[0]!.detail).toMatch(/Bestätigt durch \w+/u);
    expect(wrong[0]!.source_ids.length).toBeGreaterThan(0);
    // All that rests on it is judged with the right value.
    expect(reviewed(slip).notChecked.map(({ fact, reason }) => `${fact}: ${reason}`)).toEqual(
      expect.not.arrayContaining([expect.stringContaining('beruht auf')]),
    );
  });

  test('an hourly wage with which pay and hours do not agree: nobody is told to pay less', () => {
    const pay = {
      monat: '2022-11',
      bundesland: 'Hessen',
      arbeitsstunden: '160',
      stundenlohn_summe: '2.320,00',
      sv_brutto: '2.320,00',
      rv_brutto: '2.320,00',
      kv_brutto: '2.320,00',
    };
    expect(warned({ ...pay, stundenlohn: '14,50' })).toEqual([]);
    const { checks } = reviewed({ ...pay, stundenlohn: '15,40' });
    expect(checks.filter(({ status }) => status === 'warn')).toEqual([
      expect.objectContaining({ aspect: 'stundenlohn', detail: expect.stringContaining('richtig: 14,50 €') }),
    ]);
    // Hours that are wrong come of no wage in cents.
    expect(warned({ ...pay, stundenlohn: '14,50', arbeitsstunden: '157' })).toEqual(['stundenlohn_summe']);
    const old = {
      monat: '2022-10',
      mindestlohn: '12,00',
      stundenlohn: '10,45',
      arbeitsstunden: '160',
      stundenlohn_summe: '1.920,00',
    };
    expect(warned(old)).toEqual(['stundenlohn']);
    expect(reviewed(old).checks.find(({ status }) => status === 'warn')!.detail).toContain('12,00 €');
  });
});

describe('a wrong value that only it explains stays the one that is named:', () => {
  test.each([
    ['a base', { ...SLIP, rv_brutto: '3.130,00' }, ['rv_brutto']],
    [
      'both bases, with contributions of the right pay',
      { ...SLIP, rv_brutto: '3.130,00', kv_brutto: '3.130,00' },
      ['rv_brutto', 'kv_brutto'],
    ],
    [
      'the only contribution',
      {
        ...without(
          'rv_brutto',
          'kv_brutto',
          'rv_ag',
          'av_an',
          'av_ag',
          'kv_an',
          'kv_ag',
          'pv_an',
          'pv_ag',
          'insolvenzgeldumlage',
          'lohnsteuer',
          'soli',
          'steuerbrutto',
        ),
        rv_an: '290,00',
      },
      ['rv_an'],
    ],
    ['one contribution of many', { ...SLIP, rv_an: '308,83' }, ['rv_an']],
    [
      'two contributions that no pay explains',
      { ...SLIP, rv_an: '308,83', pv_ag: '60,00' },
      ['rv_an', 'pv_ag'],
    ],
    [
      'what nothing explains beside what a base explains',
      { ...SLIP, sv_brutto: '33.100,00', lohnsteuer: '480,00' },
      ['sv_brutto', 'lohnsteuer'],
    ],
    [
      'two bases',
      { ...SLIP, sv_brutto: '33.100,00', kv_zusatzsatz: '1,6 %' },
      ['kv_zusatzsatz', 'sv_brutto'],
    ],
    ['a wage tax', { ...SLIP, lohnsteuer: '470,00' }, ['lohnsteuer']],
  ])('%s', (_case, slip, keys) => {
    expect(warned(slip)).toEqual(keys);
  });
});

test('a pay of a midi-job that its bases and contributions do not agree with', () => {
  const pay = {
    monat: '2022-04',
    pgr: '101',
    bgr: '1111',
    midijob: 'ja',
    kv_zusatzsatz: '1,6 %',
    u1_satz: '1,6 %',
    rv_brutto: '905,97',
    kv_brutto: '905,97',
    rv_ag: '88,52',
    rv_an: '80,00',
    av_ag: '11,42',
    kv_zusatz_ag: '7,62',
    kv_ag: '69,49',
    umlage_u1: '14,50',
  };
  expect(warned({ ...pay, sv_brutto: '951,88' })).toEqual([]);
  expect(warned({ ...pay, sv_brutto: '1.051,88' })).toEqual(['sv_brutto']);
});

test('a pay of a mini-job that its contributions do not agree with, where regular pay is sent as well', () => {
  const pay = {
    monat: '2021-10',
    pgr: '109',
    bgr: '6100',
    minijob_entgelt: '340,00',
    rv_brutto: '634,84',
    kv_ag: '82,53',
    rv_ag: '95,23',
    rv_an: '22,85',
  };
  expect(warned({ ...pay, sv_brutto: '634,84' })).toEqual([]);
  expect(warned({ ...pay, sv_brutto: '904,84' })).toEqual(['sv_brutto']);
});

test('a levy with the rate of the other one, which some contribution is as much as by chance', () => {
  const pay = { monat: '2022-02', pgr: '101', bgr: '1111', sv_brutto: '2.708,20', rv_brutto: '2.708,20' };
  const levies = { u1_satz: '1,2 %', u2_satz: '0,24 %', umlage_u1: '32,50', av_ag: '32,50' };
  expect(warned({ ...pay, ...levies, umlage_u2: '6,50' })).toEqual([]);
  expect(warned({ ...pay, ...levies, umlage_u2: '32,50' })).toEqual(['umlage_u2']);
});

test('a levy of a part month that is cut to the ceiling may go on with fractions of a cent', () => {
  const pay = { monat: '2019-12', bundesland: 'Hessen', pgr: '101', bgr: '1111', eintritt: '07.12.2019' };
  const cut = { ...pay, sv_tage: '25', sv_brutto: '7.083,33', rv_brutto: '5.583,33', u2_satz: '0,39 %' };
  expect(warned({ ...cut, umlage_u2: '21,77' })).toEqual([]);
  expect(warned({ ...cut, umlage_u2: '21,78' })).toEqual([]);
  expect(warned({ ...cut, umlage_u2: '21,79' })).toEqual(['umlage_u2']);
});

test('the key 0 of health insurance: a mini-job without its flat-rate contribution', () => {
  const pay = { monat: '2022-03', pgr: '109', bgr: '0100', sv_brutto: '450,00' };
  expect(reviewed({ ...pay, minijob_kv_betrag: '0,00' }).checks.map(({ status }) => status)).toEqual(['ok']);
  expect(warned({ ...pay, minijob_kv_betrag: '58,50' })).toEqual(['minijob_kv_betrag']);
  expect(warned({ ...pay, kv_ag: '58,50' })).toEqual(['kv_ag']);
});

/** A midi-job of 1,000 euros in October 2022 that is not said to be one. */
const MIDI = {
  monat: '2022-10',
  bundesland: 'Hessen',
  pgr: '101',
  bgr: '1111',
  kinderlos: 'nein',
  kv_zusatzsatz: '1,3 %',
  sv_brutto: '1.000,00',
  rv_brutto: '913,59',
  kv_brutto: '913,59',
  rv_an: '66,13',
  rv_ag: '103,79',
  av_an: '8,53',
  av_ag: '13,39',
  kv_an: '56,53',
  kv_ag: '88,73',
  pv_an: '10,84',
  pv_ag: '17,02',
} as const;

describe('a base that the pay confirms is not overturned by one contribution', () => {
  test('the slip is right', () => expect(warned(MIDI)).toEqual([]));

  test.each([
    ['as if the pay were ordinary', 'rv_an', '93,00'],
    ['as if the pay were ordinary', 'rv_ag', '93,00'],
    ['as if the pay were ordinary', 'av_an', '12,00'],
    ['as if the pay were ordinary', 'av_ag', '12,00'],
    ['as if the pay were ordinary', 'kv_an', '79,50'],
    ['as if the pay were ordinary', 'kv_ag', '79,50'],
    ['as if the pay were ordinary', 'pv_an', '15,25'],
    ['as if the pay were ordinary', 'pv_ag', '15,25'],
    ['as if both bore the same of the lower base', 'rv_an', '84,96'],
    ['with a wrong digit', 'rv_ag', '83,79'],
  ] as const)('%s: %s', (_case, key, value) => {
    const { checks } = reviewed({ ...MIDI, [key]: value });
    const wrong = checks.filter(({ status }) => status === 'warn');
    expect(wrong.map(({ aspect }) => aspect)).toEqual([key]);
    // The base shows that it is a midi-job.
    expect(wrong[0]!.detail).toContain(`= ${MIDI[key]} € (Oktober 2022`);
  });
});

describe('a base of the zone is not taken for the pay where that is not given', () => {
  const bases = {
    monat: '2022-01',
    bundesland: 'Niedersachsen',
    pgr: '101',
    bgr: '1111',
    kinderlos: 'nein',
    kv_zusatzsatz: '1,1 %',
    rv_brutto: '343,56',
    kv_brutto: '343,56',
    rv_an: '21,58',
    rv_ag: '42,32',
    av_an: '2,78',
    av_ag: '5,46',
    pv_an: '3,54',
    pv_ag: '6,94',
  };
  test.each([
    ['of the lowest pay', bases],
    [
      'of a student',
      {
        monat: '2022-01',
        bundesland: 'Hessen',
        pgr: '106',
        bgr: '0100',
        rv_brutto: '847,25',
        rv_an: '73,88',
        rv_ag: '83,70',
      },
    ],
  ])('%s', (_case, slip) => expect(warned(slip)).toEqual([]));

  test('the current pay under a name of its own', () => {
    expect(warned({ ...bases, 'SV-Brutto lfd.': '455,00' })).toEqual([]);
    expect(warned({ ...bases, 'SV-Brutto lfd.': '455,00', rv_an: '22,58' })).toEqual(['rv_an']);
  });
});

describe('pay is not blamed for a wrong ceiling of pension insurance, because a base at the other ceiling confirms no pay:', () => {
  const health = { kv_brutto: '4.837,50', kv_an: '384,58', kv_ag: '384,58', pv_an: '73,77', pv_ag: '73,77' };
  const slip = {
    monat: '2021-01',
    bundesland: 'Hessen',
    pgr: '101',
    bgr: '1111',
    kinderlos: 'nein',
    kv_zusatzsatz: '1,3 %',
    ...health,
  };
  const ofBase = (rv_brutto: string, rv: string, av: string): Record<string, string> => ({
    ...slip,
    sv_brutto: '8.000,00',
    rv_brutto,
    rv_an: rv,
    rv_ag: rv,
    av_an: av,
    av_ag: av,
  });
  const ofLastYear = ofBase('6.900,00', '641,70', '82,80');
  const levies = {
    u1_satz: '1,6 %',
    umlage_u1: '110,40',
    u2_satz: '0,4 %',
    umlage_u2: '27,60',
    insolvenzgeldumlage: '8,28',
  };
  test.each([
    ['that of the year before', ofLastYear, '7.100,00'],
    ['the same, with levies', { ...ofLastYear, ...levies }, '7.100,00'],
    [
      'the same, with other amounts of the pay',
      { ...ofLastYear, steuerbrutto: '8.000,00', gehalt: '8.000,00' },
      '7.100,00',
    ],
    ['that of the East', ofBase('6.700,00', '623,10', '80,40'), '7.100,00'],
    [
      'a base that is no ceiling',
      { ...ofBase('5.800,00', '539,40', '69,60'), sv_brutto: '6.000,00' },
      '6.000,00',
    ],
  ])('%s', (_case, facts, right) => {
    const { checks } = reviewed(facts);
    const wrong = checks.filter(({ status }) => status === 'warn');
    expect(wrong.map(({ aspect }) => aspect)).toEqual(['rv_brutto']);
    expect(wrong[0]!.detail).toContain(`: ${right} € (`);
    // What comes of the wrong base is not confirmed.
    expect(checks.map(({ aspect }) => aspect).toSorted()).toEqual(
      ['rv_brutto', ...Object.keys(health)].toSorted(),
    );
  });
});

describe('a rate is not blamed for a wrong ceiling:', () => {
  const slip = { monat: '2021-01', bundesland: 'Hessen', pgr: '101', bgr: '1111', kv_zusatzsatz: '1,3 %' };
  test.each([
    ['that of the year before', { ...slip, sv_brutto: '5.200,00', kv_an: '372,66', kv_ag: '372,66' }],
    ['none at all', { ...slip, sv_brutto: '6.000,00', kv_an: '477,00', kv_ag: '477,00' }],
    [
      'none in a part of a month',
      { ...slip, sv_tage: '15', sv_brutto: '3.000,00', kv_an: '238,50', kv_ag: '238,50' },
    ],
  ])('%s', (_case, facts) => {
    expect(warned(facts)).toEqual(['kv_an', 'kv_ag']);
  });
  test('but where a fund can have it, and nothing else explains the contributions', () => {
    const facts = { ...slip, sv_brutto: '5.200,00', kv_an: '387,00', kv_ag: '387,00' };
    expect(warned(facts)).toEqual(['kv_zusatzsatz']);
  });
});
