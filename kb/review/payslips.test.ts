import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { review } from './review.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

/** Reviews a slip that is written as `key=value; key=value`. */
function reviewed(slip: string) {
  const facts = slip.split('; ').map((pair) => {
    const [key, value] = pair.split('=') as [string, string];
    return { key, value };
  });
  return review({ question: 'Stimmt die Abrechnung?', context: { facts }, base, language: 'de' });
}
const warnedOf = (slip: string): string[] =>
  reviewed(slip)
    .checks.filter(({ status }) => status === 'warn')
    .map(({ aspect }) => aspect);
const reasonOf = (slip: string, key: string): string | undefined =>
  reviewed(slip).notChecked.find(({ fact }) => fact === key)?.reason;
const statusOf = (slip: string, key: string): string | undefined =>
  reviewed(slip).checks.find(({ aspect }) => aspect === key)?.status;

describe('a right value is not warned of:', () => {
  test.each([
    [
      'no base in health insurance of a working student in the transition zone',
      'monat=2022-03; sv_brutto=706,00; gleitzone=ja; pgrs=106; kv_brutto=0,00',
    ],
    [
      'no base in health insurance of somebody who is insured privately',
      'monat=2022-03; sv_brutto=900,00; midijob=ja; krankenversicherung=privat; kv_brutto=0,00',
    ],
    ['the reference amount of a month', 'monat=2021-12; bundesland=Hessen; bezugsgroesse=3.290,00'],
    ['the limit of compulsory insurance, of a month', 'jahr=2022; jaeg=5.362,50'],
    [
      'the threshold of the solidarity surcharge, of a year',
      'jahr=2022; steuerklasse=I; soli_freigrenze=16.956',
    ],
    ['the value of meals in kind, of a day', 'jahr=2022; sachbezugswert_verpflegung=9,00'],
    [
      'what may be paid into a pension without contributions, of a month',
      'jahr=2022; bav_grenze_beitragsfrei=282,00',
    ],
    ['the reference amount of a year', 'monat=2021-12; bundesland=Hessen; bezugsgroesse=39.480,00'],
    [
      'a raised rate of short-time benefit that a law prolonged until June 2022',
      'monat=2022-05; kug_bezugsmonat=8; entgeltausfall=60 %; kug_kind=nein; kug_satz=80 %',
    ],
    ['a raised rate whose reasons are not given', 'monat=2022-05; kug_kind=nein; kug_satz=70 %'],
  ])('%s', (_case, slip) => {
    expect(warnedOf(slip)).toEqual([]);
  });
});

describe('the base of a part of a month that is sent unrounded is right to the cent:', () => {
  // The ceiling of ten days in the East is 6,700 euros × 10 ÷ 30.
  const person = 'monat=2021-10; bundesland=Thüringen; pgr=101; bgr=1111';
  const days = `${person}; eintritt=01.01.2012; austritt=10.10.2021; sv_tage=10`;
  test.each(['2233.3333333333335', '2.233,3333', '2.233,333', '2.233,33'])('%s', (base) => {
    for (const slip of [`${days}; kv_brutto=1.612,50`, days, person]) {
      const pay = slip === person ? '8.000,00' : '3.266,67';
      expect(warnedOf(`${slip}; sv_brutto=${pay}; rv_brutto=${base}; rv_an=207,70`)).toEqual([]);
    }
  });
  test('and a cent less is not', () => {
    expect(warnedOf(`${days}; sv_brutto=3.266,67; kv_brutto=1.612,50; rv_brutto=2.233,3233`)).toEqual([
      'rv_brutto',
    ]);
  });
});

describe('pay below zero takes back what was paid before, and nothing is judged by it:', () => {
  const person = 'monat=2021-05; pgr=101; bgr=1111; bundesland=Hessen';
  test.each([
    [
      'einmalzahlung',
      `${person}; sv_brutto=3.000,00; einmalzahlung=-500,00; rv_brutto=2.500,00; rv_an=232,50`,
    ],
    [
      'einmalzahlung',
      `${person}; sv_brutto=3.000,00; einmalzahlung=500,00-; rv_brutto=3.500,00; rv_an=325,50`,
    ],
    ['sv_brutto', `${person}; sv_brutto=-500,00 €; rv_an=46,50`],
  ])('%s', (key, slip) => {
    expect(reviewed(slip).checks).toEqual([]);
    expect(reasonOf(slip, 'rv_an')).toContain(
      `Ein negativer Betrag nimmt zurück, was früher gezahlt wurde (${key})`,
    );
    expect(reasonOf(slip, key)).toContain('Ein negativer Betrag');
  });
  test('but the minus of a deduction only marks it', () => {
    expect(statusOf(`${person}; sv_brutto=3.000,00; rv_an=-279,00`, 'rv_an')).toBe('ok');
    expect(statusOf(`${person}; sv_brutto=3.000,-; rv_an=279,00-`, 'rv_an')).toBe('ok');
  });
});

/** Lines of pay of 521 euros in the transition zone since October 2022, as the office for mini-jobs gives them. */
const linesOf521 = (given: string): string =>
  `${given}; rv_brutto=365,61; kv_brutto=365,61; kv_an=0,11; kv_zusatz_an=0,01; pv_an=0,02; rv_an=0,14; av_an=0,02; kv_ag=53,27; kv_zusatz_ag=4,75; pv_ag=11,14; rv_ag=67,86; av_ag=8,76`;

describe('from October 2022 on, when the transition zone was put on a new footing,', () => {
  const person = 'monat=2022-11; pgr=101; bgr=1111; bundesland=Hessen; kv_zusatzsatz=1,3; kinderlos=nein';
  // 365.61 euros bear contributions, and 1.48 those of the employee.
  test.each([`${person}; midijob=ja`, person])('what the law gives is right, line by line: %s', (given) => {
    const { checks, notChecked } = reviewed(linesOf521(`${given}; sv_brutto=521,00`));
    expect(checks.filter(({ status }) => status === 'warn')).toEqual([]);
    expect(checks).toHaveLength(12);
    expect(notChecked.map(({ fact }) => fact)).not.toContain('rv_ag');
  });
  test.each(
    'rv_brutto=391,00; kv_brutto=391,23; rv_an=24,04; rv_ag=48,45; av_an=3,10; av_ag=6,25; kv_an=20,55; kv_ag=38,03; pv_an=4,00; pv_ag=7,95; u3=0,47; faktor_f=0,7509; midijob_grenze=1.300; minijob_grenze=450; mindestlohn=10,45; midijob_bemessung=391,23'.split(
      '; ',
    ),
  )('what the law of September gives is warned of, and only that: %s', (wrong) => {
    const [key] = wrong.split('=');
    expect(warnedOf(`${person}; midijob=ja; sv_brutto=521,00; ${wrong}`)).toEqual([key]);
  });
  test('levies are taken of the whole base', () => {
    const slip = `${person}; midijob=ja; sv_brutto=850,00; u1_satz=2,1; u2_satz=0,5`;
    expect(warnedOf(`${slip}; umlage_u1=15,58; umlage_u2=3,71; u3=0,67`)).toEqual([]);
    expect(warnedOf(`${slip}; umlage_u1=17,85; umlage_u2=4,25; u3=0,77`)).toEqual([
      'umlage_u1',
      'umlage_u2',
      'u3',
    ]);
  });
  test('the surcharge for the childless is taken of the whole base, and so is the point of Saxony', () => {
    const childless = person.replace('kinderlos=nein', 'kinderlos=ja; alter=40');
    // 913.59 euros, and 711.11 for the employee: 711.11 × 1.525 % + 913.59 × 0.35 %.
    expect(statusOf(`${childless}; midijob=ja; sv_brutto=1.000,00; pv_an=14,04`, 'pv_an')).toBe('ok');
    const saxon = person.replace('Hessen', 'Sachsen');
    // 711.11 × 1.025 % + 913.59 × 1 %; and what a program gives that takes all of it of the employee's base.
    for (const [employee, employer] of [
      ['16,43', '11,43'],
      ['14,40', '13,46'],
    ])
      expect(
        warnedOf(`${saxon}; midijob=ja; sv_brutto=1.000,00; pv_an=${employee}; pv_ag=${employer}`),
      ).toEqual([]);
    expect(warnedOf(`${saxon}; midijob=ja; sv_brutto=1.000,00; pv_an=17,50; pv_ag=10,25`)).toEqual([
      'pv_an',
      'pv_ag',
    ]);
  });
  test('in a part of a month the formulas are for the pay of a whole one', () => {
    // 900 euros a month: 799.19 and 562.96, of which 20 days count.
    const slip = `${person}; midijob=ja; sv_tage=20; midijob_entgelt=900,00; sv_brutto=600,00`;
    expect(warnedOf(`${slip}; rv_brutto=532,79; rv_an=34,90; rv_ag=64,20`)).toEqual([]);
    expect(warnedOf(`${slip}; rv_brutto=455,99; rv_an=11,02; rv_ag=73,80`)).toEqual([
      'rv_brutto',
      'rv_an',
      'rv_ag',
    ]);
  });
  test('ordinary contributions are right where nothing tells of the zone, and warned of where it is said', () => {
    const { checks } = reviewed(`${person}; sv_brutto=850,00; rv_an=79,05`);
    expect(checks.map(({ status }) => status)).toEqual(['ok']);
    expect(checks[0]!.detail).toContain('§ 20 Abs. 2 und 2a SGB IV');
    expect(warnedOf(`${person}; midijob=ja; sv_brutto=850,00; rv_an=79,05`)).toEqual(['rv_an']);
    expect(statusOf(`${person}; sv_brutto=1.990,00; rv_an=185,07`, 'rv_an')).toBe('ok');
    expect(statusOf(`${person}; sv_brutto=1.700,00; rv_an=160,10`, 'rv_an')).toBe('warn');
    expect(statusOf(`${person}; midijob=nein; sv_brutto=850,00; rv_an=79,05`, 'rv_an')).toBe('ok');
    expect(statusOf(`${person.replace('101', '102')}; sv_brutto=900,00; rv_an=83,70`, 'rv_an')).toBe('ok');
  });
  test('pay that was that of a midi-job until September is not judged: its insurance may go on until 2023', () => {
    const slip = `${person}; sv_brutto=480,00; rv_an=44,64; kv_an=38,16; u3=0,43`;
    expect(reviewed(slip).checks).toEqual([]);
    for (const key of ['rv_an', 'kv_an', 'u3']) expect(reasonOf(slip, key)).toContain('§ 134 SGB IV');
    expect(warnedOf(`${person}; midijob=ja; midijob_entgelt=480,00`)).toEqual([]);
    expect(warnedOf(`${person.replace('2022-11', '2022-09')}; midijob=ja; midijob_entgelt=440,00`)).toEqual([
      'midijob_entgelt',
    ]);
  });
  test('a midi-job of up to 520 euros that goes on has the law of September, but in pension insurance that of a mini-job', () => {
    const slip = `${person}; midijob=ja; sv_brutto=500,00; u1_satz=0,9`;
    expect(
      warnedOf(
        `${slip}; kv_brutto=394,50; kv_an=22,97; kv_ag=39,75; pv_an=4,41; pv_ag=7,63; av_an=3,46; av_ag=6,00; rv_brutto=500,00; rv_an=18,00; rv_ag=75,00; umlage_u1=4,50; u3=0,45`,
      ),
    ).toEqual([]);
    expect(warnedOf(`${slip}; rv_brutto=394,50; rv_an=26,88; rv_ag=46,50; u3=0,36`)).toEqual([
      'rv_brutto',
      'rv_an',
      'rv_ag',
      'u3',
    ]);
    expect(warnedOf(`${slip}; kv_brutto=365,00; kv_an=0,50; av_ag=8,80`)).toEqual([
      'kv_brutto',
      'kv_an',
      'av_ag',
    ]);
  });
  test('a mini-job reaches to 520 euros', () => {
    const slip =
      'monat=2022-10; pgr=109; bgr=6100; bundesland=Hessen; sv_brutto=520,00; minijob_entgelt=520,00';
    expect(warnedOf(`${slip}; minijob_grenze=520; rv_ag=78,00; kv_ag=67,60; rv_an=18,72`)).toEqual([]);
    expect(warnedOf(slip.replace('2022-10', '2022-09'))).toEqual(['minijob_entgelt']);
    expect(warnedOf('monat=2022-10; minijob_entgelt=530,00')).toEqual(['minijob_entgelt']);
    expect(warnedOf('monat=2022-10; minijob=ja; minijob_stunden=43,33')).toEqual([]);
    expect(warnedOf('monat=2022-10; minijob=ja; minijob_stunden=44')).toEqual(['minijob_stunden']);
  });
  test('levies of a mini-job are judged', () => {
    const slip = 'monat=2022-11; pgr=109; bgr=6500; bundesland=Hessen; sv_brutto=400,00; u1_satz=0,9';
    expect(statusOf(`${slip}; umlage_u1=3,60`, 'umlage_u1')).toBe('ok');
    expect(statusOf(`${slip}; umlage_u1=15,04`, 'umlage_u1')).toBe('warn');
  });
  test('the minimum wage is 12 euros, and was 10.45 from July on', () => {
    expect(warnedOf('monat=2022-10; stundenlohn=11,99; mindestlohn=12,00')).toEqual(['stundenlohn']);
    expect(warnedOf('monat=2022-12; stundenlohn=12,00')).toEqual([]);
    expect(warnedOf('monat=2022-09; stundenlohn=10,45; mindestlohn=10,45')).toEqual([]);
    expect(warnedOf('monat=2022-06; stundenlohn=10,44; mindestlohn=9,82')).toEqual([]);
  });
});

test('no levy for sick pay may be right, in a firm of more than 30', () => {
  const slip =
    'monat=2021-05; pgr=101; bgr=1111; bundesland=Hessen; sv_brutto=3.000,00; u1_satz=2,1; umlage_u1=0,00';
  expect(warnedOf(slip)).toEqual([]);
  expect(reasonOf(slip, 'umlage_u1')).toContain('mehr als 30 Beschäftigte');
});

describe('days that bear contributions', () => {
  const entered =
    'monat=2021-03; pgr=101; bgr=1111; bundesland=Hessen; eintritt=08.03.2021; sv_tage=22; sv_brutto=6.038,71';
  test('are warned of where amounts are cut to the ceiling of those that entry gives', () => {
    // 7,100 × 24 ÷ 30 = 5,680; × 9.3 % = 528.24
    expect(
      warnedOf(`${entered}; rv_brutto=5.680,00; kv_brutto=3.870,00; rv_an=528,24; rv_ag=528,24`),
    ).toEqual(['sv_tage']);
    expect(warnedOf(`${entered}; rv_an=528,24; rv_ag=538,24`)).toEqual(['sv_tage', 'rv_ag']);
  });
  test('may be fewer than those from entry to exit, and it is said how many those are', () => {
    const fewer = `${entered}; rv_brutto=5.206,67; rv_an=484,22`;
    expect(warnedOf(fewer)).toEqual([]);
    expect(statusOf(fewer, 'rv_an')).toBe('ok');
    expect(reasonOf(fewer, 'sv_tage')).toContain('ergeben 24 SV-Tage');
  });
  test('31 are more than a month can have', () => {
    expect(warnedOf('monat=2022-03; sv_brutto=2.000; sv_tage=31; rv_brutto=2.000')).toEqual(['sv_tage']);
  });
  test('of a part month follow from entry and exit', () => {
    expect(statusOf('monat=2021-09; eintritt=16.09.2021; sv_tage=15', 'sv_tage')).toBe('ok');
    const mini = 'monat=2021-08; minijob=ja; rv_befreit=nein; sv_tage=18; eintritt=14.08.2021';
    expect(statusOf(`${mini}; minijob_mindestbemessung=105,00`, 'minijob_mindestbemessung')).toBe('ok');
    expect(statusOf(`${mini}; minijob_mindestbemessung=175,00`, 'minijob_mindestbemessung')).toBe('ok');
    expect(statusOf(`${mini}; minijob_mindestbemessung=106,00`, 'minijob_mindestbemessung')).toBe('warn');
    const loss = 'monat=2021-05; soll_entgelt=3.000,00; ist_entgelt=1.200,00';
    expect(statusOf(`${loss}; entgeltausfall=1.800,00`, 'entgeltausfall')).not.toBe('warn');
    expect(statusOf(`${loss}; entgeltausfall=50`, 'entgeltausfall')).toBe('warn');
    expect(statusOf('monat=2021-09; austritt=10.09.2021; sv_tage=10', 'sv_tage')).toBe('ok');
    expect(statusOf('monat=2021-09; austritt=10.09.2021; sv_tage=30', 'sv_tage')).toBe('warn');
  });
  test('that nobody has sent, and that alone explain a base, do not confirm it', () => {
    // 1.420 is the ceiling of six days.
    const slip = 'monat=2021-08; bundesland=Hessen; sv_brutto=4.120,00; rv_brutto=1.420,00';
    expect(statusOf(slip, 'rv_brutto')).toBeUndefined();
    expect(statusOf(`${slip}; sv_tage=6`, 'rv_brutto')).toBe('ok');
    expect(statusOf(`${slip}; sv_tage=30`, 'rv_brutto')).toBe('warn');
  });
  test('fewer than from entry to exit may be right', () => {
    expect(statusOf('monat=2021-09; eintritt=16.09.2021; sv_tage=8', 'sv_tage')).toBeUndefined();
  });
  test('that are wrong are the error, and not the bases that rest on them', () => {
    // Half of September: the ceiling of 15 days in the West is 3,550 euros.
    const slip = 'monat=2021-09; bundesland=Hessen; eintritt=16.09.2021; sv_tage=31; sv_brutto=5.000';
    expect(warnedOf(`${slip}; rv_brutto=3.550`)).toEqual(['sv_tage']);
  });
});

describe('levies in the transition zone', () => {
  // § 7 Abs. 2 AAG, § 358 Abs. 2 SGB III: of the pay on which pension contributions are based; 960.44 euros for 1,000.
  test('are taken of the lowered base', () => {
    const slip = 'monat=2022-03; midijob=ja; sv_brutto=1.000; u1_satz=1,6 %; u2_satz=0,5 %';
    expect(warnedOf(`${slip}; umlage_u1=15,37; umlage_u2=4,80; insolvenzgeldumlage=0,86`)).toEqual([]);
    expect(warnedOf(`${slip}; umlage_u1=16,00`)).toEqual(['umlage_u1']);
  });
});

describe('levies of a mini-job below the least base of its pension contribution', () => {
  const slip =
    'monat=2022-09; pgr=109; bgr=6100; bundesland=Hessen; u1_satz=0,9; u2_satz=0,29; sv_brutto=150,00';
  test.each(['; rv_brutto=175,00', '; rv_brutto=150,00', ''])(
    'are right of the pay and of that base%s',
    (base) => {
      expect(warnedOf(`${slip}${base}; u3=0,14; umlage_u1=1,35; umlage_u2=0,44`)).toEqual([]);
      expect(warnedOf(`${slip}${base}; u3=0,16; umlage_u1=1,58; umlage_u2=0,51`)).toEqual([]);
      expect(warnedOf(`${slip}${base}; u3=0,18; umlage_u1=1,45; umlage_u2=0,56`)).toEqual([
        'u3',
        'umlage_u1',
        'umlage_u2',
      ]);
    },
  );
  test('are of the pay alone where the employee is exempt, or earns more', () => {
    expect(warnedOf(`${slip.replace('6100', '6500')}; u3=0,16`)).toEqual(['u3']);
    expect(warnedOf(`${slip.replace('150,00', '400,00')}; u3=0,16`)).toEqual(['u3']);
    expect(warnedOf(`${slip.replace('150,00', '400,00')}; u3=0,36`)).toEqual([]);
  });
});

test('no flat health contribution is paid for a mini-jobber who is insured privately', () => {
  const slip = 'monat=2022-03; pgr=109; krankenversicherung=privat; sv_brutto=400';
  expect(warnedOf(`${slip}; kv_ag=0,00`)).toEqual([]);
  expect(warnedOf(`${slip}; kv_ag=52,00`)).toEqual(['kv_ag']);
});

const detailOf = (slip: string, key: string): string =>
  reviewed(slip).checks.find(({ aspect }) => aspect === key)!.detail;
const idsOf = (slip: string, key: string): readonly string[] =>
  reviewed(slip).checks.find(({ aspect }) => aspect === key)!.source_ids;

describe('an explanation', () => {
  test('of a mini-job in a firm quotes the rates of firms', () => {
    const slip = 'monat=2022-07; pgrs=109; minijob_entgelt=271,95; minijob_kv_betrag=19,85; bgrs=6100';
    expect(detailOf(slip, 'minijob_kv_betrag')).toContain('richtig: 271,95 € × 13 % = 35,35 €');
    expect(detailOf(slip, 'minijob_kv_betrag')).toContain('von 13 Prozent');
    expect(idsOf(slip, 'minijob_kv_betrag')).toEqual(['MJ-ABGABEN']);
  });

  test('of ordinary pay does not quote the transition zone', () => {
    const slip = 'monat=2019-09; rechtskreis=West; sv_brutto=1.831,00; rv_brutto=1.831,00; rv_an=179,28';
    expect(detailOf(slip, 'rv_an')).toContain('richtig: 1.831,00 € × 18,6 % ÷ 2 = 170,28 €');
    expect(idsOf(slip, 'rv_an')).toEqual(['BS-RV-TRAGUNG', 'BS-RV-2019']);
  });

  test('of the base in the transition zone shows the formula, and quotes the factor', () => {
    // 0.7547 × 450 + (1300 − 450 × 0.7547) / 850 × 531.50 = 940.14
    const detail = detailOf(
      'monat=2020-03; midijob_entgelt=981,50; midijob_bemessung=981,50',
      'midijob_bemessung',
    );
    expect(detail).toContain(
      '0,7547 × 450,00 € + (1.300,00 € − 450,00 € × 0,7547) ÷ (1.300,00 € − 450,00 €) × (981,50 € − 450,00 €) = 940,14 €',
    );
    expect(detail).toContain('Faktor F');
  });

  test('of a base adds up pay and one-off payment', () => {
    const slip = 'monat=2022-12; pgr=101; bgr=1111; sv_brutto=3.200; einmalzahlung=800; kv_brutto=4.000';
    expect(detailOf(slip, 'kv_brutto')).toContain('maßgeblich: 3.200,00 € + 800,00 € = 4.000,00 €');
  });

  test('of nothing that is owed multiplies nothing, and quotes why', () => {
    const detail = detailOf('monat=2020-09; azubi=ja; sv_brutto=285; rv_an=26,51', 'rv_an');
    expect(detail).toContain('richtig: 0,00 € (');
    expect(detail).toContain('höchstens 325 Euro');
    expect(detailOf('monat=2022-03; pgr=106; kv_an=83,87', 'kv_an')).toContain('versicherungsfrei');
  });

  test('of a cent that rounding made says so', () => {
    const slip = 'monat=2020-08; midijob=ja; sv_brutto=1.207,00; rv_an=110,01';
    expect(detailOf(slip, 'rv_an')).toMatch(/maßgeblich: .* = 110,0[01] €/u);
  });

  test('of wage tax shows how the tax of the year comes about', () => {
    // The programme deducts 8,636 for insurance and 1,000 + 36 from 12 × 4,324.
    const slip =
      'monat=2019-09; kinderlos=nein; stkl=III; steuerbrutto=4.324; kv_zusatzsatz=1,1 %; rechtskreis=Ost; bundesland=Sachsen; sv_tage=30; alter=54; lohnsteuer=451,66';
    const detail = detailOf(slip, 'lohnsteuer');
    expect(detail).toContain('maßgeblich: 5.420,00 € ÷ 12 = 451,66 €');
    expect(detail).toContain(
      'Jahresarbeitslohn 4.324,00 € × 12 = 51.888,00 € − Vorsorgepauschale 8.636,00 € (Rente 51.888,00 € × 9,3 % × 76 % = 3.667,44 € + Kranken und Pflege 51.888,00 € × 9,575 % (7 % + 0,55 % halber Zusatzbeitrag + 2,025 % Pflege) = 4.968,27 €, aufgerundet) − Pauschbeträge 1.036,00 €',
    );
    expect(detail).not.toContain('Beitragsbemessungsgrenze');
  });

  test('of a limit says that only the limit was checked', () => {
    const slip = 'monat=2022-03; rechtskreis=Ost; rv_brutto=5.000';
    expect(detailOf(slip, 'rv_brutto')).toContain('geprüft nur die Grenze: höchstens 6.750,00 €');
  });

  test('that there is no rule names the case', () => {
    const { notChecked } = reviewed(
      'monat=2022-03; bgr=9111; kv_an=300; sv_brutto=3.000; kv_zusatzsatz=1,3 %',
    );
    expect(notChecked.find(({ fact }) => fact === 'kv_an')?.reason).toContain('bgr 9111');
  });
});

describe('a wrong value hides nothing:', () => {
  // 3,250.00 x 9.3 % = 302.25; 2,400.00 x 9.3 % = 223.20; 3,250.00 x 1.2 % = 39.00
  const base = 'monat=2022-03; bundesland=Hessen; sv_brutto=3.250; rv_brutto=2.400';
  test('what is right by other facts is confirmed', () => {
    const slip = `${base}; rv_an=302,25; av_an=39,00`;
    expect(warnedOf(slip)).toEqual(['rv_brutto']);
    expect(statusOf(slip, 'rv_an')).toBe('ok');
  });
  test('what follows from it is neither confirmed nor warned of', () => {
    const slip = `${base}; rv_an=223,20; av_an=28,80`;
    expect(warnedOf(slip)).toEqual(['rv_brutto']);
    expect(statusOf(slip, 'rv_an')).toBeUndefined();
  });
  test('what is wrong with it and without it is a second mistake', () => {
    expect(warnedOf(`${base}; rv_an=305,22; av_an=39,00`)).toEqual(['rv_brutto', 'rv_an']);
  });
  test('what another fact settles instead of it is judged by that', () => {
    // 22 days: 7,050 x 22 / 30 = 5,170.00; x 9.3 % = 480.81
    const slip = 'monat=2022-03; bundesland=Hessen; austritt=22.03.2022; sv_tage=30; sv_brutto=6.000';
    const right = `${slip}; rv_brutto=5.170,00; rv_an=480,81`;
    expect(warnedOf(`${right}; rv_ag=480,81`)).toEqual(['sv_tage']);
    expect(statusOf(`${right}; rv_ag=480,81`, 'rv_ag')).toBe('ok');
    expect(warnedOf(`${right}; rv_ag=500,00`)).toEqual(['sv_tage', 'rv_ag']);
  });
  test('that the additional contribution has a line of its own counts, though the amount is wrong', () => {
    // 3,000.00 x 7.3 % = 219.00; x 0.65 % = 19.50
    const slip = 'monat=2022-03; bundesland=Hessen; sv_brutto=3.000; kv_zusatzsatz=1,3 %; kv_an=219,00';
    expect(warnedOf(`${slip}; kv_zusatz_an=25,50`)).toEqual(['kv_zusatz_an']);
    expect(detailOf(`${slip}; kv_zusatz_an=25,50`, 'kv_an')).toContain('kv_zusatz_an richtig 19,50 €');
    expect(warnedOf(`${slip}; kv_zusatz_an=25,50; kv_brutto=2.700`)).toEqual(['kv_zusatz_an', 'kv_brutto']);
  });
});

test.each([
  ['monat=2022-03; pgr=101; bgr=6100; sv_brutto=400; rv_ag=60,00', ['pgr', 'bgr']],
  ['monat=2022-03; pgr=101; bgr_kv=6; sv_brutto=400; rv_ag=60,00', ['pgr', 'bgr_kv']],
  ['monat=2022-03; pgr=109; midijob=ja; sv_brutto=400; rv_ag=60,00', ['pgr', 'midijob']],
])('%s: the keys contradict each other, and nothing is warned of by them', (slip, keys) => {
  const { checks, notChecked } = reviewed(slip);
  expect(checks.filter(({ status }) => status === 'warn')).toEqual([]);
  for (const key of keys)
    expect(notChecked.find(({ fact }) => fact === key)?.reason).toContain(
      `widersprechen sich: ${keys.join(', ')}`,
    );
});

describe('the additional contribution of a midi-job on a line of its own', () => {
  // 850 × 7.3 % = 62.05 and × 0.65 % = 5.53; of the base of 790.66 twice 57.72 less 62.05, and twice 5.14 less 5.53.
  const slip =
    'monat=2021-02; bundesland=Hessen; pgr=101; bgr=1111; kinderlos=nein; sv_brutto=850,00; kv_zusatzsatz=1,3';
  const right = 'kv_an=53,39; kv_zusatz_an=4,75; kv_ag=62,05; kv_zusatz_ag=5,53';
  test.each([
    ['that is said to be one', `${slip}; midijob=ja`],
    ['that may be one', slip],
  ])('is right, %s', (_case, facts) => {
    expect(reviewed(`${facts}; ${right}`).checks.map(({ status }) => status)).toEqual([
      'ok',
      'ok',
      'ok',
      'ok',
    ]);
    expect(warnedOf(`${facts}; ${right.replace('4,75', '5,75')}`)).toEqual(['kv_zusatz_an']);
    expect(warnedOf(`${facts}; ${right.replace('5,53', '6,53')}`)).toEqual(['kv_zusatz_ag']);
    expect(warnedOf(`${facts}; ${right.replace('53,39', '55,39')}`)).toEqual(['kv_an']);
  });
  test('tells what is right where the rest is wrong in either way', () => {
    // 3,000 × 7.3 % = 219.00, and 238.50 with the additional one, which 236 is nearer to.
    const ordinary =
      'monat=2022-03; bundesland=Hessen; pgr=101; bgr=1111; sv_brutto=3.000; kv_zusatzsatz=1,3 %; kv_zusatz_ag=19,50';
    expect(detailOf(`${ordinary}; kv_ag=236,00`, 'kv_ag')).toContain('= 219,00 €');
    expect(statusOf(`${ordinary}; kv_ag=238,50`, 'kv_ag')).toBe('ok');
    expect(detailOf(`${slip}; midijob=ja; kv_zusatz_ag=5,53; kv_ag=66,00`, 'kv_ag')).toContain('= 62,05 €');
  });
  test('may be less than three euros, which a key that may mean a rate as well is not read as', () => {
    expect(statusOf(`${slip}; midijob=ja; kv_zusatz_an=1,75`, 'kv_zusatz_an')).toBe('warn');
    expect(
      statusOf(
        `${slip.replace('; kv_zusatzsatz=1,3', '')}; midijob=ja; zusatzbeitrag=1,3; kv_ag=67,58`,
        'kv_ag',
      ),
    ).toBe('ok');
  });
});

describe('a midi-job in a part of a month', () => {
  // § 163 Abs. 10 SGB VI: F x 450 + (1,300 - 450 x F) / 850 x (1,187.24 - 450) of the whole month is 1,172.36; half of
  // it for 15 of 30 days is 586.18. The employer bears 593.62 x 9.3 % = 55.21.
  const slip =
    'monat=2022-09; land=NI; pgr=101; bgr=1111; kinderlos=nein; midijob=ja; eintritt=16.09.2022; sv_tage=15; sv_brutto=593,62; kv_zusatzsatz=1,1 %';
  const right =
    'rv_brutto=586,18; kv_brutto=586,18; rv_an=53,81; rv_ag=55,21; kv_an=45,43; pv_an=8,83; pv_ag=9,05';
  test.each([
    ['with the monthly pay', `${slip}; midijob_entgelt=1.187,24`],
    ['without it', slip],
  ])('has the part of the base of a whole month, %s', (_case, facts) => {
    const { checks } = reviewed(`${facts}; ${right}`);
    expect(warnedOf(`${facts}; ${right}`)).toEqual([]);
    expect(checks.map(({ aspect }) => aspect)).toEqual(
      expect.arrayContaining(['rv_brutto', 'rv_an', 'pv_ag']),
    );
    expect(warnedOf(`${facts}; rv_brutto=593,62; rv_ag=54,51; pv_an=10,88`)).toEqual([
      'rv_brutto',
      'rv_ag',
      'pv_an',
    ]);
  });
  test('is not worked out where the two pays do not fit each other', () => {
    expect(warnedOf(`${slip}; midijob_entgelt=900; rv_an=50,00; rv_ag=50,00; rv_brutto=500`)).toEqual([]);
  });
  test('may be one where nothing says that it is', () => {
    const open = slip.replace('midijob=ja; ', '');
    expect(warnedOf(`${open}; rv_an=53,81; rv_ag=55,21; kv_an=45,43`)).toEqual([]);
    expect(warnedOf(`${open}; rv_an=55,21; rv_ag=55,21`)).toEqual([]);
    expect(warnedOf(`${open}; rv_an=60,00`)).toEqual(['rv_an']);
  });
});

describe('a base is what contributions are calculated of, not pay to compare with:', () => {
  test.each([
    ['of a midi-job', 'monat=2022-03; midijob=ja; sv_brutto=900; rv_brutto=900', 'rv_brutto'],
    [
      'of privately insured people',
      'monat=2022-03; kv_art=privat; sv_brutto=6.000; kv_brutto=4.837,50',
      'kv_brutto',
    ],
    ['of working students', 'monat=2022-03; pgr=106; sv_brutto=900; kv_brutto=900', 'kv_brutto'],
  ])('%s', (_case, slip, key) => {
    expect(warnedOf(slip)).toEqual([key]);
  });
});

test('a base that rests on a wrong part of a one-off payment is neither confirmed nor warned of', () => {
  // The ceiling of a month in 2021 is 4,837.50 euros: with 4,900 euros of regular pay, no part of the 800 euros fits
  // into October.
  const slip =
    'monat=2021-11; sv_brutto=4.900; einmalzahlung=800; sv_tage_jahr=330; kv_entgelt_jahr=53.212,50; einmalzahlung_kv=800; kv_brutto=4.837,50';
  expect(warnedOf(slip)).toEqual(['einmalzahlung_kv']);
});

describe('the figure of the law', () => {
  // § 2 Abs. 1 BeitrVV: the half rate is rounded and then doubled.
  test.each([
    // 761.23 × 9.3 % = 70.79, doubled 141.58; less 824.00 × 9.3 % = 76.63
    ['monat=2021-09; midijob=ja; sv_brutto=824,00', 'rv_an', '64,95'],
    // 1,241.14 × 1.525 % = 18.93, doubled 37.86; less 1,248.00 × 1.525 % = 19.03
    [
      'monat=2021-12; midijob=ja; sv_brutto=1.248,00; bundesland=Hessen; elterneigenschaft=ja',
      'pv_an',
      '18,83',
    ],
    // 3,953.00 × 1.525 % = 60.28, and the surcharge of 0.25 % = 9.88
    ['monat=2021-03; sv_brutto=3.953,00; bundesland=Hessen; kinderlos=ja; alter=41', 'pv_an', '70,16'],
    // The tax of the year is 18,101 euros (1,508.41 a month): 11.9 % of the part above 16,956 are 136.25, a twelfth of
    // it 11.35.
    ['monat=2022-03; stkl=I; kfb=0; lohnsteuer=1.508,41', 'soli', '11,35'],
  ])('%s: %s is %s', (slip, key, right) => {
    expect(detailOf(`${slip}; ${key}=${right}`, key)).toContain(`= ${right} €`);
    expect(detailOf(`${slip}; ${key}=999,00`, key)).toContain(`= ${right} €`);
  });
});

test('contributions of a voluntary member whom the employer pays for are those of the ceiling', () => {
  // 4,837.50 × (14.6 + 1.3) % / 2 = 384.58; × 1.525 % = 73.77
  const slip =
    'monat=2022-03; bgr=9111; bundesland=Hessen; elterneigenschaft=ja; sv_brutto=6.000; kv_zusatzsatz=1,3 %';
  expect(warnedOf(`${slip}; kv_an=384,58; kv_ag=384,58; pv_an=73,77; pv_ag=73,77`)).toEqual([]);
  expect(warnedOf(`${slip}; kv_an=769,16; kv_ag=0,00; pv_an=147,54; pv_ag=0,00`)).toEqual([]);
  expect(warnedOf(`${slip}; kv_an=416,03; pv_ag=49,58`)).toEqual(['kv_an', 'pv_ag']);
});

test('of short-time work both bear half of what was earned, and the employer all of what was lost', () => {
  // Contributions are paid on 800 of the 1,000 lost euros: 18.6 % are 148.80, besides 186.00 for 2,000.
  const slip =
    'monat=2022-03; soll_entgelt=3.000; ist_entgelt=2.000; sv_brutto=2.000; bundesland=Hessen; elterneigenschaft=ja; kv_zusatzsatz=1,3 %; u1_satz=1,6 %';
  expect(warnedOf(`${slip}; rv_an=186,00; av_an=24,00; kv_an=159,00; pv_an=30,50; umlage_u1=32,00`)).toEqual(
    [],
  );
  expect(warnedOf(`${slip}; rv_ag=334,80; av_ag=24,00; kv_ag=286,20; pv_ag=54,90`)).toEqual([]);
  expect(warnedOf(`${slip}; rv_ag=186,00; kv_ag=159,00; pv_ag=30,50`)).toEqual([]);
  expect(warnedOf(`${slip}; rv_an=260,40; umlage_u1=48,00`)).toEqual(['rv_an', 'umlage_u1']);
});

test('lines of the employer in short-time work are all with the part on the loss, or all without it', () => {
  const slip =
    'monat=2021-09; pgr=101; bgr=1111; bundesland=Hessen; kinderlos=nein; kv_zusatzsatz=1,3; soll_entgelt=3600; ist_entgelt=1800; sv_brutto=1800';
  // 1,800 × 7.95 % = 143.10, and on the loss 1,440 × 15.9 % = 228.96 more.
  expect(warnedOf(`${slip}; rv_ag=435,24; pv_ag=71,37; kv_ag=143,10`)).toEqual(['kv_ag']);
  expect(detailOf(`${slip}; rv_ag=435,24; pv_ag=71,37; kv_ag=143,10`, 'kv_ag')).toContain('= 372,06 €');
  expect(detailOf(`${slip}; rv_ag=435,24; pv_ag=71,37; kv_ag=123,10`, 'kv_ag')).toContain('= 372,06 €');
  expect(detailOf(`${slip}; rv_ag=167,40; pv_ag=27,45; kv_ag=372,06`, 'kv_ag')).toContain('= 143,10 €');
  expect(reasonOf(`${slip}; rv_ag=435,24; kv_ag=143,10`, 'rv_ag')).toContain('passen nicht zusammen');
});

describe('short-time work', () => {
  const west =
    'monat=2021-05; bundesland=Hessen; elterneigenschaft=ja; kv_zusatzsatz=1,3 %; pgr=101; bgr=1111';
  test('at no hours at all leaves the contributions of the employer on what is lost', () => {
    // 80 percent of 2,500 euros are 2,000: × 18.6 % = 372.00, × 15.9 % = 318.00, × 3.05 % = 61.00
    const slip = `${west}; soll_entgelt=2.500; ist_entgelt=0; sv_brutto=0; kurzarbeit=ja`;
    expect(
      warnedOf(`${slip}; rv_an=0; rv_ag=372,00; av_ag=0; kv_an=0; kv_ag=318,00; pv_an=0; pv_ag=61,00`),
    ).toEqual([]);
    expect(warnedOf(`${slip}; rv_ag=465,00; kv_an=159,00`)).toEqual(['rv_ag', 'kv_an']);
  });
  test('below 1,300 euros makes no midi-job of ordinary pay', () => {
    const slip = `${west}; soll_entgelt=3.000; ist_entgelt=900; sv_brutto=900`;
    expect(statusOf(`${slip}; rv_an=83,70`, 'rv_an')).toBe('ok');
    expect(statusOf(`${slip}; rv_an=77,00`, 'rv_an')).toBe('warn');
  });
  test('counts what is lost up to what the earned pay leaves of each ceiling', () => {
    // § 232a Abs. 2, § 223 Abs. 3 SGB V: 4,837.50 − 3,000; § 163 Abs. 6, § 157 SGB VI: 7,100 − 3,000.
    const slip = `${west}; soll_entgelt=6.500; ist_entgelt=3.000; sv_brutto=3.000`;
    // 3,000 × 9.3 % + 2,800 × 18.6 %; 3,000 × 7.95 % + 1,837.50 × 15.9 %; 3,000 × 1.525 % + 1,837.50 × 3.05 %
    expect(warnedOf(`${slip}; rv_ag=799,80; kv_ag=530,66; pv_ag=101,79; kv_brutto=4.837,50`)).toEqual([]);
    expect(warnedOf(`${slip}; kug_bemessung=2.800,00`)).toEqual([]);
    expect(warnedOf(`${slip}; kug_bemessung=1.837,50; rv_ag=799,80`)).toEqual([]);
    expect(warnedOf(`${slip}; kv_ag=683,70`)).toEqual(['kv_ag']);
    expect(warnedOf(`${slip}; kug_bemessung=3.500,00`)).toEqual(['kug_bemessung']);
  });
  test('of a parent may be due without a child that still counts', () => {
    const slip = 'monat=2021-05; kug_bezugsmonat=2; entgeltausfall=60 %; kug_anspruch_bis_maerz_2021=ja';
    expect(warnedOf(`${slip}; elterneigenschaft=ja; kug_satz=60 %`)).toEqual([]);
    expect(warnedOf(`${slip}; elterneigenschaft=ja; kug_satz=67 %`)).toEqual([]);
    expect(warnedOf(`${slip}; kinderlos=ja; kug_satz=67 %`)).toEqual(['kug_satz']);
    expect(warnedOf(`${slip}; kfb=1,0; kug_satz=60 %`)).toEqual(['kug_satz']);
    expect(warnedOf(`${slip}; elterneigenschaft=ja; kug_satz=70 %`)).toEqual(['kug_satz']);
  });
});

describe('a one-off payment of the first three months', () => {
  const slip = 'monat=2019-02; rechtskreis=West; pgr=101; bgr=1111; sv_brutto=3.900; einmalzahlung=765';
  test('counts for this year where the part of the ceiling is not exceeded', () => {
    // 54,450 × 60 / 360 = 9,075, of which 7,800 are taken.
    const year = `${slip}; eintritt=01.04.2017; sv_tage_jahr=60; kv_entgelt_jahr=7.800; rv_entgelt_jahr=7.800`;
    expect(statusOf(`${year}; maerzklausel=nein`, 'maerzklausel')).toBe('ok');
    expect(statusOf(`${year}; kv_brutto=4.665`, 'kv_brutto')).toBe('ok');
    expect(statusOf(`${year}; kv_brutto=4.537,50`, 'kv_brutto')).toBe('warn');
  });
  test('is told by the days of whoever was there last year, where none are given', () => {
    const year = `${slip}; im_vorjahr_beschaeftigt=ja; kv_entgelt_jahr=7.800`;
    expect(statusOf(`${year}; maerzklausel=nein`, 'maerzklausel')).toBe('ok');
    expect(statusOf(`${year}; maerzklausel=ja`, 'maerzklausel')).toBe('warn');
    expect(statusOf(`${year}; einmalzahlung=2.000; maerzklausel=ja`, 'maerzklausel')).toBeUndefined();
    const more = year.replace('einmalzahlung=765', 'einmalzahlung=2.000');
    expect(statusOf(`${more}; maerzklausel=ja`, 'maerzklausel')).toBe('ok');
    expect(statusOf(`${more}; maerzklausel=nein`, 'maerzklausel')).toBe('warn');
  });
  test('may count for last year where fewer days than all make it so', () => {
    // Sick pay of a fund for a month leaves 30 days, and 4,537.50 euros of the ceiling.
    const year = `${slip}; im_vorjahr_beschaeftigt=ja; kv_entgelt_jahr=3.900`;
    expect(statusOf(`${year}; maerzklausel=ja`, 'maerzklausel')).not.toBe('warn');
    expect(statusOf(`${year}; anteilige_bbg_kv=4.537,50`, 'anteilige_bbg_kv')).toBeUndefined();
    expect(statusOf(`${year}; anteilige_bbg_kv=9.075,00`, 'anteilige_bbg_kv')).toBe('ok');
    expect(statusOf(`${year}; anteilige_bbg_kv=9.705,00`, 'anteilige_bbg_kv')).toBe('warn');
  });
});

test('days that nothing tells entry or exit of are held to their limit', () => {
  expect(detailOf('monat=2020-10; sv_brutto=3.870,97; sv_tage=15', 'sv_tage')).toContain('nur die Grenze');
});

test("what cannot be read of the kind of employment does not matter beside the person's group", () => {
  // In SAP a group of employees is a number that the customer defines.
  const slip = 'monat=2022-03; mitarbeitergruppe=1; rechtskreis=West; sv_brutto=3.000; rv_an=279,00';
  expect(statusOf(slip, 'rv_an')).toBeUndefined();
  expect(statusOf(`${slip}; pgr=101`, 'rv_an')).toBe('ok');
  expect(statusOf(`${slip}; pgr=110`, 'rv_an')).toBeUndefined();
});

test('the additional contribution of a voluntary member whom the employer pays for is judged on its own line', () => {
  const slip = 'monat=2022-03; bgr=9111; sv_brutto=6.000; kv_zusatzsatz=1,3 %';
  expect(warnedOf(`${slip}; kv_zusatz_an=31,44; kv_zusatz_ag=31,44`)).toEqual([]);
  expect(warnedOf(`${slip}; kv_zusatz_an=39,00; kv_zusatz_ag=39,00`)).toEqual([
    'kv_zusatz_an',
    'kv_zusatz_ag',
  ]);
});

test('surcharges of a single parent are right with the relief of either half of 2020', () => {
  const slip =
    'monat=2020-05; stkl=II; kfb=1; steuerbrutto=5.008,89; kv_zusatzsatz=2 %; bundesland=Thüringen; geburtsdatum=23.06.1973; lohnsteuer=860,75';
  expect(warnedOf(`${slip}; soli=34,69`)).toEqual([]);
  expect(warnedOf(`${slip}; soli=37,97`)).toEqual([]);
  expect(warnedOf(`${slip}; soli=47,34`)).toEqual(['soli']);
});

describe('a clerk is told', () => {
  test('of which amounts the lower counts', () => {
    const slip = 'monat=2022-03; rechtskreis=West; pgr=101; bgr=1111; sv_brutto=7.500; rv_brutto=7.500';
    expect(detailOf(slip, 'rv_brutto')).toContain(
      'richtig: der kleinere Betrag von 7.500,00 € und 7.050,00 €: 7.050,00 €',
    );
    const privat = 'monat=2021-05; bgr=0110; pkv_beitrag=600; pkv_zuschuss=384,58';
    expect(detailOf(privat, 'pkv_zuschuss')).toContain(
      'der kleinere Betrag von 384,58 € und 300,00 € (600,00 € ÷ 2): 300,00 €',
    );
  });
  test('what room the ceiling leaves for a one-off payment', () => {
    // 58,050 × 270 / 360 = 43,537.50
    const slip =
      'monat=2021-09; sv_brutto=4.492,11; einmalzahlung=8.094,90; sv_tage_jahr=270; kv_entgelt_jahr=40.428,99; einmalzahlung_kv=8.094,90';
    expect(detailOf(slip, 'einmalzahlung_kv')).toContain(
      'der kleinere Betrag von 8.094,90 € und 3.108,51 € (43.537,50 € − 40.428,99 €): 3.108,51 €',
    );
  });
  test('what the Märzklausel compares', () => {
    const slip =
      'monat=2021-03; im_vorjahr_beschaeftigt=ja; krankenversicherung=pflicht; einmalzahlung=7.040,66; kv_entgelt_jahr=8.332,08; maerzklausel=nein';
    const detail = detailOf(slip, 'maerzklausel');
    expect(detail).toContain('Bisher im Jahr mit der Einmalzahlung: 8.332,08 € + 7.040,66 € = 15.372,74 €.');
    expect(detail).toContain('Anteilige Beitragsbemessungsgrenze: 58.050,00 € × 90 ÷ 360 = 14.512,50 €.');
    expect(detail).toContain('wird dem letzten Abrechnungszeitraum des Vorjahres zugeordnet');
  });
  test('what the surcharge is taken of', () => {
    const slip = 'monat=2020-04; stkl=IV; kfb=0; lohnsteuer=638,08; soli=40,00';
    expect(detailOf(slip, 'soli')).toContain('7.657,00 € × 5,5 % ÷ 12 = 35,09 €');
  });
  test('how the lowered base of a midi-job comes about', () => {
    const slip = 'monat=2021-11; midijob=ja; sv_brutto=899,27; u2_satz=0,39 %; umlage_u2=5,00';
    expect(detailOf(slip, 'umlage_u2')).toMatch(
      /Beitragspflichtige Einnahme: 0,7509 × 450,00 € .* = 846,42 €/u,
    );
    expect(detailOf(slip, 'umlage_u2')).toContain('nach dem die Rentenversicherungsbeiträge bemessen werden');
  });
  test('the base of a midi-job that the law sets, where another was sent', () => {
    const slip = 'monat=2019-10; midijob=ja; pgr=101; bgr=1111; sv_brutto=997,32; kv_brutto=987,07';
    expect(detailOf(slip, 'kv_brutto')).toContain('= 958,32 €');
  });
  test('what is due of a day, where a subsidy is not of whole days', () => {
    const slip = 'monat=2020-03; netto_kalendertag=49,30';
    expect(detailOf(`${slip}; zuschuss_mutterschaftsgeld=63,30`, 'zuschuss_mutterschaftsgeld')).toContain(
      'richtig: 49,30 € − 13,00 € = 36,30 €',
    );
    expect(detailOf(`${slip}; zuschuss_mutterschaftsgeld=1.089,00`, 'zuschuss_mutterschaftsgeld')).toContain(
      '36,30 € × 30 = 1.089,00 €',
    );
  });
  test('who bears the contributions on what short-time work takes', () => {
    const slip =
      'monat=2022-03; soll_entgelt=3.000; ist_entgelt=2.000; sv_brutto=2.000; rechtskreis=West; pgr=101; rv_ag=400';
    expect(detailOf(slip, 'rv_ag')).toContain('Auf Kurzarbeitergeld trägt der Arbeitgeber die Beiträge');
  });
  test('the nearest reading by how many times it is off', () => {
    expect(detailOf('monat=2022-09; mittagessen=7,14', 'mittagessen')).toContain('richtig: 3,57 €');
    // Half of the 6,816 euros of a year is six times the 568 euros of a month.
    const limit = detailOf('jahr=2021; bav_grenze_steuerfrei=3.408', 'bav_grenze_steuerfrei');
    expect(limit).toContain('= 6.816,00 € – im Jahr');
  });
  test('the wage tax of the programme of the month', () => {
    const slip =
      'stkl=V; steuerbrutto=6.573,32; kv_zusatzsatz=2 %; bundesland=Hessen; kinderlos=nein; geburtsdatum=01.02.1991; lohnsteuer=1.800,00';
    expect(detailOf(`monat=2022-05; ${slip}`, 'lohnsteuer')).toContain('Pauschbeträge 1.036,00 €');
    expect(detailOf(`monat=2022-07; ${slip}`, 'lohnsteuer')).toContain('Pauschbeträge 1.236,00 €');
  });
  test('what leave of a part of a year comes of, and which share of the ceiling is free', () => {
    expect(detailOf('urlaubsanspruch=24; volle_monate=8; teilurlaub=15', 'teilurlaub')).toContain(
      '24 × 8 ÷ 12 = 16',
    );
    expect(detailOf('jahr=2022; bav_steuerfrei=7.000', 'bav_steuerfrei')).toContain('8 Prozent der');
  });
  test('which days count in a part of a month', () => {
    const detail = detailOf('monat=2019-04; austritt=16.04.2019; sv_tage=20', 'sv_tage');
    expect(detail).toContain(
      'für die Tage berechnet, an denen eine versicherungspflichtige Beschäftigung besteht',
    );
  });
});

test('a part of a month whose days are not sent is no wrong base of a voluntary member', () => {
  // Half of the ceiling of 4,837.50 euros, and half of the contributions.
  const slip =
    'monat=2022-03; bgr=9111; pgr=101; bundesland=Hessen; elterneigenschaft=ja; sv_brutto=5.000; kv_zusatzsatz=1,3 %';
  expect(warnedOf(`${slip}; kv_brutto=2.418,75; kv_an=192,29; pv_an=36,89`)).toEqual([]);
  expect(warnedOf(`${slip}; kv_brutto=4.783,50`)).toEqual(['kv_brutto']);
});

test('the factor F changed during 2022, and is not known for 2023', () => {
  // From October 2022 on it is 28 percent of 39.95 percent (§ 20 Abs. 2a SGB IV): 0.7009.
  expect(statusOf('monat=2022-09; faktor_f=0,7009', 'faktor_f')).toBe('warn');
  expect(statusOf('monat=2022-10; faktor_f=0,7009', 'faktor_f')).toBe('ok');
  expect(statusOf('monat=2023-01; faktor_f=0,7009', 'faktor_f')).toBeUndefined();
});

describe('a one-off payment is read in one way on the whole slip', () => {
  // 4,249.42 × 9.3 % = 395.20; without the one-off payment of 1,333.67 it is 271.16.
  const slip =
    'monat=2020-11; bundesland=Schleswig-Holstein; pgr=101; bgr=1111; sv_brutto=2.915,75; urlaubsgeld=1.333,67';
  const year = 'rv_entgelt_jahr=32.073,25; kv_entgelt_jahr=32.073,25; sv_tage_jahr=330';
  test('SV-Brutto is without it, and contributions that leave it out are warned of', () => {
    expect(warnedOf(`${slip}; ${year}; rv_an=395,20; rv_ag=395,20; insolvenzgeldumlage=2,55`)).toEqual([]);
    expect(warnedOf(`${slip}; ${year}; rv_an=271,16; rv_ag=395,20`)).toEqual(['rv_an']);
    expect(warnedOf(`${slip}; rv_an=271,16; rv_ag=271,16`)).toEqual(['rv_an', 'rv_ag']);
    expect(warnedOf(`${slip}; ${year}; rv_brutto=2.915,75`)).toEqual(['rv_brutto']);
  });
  test('SV-Brutto has it in where the pay of the year up to now says so', () => {
    // Eleven times 1,582.08 euros, which is 2,915.75 without 1,333.67.
    const months = 'rv_entgelt_jahr=17.402,88; kv_entgelt_jahr=17.402,88; sv_tage_jahr=330';
    expect(warnedOf(`${slip}; ${months}; rv_brutto=2.915,75; rv_an=271,16; rv_ag=271,16`)).toEqual([]);
    expect(warnedOf(`${slip}; ${months}; rv_an=395,20`)).toEqual(['rv_an']);
  });
  test('the days of the year tell how many months that is', () => {
    // 18,000 euros are six times 3,000, and four times 4,500.
    const half =
      'monat=2021-06; bundesland=Hessen; pgr=101; bgr=1111; sv_brutto=4.500; einmalzahlung=1.500; rv_entgelt_jahr=18.000; kv_entgelt_jahr=18.000';
    expect(warnedOf(`${half}; sv_tage_jahr=180; rv_brutto=4.500; rv_an=418,50`)).toEqual([]);
    expect(warnedOf(`${half}; sv_tage_jahr=120; rv_brutto=4.500`)).toEqual(['rv_brutto']);
  });
});

test.each(['3,500', '3,500 €', '€ 3,500', 'EUR 3,500', '3,500- €', '-3,500 €'])(
  '%s may be three and a half or thousands, with and without the sign of the currency',
  (written) => {
    const { notChecked } = reviewed(`monat=2022-03; pgr=101; rv_an=${written}`);
    expect(notChecked.find(({ fact }) => fact === 'rv_an')?.reason).toBe(
      'Nicht eindeutig: 3,50 € oder 3.500,00 €?',
    );
  },
);

describe('contributions of a voluntary member whom the employer pays for are halves or whole ones on the whole slip', () => {
  // 15.9 % of 4,837.50 euros are 769.16, and half of that 384.58; 3.05 % are 147.54, and half of that 73.77.
  const slip =
    'monat=2022-03; bgr=9111; pgr=101; bundesland=Hessen; elterneigenschaft=ja; sv_brutto=6.000; kv_zusatzsatz=1,3 %';
  test.each([
    ['halves', 'kv_an=384,58; kv_ag=384,58; pv_an=73,77; pv_ag=73,77'],
    ['whole ones with the subsidy apart', 'kv_an=769,16; kv_ag=0,00; pv_an=147,54; pv_ag=0,00'],
    ['whole ones with the subsidy beside', 'kv_an=769,16; kv_ag=384,58; pv_an=147,54; pv_ag=73,77'],
    [
      'whole ones with the additional contribution on a line of its own',
      'kv_an=706,28; kv_zusatz_an=62,89; kv_ag=0,00; kv_zusatz_ag=0,00; pv_an=147,54; pv_ag=0,00',
    ],
  ])('%s are right', (_, lines) => {
    expect(warnedOf(`${slip}; ${lines}`)).toEqual([]);
    expect(reviewed(`${slip}; ${lines}`).checks).toHaveLength(lines.split('; ').length);
  });
  test('a line that is not of the reading of the others is warned of', () => {
    expect(warnedOf(`${slip}; kv_an=384,58; kv_ag=0,00; pv_an=147,54`)).toEqual(['kv_an']);
    const own = 'kv_zusatz_an=62,89; kv_zusatz_ag=31,44; kv_ag=353,14';
    expect(warnedOf(`${slip}; ${own}; kv_an=716,28`)).toEqual(['kv_an']);
    expect(warnedOf(`${slip}; kv_an=384,58; kv_ag=0,00; pv_an=73,77; pv_ag=73,77`)).toEqual(['kv_ag']);
  });
  test('as many of each are told, and none is judged', () => {
    // The employer's halves may be the subsidy beside whole contributions.
    for (const lines of [
      'kv_an=384,58; pv_an=147,54',
      'kv_an=384,58; kv_ag=384,58; pv_an=147,54; pv_ag=73,77',
    ]) {
      const { checks, notChecked } = reviewed(`${slip}; ${lines}`);
      expect(checks).toEqual([]);
      expect(notChecked.find(({ fact }) => fact === 'pv_an')?.reason).toContain('passen nicht zusammen');
    }
  });
});

describe('ordinary contributions of pay in the range of a midi-job', () => {
  const slip = 'monat=2022-03; pgr=101; bgr=1111; sv_brutto=800; kinderlos=nein; bundesland=Hessen';
  const sentence = 'gelten die Regeln des Übergangsbereichs';
  test('are right, and the check says when the rules of the transition zone apply', () => {
    const said = `${slip}; rv_an=74,40; rv_ag=74,40; av_an=9,60; pv_an=12,20`;
    expect(warnedOf(said)).toEqual([]);
    for (const key of ['rv_an', 'av_an', 'pv_an']) {
      expect(detailOf(said, key).split(sentence)).toHaveLength(2);
      expect(idsOf(said, key)).toContain('SV-UEBERGANGSBEREICH');
    }
    expect(detailOf(said, 'rv_ag')).not.toContain(sentence);
  });
  test.each([
    ['contributions of a midi-job', `${slip}; rv_an=62,14`],
    ['somebody of whom it is said that it is none', `${slip}; midijob=nein; rv_an=74,40`],
    ['more pay', `${slip.replace('800', '1.400')}; rv_an=130,20`],
    ['the months of the Gleitzone', `${slip.replace('2022-03', '2019-05')}; rv_an=74,40`],
  ])('but not of %s', (_, said) => {
    expect(statusOf(said, 'rv_an')).toBe('ok');
    expect(detailOf(said, 'rv_an')).not.toContain(sentence);
  });
});

describe('of somebody who is free of pension insurance', () => {
  // § 342 SGB III, § 358 Abs. 2 SGB III, § 7 Abs. 2 AAG: pay on which contributions would be due if there were insurance.
  const slip =
    'monat=2022-05; bundesland=Hessen; sv_brutto=4.000; rv_brutto=0,00; u1_satz=2 %; u2_satz=0,4 %; umlage_u1=80,00; umlage_u2=16,00; insolvenzgeldumlage=3,60';
  test.each([
    ['a member of a Versorgungswerk', 'pgr=101; bgr=1011; av_an=48,00; av_ag=48,00'],
    ['who is insured privately', 'pgr=101; bgr=0011; av_an=48,00; av_ag=48,00'],
    ['of whom it is said', 'pgr=101; rv_befreit=ja; av_an=48,00; av_ag=48,00'],
    ['in short-term employment', 'pgr=110; bgr=0000'],
  ])('an RV-Brutto of 0 is no base of what takes the pay: %s', (_, person) => {
    expect(warnedOf(`${slip}; ${person}`)).toEqual([]);
    expect(statusOf(`${slip}; ${person}`, 'umlage_u2')).toBe('ok');
  });
  test('levies of something else are warned of', () => {
    expect(warnedOf(`${slip.replace('=16,00', '=0,00')}; pgr=101; bgr=1011; av_an=0,00`)).toEqual([
      'umlage_u2',
      'av_an',
    ]);
  });
});

describe('a full old-age pension has no sickness benefit beside it', () => {
  // §§ 50 Abs. 1, 243 SGB V: 14.0 %; half of (14.0 + 1.3) % of the ceiling of 4,837.50 euros is 370.07 (§ 257 Abs. 2 Satz 3).
  const pensioner =
    'monat=2022-05; bundesland=Hessen; pgr=119; altersrentner=ja; kv_zusatzsatz=1,3 %; sv_brutto=6.000';
  test('contributions of a voluntary member are of the reduced rate', () => {
    expect(warnedOf(`${pensioner}; bgr=9321; kv_an=370,07; kv_ag=370,07`)).toEqual([]);
    expect(statusOf(`${pensioner}; bgr=9321; kv_an=370,07`, 'kv_an')).toBe('ok');
    expect(warnedOf(`${pensioner}; bgr=9321; kv_an=384,58`)).toEqual(['kv_an']);
  });
  test('the subsidy to private insurance is at most half of the reduced rate', () => {
    expect(statusOf(`${pensioner}; bgr=0320; pkv_beitrag=800; pkv_zuschuss=370,07`, 'pkv_zuschuss')).toBe(
      'ok',
    );
    expect(warnedOf(`${pensioner}; bgr=0320; pkv_beitrag=800; pkv_zuschuss=384,58`)).toEqual([
      'pkv_zuschuss',
    ]);
    expect(warnedOf(`${pensioner}; bgr=0320; pkv_beitrag=600; pkv_zuschuss=300,01`)).toEqual([
      'pkv_zuschuss',
    ]);
  });
});

test('the subsidy to private insurance may be more than half of the premium in short-time work', () => {
  // § 257 Abs. 2 Satz 4 SGB V: at most the whole premium.
  const slip =
    'monat=2022-03; bgr=0110; pgr=101; soll_entgelt=6.000; ist_entgelt=2.000; pkv_beitrag=700; pkv_zuschuss=610,16';
  expect(warnedOf(slip)).toEqual([]);
  const { notChecked } = reviewed(slip);
  expect(notChecked.find(({ fact }) => fact === 'pkv_zuschuss')?.reason).toContain('§ 257 Abs. 2 Satz 4');
});

describe('a dash is no denomination', () => {
  const slip = 'monat=2021-08; lohnsteuer=400; kinderfreibetraege=0; bundesland=Hessen';
  test.each(['--', '-', '–', '—', '---', 'keine', 'none'])('%s: church tax is wrong', (written) => {
    expect(warnedOf(`${slip}; konfession=${written}; kirchensteuer=36,00`)).toEqual(['kirchensteuer']);
    expect(warnedOf(`${slip}; konfession=${written}; kirchensteuer=0,00`)).toEqual([]);
  });
  test.each(['', '?', 'Kirche', 'unbekannt'])('but %o says nothing', (written) => {
    expect(statusOf(`${slip}; konfession=${written}; kirchensteuer=36,00`, 'kirchensteuer')).not.toBe('warn');
  });
});

describe('church tax of spouses of two denominations', () => {
  const slip = 'monat=2021-08; lohnsteuer=400; kinderfreibetraege=0; bundesland=Hessen; konfession=rk';
  test.each(['III', 'IV', 'V'])('may be exactly half in class %s', (taxClass) => {
    expect(statusOf(`${slip}; stkl=${taxClass}; kirchensteuer=18,00`, 'kirchensteuer')).toBe('ok');
    expect(detailOf(`${slip}; stkl=${taxClass}; kirchensteuer=18,00`, 'kirchensteuer')).toContain(
      'Halbteilung',
    );
    expect(warnedOf(`${slip}; stkl=${taxClass}; kirchensteuer=36,00`)).toEqual([]);
    expect(warnedOf(`${slip}; stkl=${taxClass}; kirchensteuer=18,05`)).toEqual(['kirchensteuer']);
    expect(detailOf(`${slip}; stkl=${taxClass}; kirchensteuer=18,05`, 'kirchensteuer')).toContain('36,00');
  });
  test.each(['Bayern', 'Bremen', 'Niedersachsen'])('is not halved in %s', (land) => {
    const half = land === 'Bayern' ? '16,00' : '18,00';
    expect(warnedOf(`${slip.replace('Hessen', land)}; stkl=III; kirchensteuer=${half}`)).toEqual([
      'kirchensteuer',
    ]);
  });
  test('is not halved in a class of the unmarried, nor of somebody without a church', () => {
    expect(warnedOf(`${slip}; stkl=I; kirchensteuer=18,00`)).toEqual(['kirchensteuer']);
    expect(warnedOf(`${slip.replace('rk', 'keine')}; stkl=III; kirchensteuer=18,00`)).toEqual([
      'kirchensteuer',
    ]);
  });
});

describe('the relief of 2022', () => {
  const slip =
    'bundesland=Hessen; pgr=101; bgr=1111; kinderlos=nein; kv_zusatzsatz=1,3; steuerklasse=I; sv_brutto=3.000,00';
  test('the allowance for energy prices is 300 euros, and nothing in tax class VI', () => {
    expect(warnedOf(`monat=2022-09; ${slip}; energiepreispauschale=300,00`)).toEqual([]);
    expect(warnedOf(`monat=2022-09; ${slip}; energiepreispauschale=0,00`)).toEqual([]);
    expect(warnedOf(`monat=2022-09; ${slip}; energiepreispauschale=200,00`)).toEqual([
      'energiepreispauschale',
    ]);
    const second = slip.replace('steuerklasse=I', 'steuerklasse=VI');
    expect(warnedOf(`monat=2022-09; ${second}; energiepreispauschale=300,00`)).toEqual([
      'energiepreispauschale',
    ]);
  });
  test('tax of a month with it is not recomputed, whether it is on a line of its own or in the pay alone', () => {
    for (const more of ['energiepreispauschale=300,00', 'steuerbrutto=3.300,00'])
      expect(
        reasonOf(`monat=2022-09; ${slip}; ${more}; kinderfreibetraege=0; lohnsteuer=999,00`, 'lohnsteuer'),
      ).toContain('sonstigen Bezügen');
    expect(
      warnedOf(`monat=2022-08; ${slip}; steuerbrutto=3.300,00; kinderfreibetraege=0; lohnsteuer=999,00`),
    ).toEqual(['lohnsteuer']);
  });
  test('allowances are those of the law of May from June on', () => {
    expect(warnedOf('monat=2022-07; arbeitnehmer_pauschbetrag=1.200')).toEqual([]);
    expect(warnedOf('monat=2022-07; arbeitnehmer_pauschbetrag=1.000')).toEqual(['arbeitnehmer_pauschbetrag']);
    // 20 × (20 × 0.30 + 10 × 0.38)
    expect(warnedOf('monat=2022-07; fahrtage=20; entfernung_km=30; fahrtkostenzuschuss=196,00')).toEqual([]);
    expect(warnedOf('monat=2022-07; fahrtage=20; entfernung_km=30; fahrtkostenzuschuss=196,01')).toEqual([
      'fahrtkostenzuschuss',
    ]);
    expect(warnedOf('monat=2022-11; inflationsausgleichspraemie=3.000')).toEqual([]);
    expect(warnedOf('monat=2022-11; inflationsausgleichspraemie=3.500')).toEqual([
      'inflationsausgleichspraemie',
    ]);
  });
  test('a wage tax by the programme of June quotes the allowances of it', () => {
    const { checks } = reviewed(
      `monat=2022-07; ${slip}; steuerbrutto=3.000,00; kinderfreibetraege=0; lohnsteuer=900,00`,
    );
    const { detail } = checks.find(({ aspect }) => aspect === 'lohnsteuer')!;
    expect(detail).toContain('auf 10.347 Euro erhöht');
    expect(detail).toContain('rückwirkend 1.200 Euro');
    expect(detail).not.toContain('1.000 Euro im Jahr');
  });
});

describe('contributions are of the pay of the month, and not of the regular pay beside it:', () => {
  const mini = 'monat=2021-05; pgr=109; bgr=6100; sv_brutto=320,00; minijob_entgelt=400,00';
  const midi = 'monat=2021-05; land=Hessen; pgr=101; bgr=1111; midijob=ja';
  test('of a mini-job', () => {
    expect(warnedOf(`${mini}; kv_ag=41,60; rv_ag=48,00; rv_an=11,52`)).toEqual([]);
    expect(warnedOf(`${mini}; kv_ag=52,00; rv_ag=60,00; rv_an=14,40`)).toEqual(['kv_ag', 'rv_ag', 'rv_an']);
  });
  test('of a midi-job', () => {
    const slip = `${midi}; midijob_entgelt=1.000,00; sv_brutto=900,00`;
    expect(warnedOf(`${slip}; rv_brutto=847,25; rv_an=73,88; rv_ag=83,70`)).toEqual([]);
    expect(warnedOf(`${slip}; rv_brutto=960,44; rv_an=85,64; rv_ag=93,00`)).toEqual([
      'rv_brutto',
      'rv_an',
      'rv_ag',
    ]);
  });
  test.each([
    ['with the regular pay', `${midi}; midijob_entgelt=700,00`],
    ['of a midi-job', midi],
    ['where nothing tells it', midi.replace('; midijob=ja', '')],
  ])('below the zone the factor F alone is taken, %s', (_case, facts) => {
    const slip = `${facts}; sv_brutto=400,00`;
    expect(warnedOf(`${slip}; rv_brutto=300,36; rv_an=18,66; rv_ag=37,20`)).toEqual([]);
    expect(statusOf(`${slip}; rv_an=18,66`, 'rv_an')).toBe('ok');
    expect(warnedOf(`${slip}; rv_an=25,00`)).toEqual(['rv_an']);
  });
  test('since October 2022 the share of such a month is not worked out', () => {
    const slip = `${midi.replace('2021-05', '2022-11')}; midijob_entgelt=700,00; sv_brutto=500,00; rv_an=0,00`;
    expect(warnedOf(slip)).toEqual([]);
    expect(reasonOf(slip, 'rv_an')).toContain('höchstens 520,00 €');
  });
  test.each(['sv_brutto=400,00', 'sv_brutto=450,00'])(
    'a one-off payment may be beside it or in it: %s',
    (pay) => {
      const slip = `monat=2021-11; pgr=109; bgr=6100; ${pay}; einmalzahlung=50,00`;
      expect(warnedOf(`${slip}; rv_an=16,20; rv_ag=67,50; kv_ag=58,50`)).toEqual([]);
      expect(statusOf(`${slip}; rv_an=16,20; rv_ag=60,50; kv_ag=58,50`, 'rv_ag')).toBe('warn');
    },
  );
});

test('pay of the year that is cut to a ceiling does not tell whether a one-off payment is in SV-Brutto', () => {
  const slip =
    'monat=2021-09; land=Sachsen-Anhalt; sv_brutto=12.750; einmalzahlung=6.200; rv_entgelt_jahr=58.950; sv_tage_jahr=270';
  expect(warnedOf(`${slip}; kv_entgelt_jahr=43.537,50; u2_satz=0,44 %; umlage_u2=28,82`)).toEqual([]);
});

describe('KV-AN and KV-AG beside lines for the additional contribution', () => {
  const slip =
    'monat=2019-07; land=Hessen; pgr=101; bgr=1111; midijob=nein; sv_brutto=3.000,00; kv_zusatzsatz=1,0 %; kv_zusatz_an=15,00; kv_zusatz_ag=15,00';
  test('are both without it, or both with it', () => {
    expect(warnedOf(`${slip}; kv_an=219,00; kv_ag=219,00`)).toEqual([]);
    expect(warnedOf(`${slip}; kv_an=234,00; kv_ag=234,00`)).toEqual([]);
    expect(warnedOf(`${slip}; kv_an=234,00; kv_ag=219,00`)).toEqual(['kv_an']);
    expect(warnedOf(`${slip}; kv_an=219,00; kv_ag=234,00`)).toEqual(['kv_ag']);
  });
  test('are told without it where both are wrong', () => {
    const wrong = `${slip.replaceAll('15,00', '14,00')}; kv_an=215,00; kv_ag=215,00`;
    for (const key of ['kv_an', 'kv_ag']) expect(detailOf(wrong, key)).toContain('= 219,00 €');
  });
  test('are so of a voluntary member whose employer pays', () => {
    const voluntary =
      'monat=2019-07; land=Hessen; pgr=101; bgr=9111; sv_brutto=5.400,00; kv_zusatzsatz=1,2 %; kv_zusatz_an=27,23; kv_zusatz_ag=27,23';
    expect(detailOf(`${voluntary}; kv_an=331,24; kv_ag=507,90`, 'kv_ag')).toContain('= 331,24 €');
    expect(detailOf(`${voluntary}; kv_an=507,90; kv_ag=331,24`, 'kv_an')).toContain('= 331,24 €');
  });
});

test('a subsidy to private insurance is not left at the limit of the year before', () => {
  const slip = 'monat=2020-01; bgr=0110; pkv_zuschuss=351,66';
  expect(detailOf(`${slip}; pkv_beitrag=760,00`, 'pkv_zuschuss')).toContain('(760,00 € ÷ 2): 367,97 €');
  expect(warnedOf(`${slip}; pkv_beitrag=760,00`)).toEqual(['pkv_zuschuss']);
  expect(warnedOf(`${slip}; pkv_beitrag=703,32`)).toEqual([]);
  expect(warnedOf(slip)).toEqual([]);
});

test('the surcharge of a part of a month tells the threshold of its days', () => {
  const slip =
    'monat=2022-11; sv_tage=24; steuerklasse=1; kinderfreibetraege=0; lohnsteuer=1.382,88; soli=30,00';
  expect(detailOf(slip, 'soli')).toContain('1.413,00 € × 24 ÷ 30 = 1.130,40 €');
  expect(detailOf(slip, 'soli')).toContain('je Tag ist daher bis zu einem Cent Unterschied möglich');
});
