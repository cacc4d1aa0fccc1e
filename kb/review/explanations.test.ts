import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import { review } from './review.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

/** What is said of one key of a slip that is written as `key=value; key=value`, checked or not. */
function said(slip: string, key: string): string {
  const facts = slip.split('; ').map((pair) => {
    const [name, value] = pair.split('=') as [string, string];
    return { key: name, value };
  });
  const { checks, notChecked } = review({
    question: 'Stimmt die Abrechnung?',
    context: { facts },
    base,
    language: 'de',
  });
  const lines = [
    ...checks.filter(({ aspect }) => aspect === key).map(({ detail }) => detail),
    ...notChecked.filter(({ fact }) => fact === key).map(({ reason }) => reason),
  ];
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

describe('wage tax', () => {
  test('with a factor shows the tax of the year before it', () => {
    const slip =
      'monat=2019-07; land=BW; childless=ja; pgr=101; bgr=1111; kv_zusatzsatz=0,9; stkl=IV; steuerbrutto=3.540,15; steuerfaktor=0,912; lohnsteuer=510,08';
    expect(said(slip, 'lohnsteuer')).toMatch(
      /Steuer des Jahres nach dem Grundtarif 2019 \(§ 32a Abs\. 1 EStG\): \(.* × Faktor 0,912 = 6\.121,00 €/u,
    );
  });
});

describe('a quote', () => {
  const oneOff =
    'monat=2020-11; pgr=101; bgr=1111; sv_brutto=2.000,00; urlaubsgeld=500,00; rv_brutto=2.500,00';

  test.each([
    ['Schleswig-Holstein', '(West)'],
    ['Sachsen', '(Ost)'],
  ])('is of the place: %s', (land, words) => {
    expect(said(`${oneOff}; bundesland=${land}`, 'rv_brutto')).toContain(words);
    expect(said(`${oneOff}; bundesland=${land}`, 'rv_brutto')).toContain('Im Jahr 2020');
  });

  test.each(['2019-09', '2020-09', '2021-09', '2022-09'])(
    'is of the year: limits of pensions in %s',
    (month) => {
      const line = said(
        `monat=${month}; bundesland=Hessen; bav_grenze_beitragsfrei=282`,
        'bav_grenze_beitragsfrei',
      );
      expect(line).toMatch(new RegExp(`Fundstelle: „[^“]*Jahr ${month.slice(0, 4)} `, 'u'));
    },
  );

  test('of short-time work is not of another insurance', () => {
    const slip =
      'monat=2020-06; bundesland=Hessen; pgr=101; bgr=1111; kurzarbeit=ja; sv_brutto=1.301,00; ist_entgelt=1.301,00; soll_entgelt=3.477,39; rv_brutto=3.042,11';
    expect(said(slip, 'rv_brutto')).toContain('80 Prozent des Unterschieds');
    expect(said(slip, 'rv_brutto')).not.toContain('Krankenversicherung');
  });

  test('of no unemployment insurance of pensioners until 2021 says why there is none', () => {
    const line = said('monat=2019-09; pgr=119; sv_brutto=1.500,00; av_ag=0,00', 'av_ag');
    expect(line).toContain(
      'Bis zum 31. Dezember 2021 entfiel der Beitrag des Arbeitgebers (§ 346 Abs. 3 SGB III).',
    );
    expect(line).not.toContain('trotzdem die Hälfte');
  });

  test('is never of a law of another time, be it only named as the provision', () => {
    const line = said(
      'monat=2020-06; soll_entgelt=3.300,04; ist_entgelt=2.145,03; entgeltausfall=35',
      'entgeltausfall',
    );
    expect(line).toContain('Soll-Entgelt ist das Brutto ohne Arbeitsausfall');
    expect(line).not.toContain('KugverlV');
    expect(line).not.toContain('2022');
  });

  test('of the base of an apprentice of low pay says who bears its contributions, beside the sum', () => {
    const line = said('monat=2020-07; pgr=121; bgr=1111; sv_brutto=287,50; kv_brutto=287,50', 'kv_brutto');
    expect(line).toContain('der kleinere Betrag von 287,50 € und 4.687,50 €: 287,50 € (Juli 2020');
    expect(line).toContain('werden sie vom ganzen Entgelt berechnet. Fundstelle: „Erhält ein Auszubildender');
  });

  test.each([
    [
      'more than 8 hours',
      'monat=2021-09; abwesenheit=10',
      '14 Euro für einen Kalendertag mit mehr als 8 Stunden',
    ],
    [
      'more than 8 hours until 2019',
      'monat=2019-09; abwesenheit=9',
      '12 Euro für einen Kalendertag mit mehr als 8',
    ],
    [
      'a day of travel',
      'monat=2021-09; an_oder_abreisetag=ja',
      'den Abreisetag beträgt die Verpflegungspauschale',
    ],
    ['24 hours', 'monat=2021-09; abwesenheit=24', '28 Euro für jeden Kalendertag'],
  ])('of the allowance for meals is that of the case: %s', (_case, slip, words) => {
    expect(said(`${slip}; verpflegungspauschale=40,00`, 'verpflegungspauschale')).toContain(words);
  });

  test.each([
    ['2021-09', 'SN', '2,025 Prozent und der Arbeitgeber 1,025 Prozent.“ „', '0,25 Beitragssatzpunkten.“'],
    ['2022-03', 'SN', '2,025 Prozent und der Arbeitgeber 1,025 Prozent.“ „', '0,35 Beitragssatzpunkten.“'],
    ['2022-03', 'NW', 'je 1,525 Prozent.“ „', '0,35 Beitragssatzpunkten.“'],
  ])('of care insurance has the share and the surcharge: %s in %s', (month, land, share, surcharge) => {
    const line = said(
      `monat=${month}; pgr=101; bgr=1111; land=${land}; kinderlos=ja; alter=30; sv_brutto=3.000; pv_an=50`,
      'pv_an',
    );
    expect(line).toContain('Fundstellen: „');
    expect(line).toContain(share);
    expect(line).toContain(surcharge);
  });
});

describe('readings of a result are named so that a clerk knows who bears what:', () => {
  test('short-time work', () => {
    const slip =
      'monat=2020-09; bgr=1111; pgr=101; kv_zusatzsatz=1,1; kurzarbeit=ja; sv_brutto=1.301,00; ist_entgelt=1.301,00; soll_entgelt=3.477,39; kv_ag=272,98';
    expect(said(slip, 'kv_ag')).toContain(
      'Ist-Entgelt halber Satz, Fiktivlohn (80 Prozent des Ausfalls) ganzer Satz, allein vom Arbeitgeber',
    );
  });

  test('a voluntary member whose employer pays for them', () => {
    const slip = 'monat=2022-09; pgr=101; bgr=9111; kv_zusatzsatz=1,1; sv_brutto=8.421,03; kv_ag=353,14';
    expect(said(slip, 'kv_ag')).toContain('379,74 € – Arbeitgeberanteil, halber Beitrag (Firmenzahler)');
  });
});

describe('a check says what a clerk asks next:', () => {
  test('of which rates a rate is the sum, once', () => {
    const slip =
      'monat=2022-02; pgr=101; bgr=1111; land=HE; kv_zusatzsatz=1,5; midijob=ja; sv_brutto=520,50; kv_an=25,34; kv_ag=41,90';
    expect(said(slip, 'kv_ag')).toContain('520,50 € × 16,1 % (14,6 % + 1,5 % Zusatzbeitrag) ÷ 2 = 41,90 €');
    expect(said(slip, 'kv_an').match(/Zusatzbeitrag\)/gu)).toHaveLength(1);
    expect(
      said('monat=2022-02; pgr=101; bgr=1111; kv_zusatzsatz=0; sv_brutto=3.000; kv_ag=219,00', 'kv_ag'),
    ).not.toContain('Zusatzbeitrag)');
  });

  test('only facts by which the result is worked out', () => {
    const slip =
      'monat=2022-03; pgr=101; bgr=9111; land=HE; kinderlos=nein; kv_zusatzsatz=0,9; sv_brutto=8.250,00; kv_brutto=4.837,50; kv_an=374,91; kv_ag=374,91; pv_an=73,77; pv_ag=73,77';
    expect(said(slip, 'pv_an')).toContain('(März 2022; kinderlos nein; land Hessen; bgr 9111)');
    expect(said(slip, 'pv_an')).toContain('Beitragsbemessungsgrenze: 4.837,50 €.');
  });

  test('that all lines of a firm payer are halves or wholes only where they are mixed', () => {
    const slip =
      'monat=2022-03; pgr=101; bgr=9111; land=HE; kinderlos=nein; kv_zusatzsatz=0,9; sv_brutto=8.250,00';
    const rule = 'Entweder weisen alle Zeilen den halben Beitrag aus';
    expect(said(`${slip}; kv_an=374,91; kv_ag=374,91; pv_an=80,00`, 'pv_an')).not.toContain(rule);
    expect(said(`${slip}; kv_an=353,14; kv_zusatz_an=21,77; pv_an=147,54`, 'pv_an')).toContain(rule);
  });

  test.each([
    [
      'an apprentice',
      'monat=2022-08; pgr=102; bgr=1111; land=HE; sv_brutto=620; rv_an=48,26',
      'rv_an',
      'Auszubildende: kein Übergangsbereich.',
    ],
    [
      'somebody born before 1940',
      'monat=2019-05; pgr=119; bgr=3301; land=HE; kinderlos=ja; geburtsdatum=31.12.1939; sv_brutto=2.500; pv_an=38,13',
      'pv_an',
      'Vor 1940 geboren',
    ],
    [
      'somebody of 22',
      'monat=2019-05; pgr=102; bgr=1111; land=HE; kinderlos=ja; alter=22; sv_brutto=2.500; pv_an=44,38',
      'pv_an',
      'das 23. Lebensjahr',
    ],
    [
      'the half that is borne for a pensioner',
      'monat=2019-05; pgr=119; bgr=3301; land=HE; sv_brutto=2.500; rv_ag=232,50',
      'rv_ag',
      'trägt trotzdem die Hälfte',
    ],
    [
      'levies of short-time work',
      'monat=2021-05; pgr=101; bgr=1111; land=HE; soll_entgelt=3.000; ist_entgelt=750; sv_brutto=750; u1_satz=2,1; umlage_u1=18,75',
      'umlage_u1',
      'nur vom Ist-Entgelt',
    ],
    [
      'a car',
      'monat=2020-07; listenpreis=34.990,00; entfernung_km=17; firmenwagen_arbeitsweg=178,45',
      'firmenwagen_arbeitsweg',
      '34.900,00 € × 0,03 % × 17 = 177,99 €',
    ],
    [
      'the least base of a mini-job',
      'monat=2021-06; land=HE; pgr=109; bgr=6100; sv_brutto=120; rv_an=14,55',
      'rv_an',
      'zur Rentenversicherung, weil der Arbeitgeber 15 oder 5 Prozent trägt.“ „Berechnet wird der Rentenversicherungsbeitrag versicherungspflichtiger Minijobber mindestens von 175 Euro',
    ],
    [
      'the least base of a mini-job in a part of a month',
      'monat=2021-06; land=HE; pgr=109; bgr=6100; sv_tage=15; sv_brutto=60; rv_an=7,28',
      'rv_an',
      'liegt: 175,00 € × 15 ÷ 30 = 87,50 €.',
    ],
    [
      'the employer of a midi-job',
      'monat=2022-02; pgr=101; bgr=1111; land=HE; midijob=ja; sv_brutto=850; rv_ag=79,05',
      'rv_ag',
      'vom tatsächlichen Entgelt, nicht von der niedrigeren beitragspflichtigen Einnahme',
    ],
    [
      'the employee of a midi-job that is not named',
      'monat=2021-06; pgr=101; bgr=1111; land=HE; sv_brutto=850; rv_an=68,01',
      'rv_an',
      'Beitragspflichtige Einnahme: 0,7509 × 450,00 €',
    ],
    [
      'the month of a midi-job in a part of one',
      'monat=2022-03; pgr=101; bgr=1111; land=HE; midijob=ja; sv_tage=20; midijob_entgelt=900; sv_brutto=600; rv_an=40',
      'rv_an',
      '(900,00 € − 450,00 €) = 847,25 €. Beitragspflichtige Einnahme: 847,25 € × 20 ÷ 30 = 564,83 €.',
    ],
    [
      'why a household pays no levy for insolvency',
      'monat=2022-03; pgr=209; sv_brutto=150; insolvenzgeldumlage=0,14',
      'insolvenzgeldumlage',
      'zahlen keine Insolvenzgeldumlage.“',
    ],
    [
      'why somebody in a mini-job pays nothing',
      'monat=2022-03; pgr=109; bgr=6500; sv_brutto=430; rv_an=15,48',
      'rv_an',
      'zahlt keinen Eigenanteil.“',
    ],
    [
      'of which month a wage tax is',
      'monat=2021-05; land=BY; pgr=101; bgr=1111; kinderlos=nein; stkl=III; kv_zusatzsatz=1,3; steuerbrutto=5.200; lohnsteuer=560',
      'lohnsteuer',
      '(Mai 2021; kinderlos nein;',
    ],
    [
      'a mini-job from October 2022 on, with the same least base',
      'monat=2022-10; land=HE; pgr=109; bgr=6100; sv_brutto=520; rv_an=16,20',
      'rv_an',
      '520,00 € × 18,6 % − 520,00 € × 15 % = 18,72 €',
    ],
    [
      'a one-off payment above the ceiling of the month',
      'monat=2021-11; pgr=101; bgr=1111; land=HE; im_vorjahr_beschaeftigt=ja; sv_brutto=4.500; einmalzahlung=5.000; kv_entgelt_jahr=49.500; kv_brutto=8.000',
      'kv_brutto',
      'nicht die Beitragsbemessungsgrenze des Monats, sondern die anteilige des Jahres bis einschließlich dieses Monats: 58.050,00 € × 330 ÷ 360 = 53.212,50 €. Beitragspflichtig waren im Jahr bisher 49.500,00 €; Platz ist noch für 53.212,50 € − 49.500,00 € = 3.712,50 €.',
    ],
    [
      'what contributions of a one-off payment are taken of',
      'monat=2021-11; pgr=101; bgr=1111; land=HE; kinderlos=nein; im_vorjahr_beschaeftigt=ja; sv_brutto=4.500; einmalzahlung=5.000; kv_entgelt_jahr=49.500; pv_ag=125,24',
      'pv_ag',
      'Bemessungsgrundlage der Beiträge: 4.500,00 € + 3.712,50 € = 8.212,50 €.',
    ],
    [
      'a one-off payment below the ceiling of the month',
      'monat=2021-11; pgr=101; bgr=1111; land=HE; sv_brutto=2.500; einmalzahlung=1.000; kv_brutto=3.400',
      'kv_brutto',
      '(2.500,00 € + 1.000,00 € = 3.500,00 €) liegen zusammen nicht über der Beitragsbemessungsgrenze des Monats von 4.837,50 €',
    ],
    [
      'where the tax of the year is from that a surcharge is taken of',
      'monat=2020-05; stkl=I; kinderfreibetraege=0; lohnsteuer=537,58; soli=29,68',
      'soli',
      'das Zwölffache der Lohnsteuer von 537,58 €, auf volle Euro aufgerundet: 6.451,00 €.',
    ],
    [
      'how a surcharge is lower by child allowances',
      'monat=2020-05; land=HE; stkl=I; pgr=101; bgr=1111; kinderlos=nein; kinderfreibetraege=1; kv_zusatzsatz=1,1; steuerbrutto=3.500; lohnsteuer=537,58; soli=22',
      'soli',
      '− Kinderfreibeträge 7.812,00 € (1 × 7.812,00 €): zu versteuern 26.215,00 €. Steuer des Jahres nach dem Grundtarif 2020 (§ 32a Abs. 1 EStG): (212,02 × 1,1683 + 2.397) × 1,1683 + 972,79 = 4.062,00 €, abgerundet; 1,1683 = (26.215 − 14.532) ÷ 10.000. Ein Zwölftel davon: 4.062,00 € ÷ 12 = 338,50 €.',
    ],
    [
      'that parts are rounded apart, where who types the sum gets another cent',
      'monat=2021-06; pgr=101; bgr=1111; land=HE; kinderlos=ja; geburtsdatum=02.02.1985; sv_brutto=2.741,25; pv_an=48,65',
      'pv_an',
      'Die Teile je für sich gerundet: 41,80 € + 6,85 € = 48,65 €.',
    ],
    [
      'what is cut to the cent before a twelfth of it is taken',
      'monat=2021-08; stkl=I; kinderfreibetraege=0; lohnsteuer=1.794,08; soli=45,34',
      'soli',
      'Vor der Teilung und danach auf Cent abgerundet: 544,18 € ÷ 12 = 45,34 €.',
    ],
    [
      'that fractions of a cent are left out of church tax',
      'monat=2022-01; land=HE; stkl=I; kinderfreibetraege=0; konfession=rk; lohnsteuer=533,33; kirchensteuer=47,99',
      'kirchensteuer',
      'Bruchteile eines Cents fallen dabei weg.',
    ],
    [
      'the tariff of class III, and the parts of what is taken off',
      'monat=2021-09; land=BY; pgr=101; bgr=1111; kinderlos=nein; stkl=III; kv_zusatzsatz=1,2; steuerbrutto=4.200; lohnsteuer=395,66',
      'lohnsteuer',
      'Pauschbeträge 1.036,00 € (Arbeitnehmer-Pauschbetrag 1.000,00 € + Sonderausgaben-Pauschbetrag 36,00 €): zu versteuern 40.827,00 €. Steuer des Jahres nach dem Splittingtarif 2021 (§ 32a Abs. 1, 5 EStG): Steuer der Hälfte von 20.413,00 €: ',
    ],
    [
      'by what the tax of class V is worked out',
      'monat=2021-09; land=BY; pgr=101; bgr=1111; kinderlos=nein; stkl=V; kv_zusatzsatz=1,2; steuerbrutto=4.200; lohnsteuer=395,66',
      'lohnsteuer',
      'Fundstellen: „In den Steuerklassen V und VI ist die Jahreslohnsteuer das Zweifache',
    ],
    [
      'by which raised rate short-time pay is worked out',
      'monat=2021-12; nettoentgeltdifferenz=980; kug_satz=87; kurzarbeitergeld=656,60',
      'kurzarbeitergeld',
      'ab dem siebten Bezugsmonat 80 Prozent',
    ],
    [
      'the days that a birth before its time lost',
      'entbindung=20.02.2022; entbindungstermin=10.03.2022; frueh_oder_mehrlingsgeburt=ja; mutterschutz_ende=05.05.2022',
      'mutterschutz_ende',
      'endet am 15.05.2022; dazu kommen 18 vor der Geburt verlorene Tage. Fundstellen: „',
    ],
    [
      'how the arrears of a surcharge are rounded',
      'rueckstand=3.785,40; saeumnis_monate=1; saeumniszuschlag=37,85',
      'saeumniszuschlag',
      'auf volle 50 Euro',
    ],
    [
      'for what a flat tax of 25 percent is',
      'monat=2021-05; pauschsteuersatz_mahlzeiten=25',
      'pauschsteuersatz_mahlzeiten',
      'arbeitstägliche Mahlzeiten im Betrieb',
    ],
    [
      'that the raised rates of short-time pay ended',
      'monat=2022-07; kinder=0; kug_satz=80',
      'kug_satz',
      'endeten am 30. Juni 2022.',
    ],
    [
      'the days of a part month',
      'monat=2021-04; eintritt=12.04.2021; sv_tage=19',
      'sv_tage',
      '12.04.2021 bis 30.04.2021 = 19 Tage.',
    ],
    [
      'what the employer of a voluntary member pays',
      'monat=2022-03; pgr=101; bgr=9111; land=NW; kinderlos=ja; alter=45; kv_zusatzsatz=1,1; sv_brutto=6.000; pv_an=90,70',
      'pv_an',
      'Freiwillig versichert: Der Arbeitgeber zahlt als Zuschuss',
    ],
    [
      'that a cent of rounding is not objected to, and by what parts are rounded',
      'monat=2020-11; pgr=101; bgr=1111; land=HH; kinderlos=ja; alter=46; sv_brutto=2.750; pv_an=48,81',
      'pv_an',
      'Ohne Rundung der einzelnen Teile sind es 48,8125 €, gerundet 48,81 €; auch das wird nicht beanstandet.',
    ],
    [
      'what an employee bears in short-time work',
      'monat=2021-02; pgr=101; bgr=1111; land=HE; soll_entgelt=6.000; ist_entgelt=3.500; sv_brutto=3.500; kv_zusatzsatz=1,3; kv_an=384,58',
      'kv_an',
      'Bei Kurzarbeit trägt der Arbeitnehmer Beiträge nur vom Ist-Entgelt',
    ],
    [
      'that a one-off payment has no levy for illness',
      'monat=2020-07; pgr=101; bgr=1111; land=HE; einmalzahlung=1.200; sv_brutto=3.000; u1_satz=2,1; umlage_u1=88,20',
      'umlage_u1',
      'Die Einmalzahlung bleibt bei der Umlage U1 außer Betracht (§ 7 Abs. 2 Satz 2 AAG).',
    ],
    [
      'that of weekly hours only the limit is checked',
      'monat=2020-03; pgr=106; bgr=0100; wochenstunden=20',
      'wochenstunden',
      'geprüft nur die Grenze',
    ],
    [
      'a church tax by the programme of its month, not by the one of June',
      'monat=2022-01; land=BY; stkl=III; kinderfreibetraege=0,5; konfession=rk; kinderlos=nein; pgr=101; bgr=1111; kv_zusatzsatz=1,3; sv_brutto=2.657; steuerbrutto=2.657; lohnsteuer=73; kirchensteuer=0',
      'kirchensteuer',
      '13,00 € × 8 % = 1,04 €',
    ],
    [
      'church tax with child allowances',
      'monat=2020-05; land=HE; stkl=I; pgr=101; bgr=1111; kinderlos=nein; kinderfreibetraege=1; kv_zusatzsatz=1,1; steuerbrutto=3.500; lohnsteuer=537,58; konfession=rk; kirchensteuer=40',
      'kirchensteuer',
      'die sich nach Abzug der Kinderfreibeträge ergäbe',
    ],
    [
      'where the part on the loss of short-time work is',
      'monat=2021-06; land=HE; pgr=101; bgr=1111; soll_entgelt=2.400; ist_entgelt=1.400; sv_brutto=1.400; rv_ag=130,20',
      'rv_ag',
      'auf das ausgefallene Entgelt trägt der Arbeitgeber allein; er gehört auf eine eigene Zeile',
    ],
    [
      'the employer of an apprentice of low pay',
      'monat=2021-05; pgr=121; bgr=1111; land=HE; sv_brutto=300; kv_zusatzsatz=1,7; kv_ag=47,00',
      'kv_ag',
      '2 × (300,00 € × 15,9 % (14,6 % + 1,3 %) ÷ 2) = 47,70 €',
    ],
    [
      'the employer of a miner',
      'monat=2021-05; pgr=101; bgr=1111; land=NW; knappschaftlich=ja; sv_brutto=3.000; rv_ag=279,00',
      'rv_ag',
      'Satz des Arbeitgebers: 24,7 % − 18,6 % ÷ 2 = 15,4 %.',
    ],
    [
      'when an apprentice began',
      'monat=2021-10; ausbildungsjahr=1; ausbildungsbeginn=01.08.2021; ausbildungsverguetung=515',
      'ausbildungsverguetung',
      '(Oktober 2021; ausbildungsjahr 1; ausbildungsbeginn 01.08.2021)',
    ],
    [
      'that it holds at any time, where no month decides',
      'monat=2021-10; arbeitstage_woche=5; urlaubsanspruch=20',
      'urlaubsanspruch',
      '(gilt zu jeder Zeit; arbeitstage_woche 5 Arbeitstage)',
    ],
    [
      'since when the limit of mini-jobs holds',
      'monat=2021-02; pgr=109; minijob_entgelt=400',
      'minijob_entgelt',
      'seit dem 1. Januar 2013',
    ],
    [
      'by which provision unemployment insurance of a midi-job is shared',
      'monat=2021-03; pgr=101; bgr=1111; land=HE; midijob=ja; midijob_entgelt=800; av_an=8,02',
      'av_an',
      '(§ 344 Abs. 4, § 346 Abs. 1a SGB III) und in der Pflegeversicherung',
    ],
    [
      'by what pay the levies of a mini-job are',
      'monat=2022-02; pgr=109; bgr=6100; minijob_entgelt=430; u2_satz=0,29; umlage_u2=1,30',
      'umlage_u2',
      'richtig: 430,00 € × 0,29 % = 1,25 €',
    ],
    [
      'that pay is below both ceilings where the place is not known',
      'monat=2022-02; pgr=101; land=BE; sv_brutto=6.600; rv_brutto=6.600',
      'rv_brutto',
      'unter beiden Beitragsbemessungsgrenzen (Ost 6.750,00 €, West 7.050,00 €)',
    ],
    [
      'how the lost pay of short-time work is cut',
      'monat=2021-03; pgr=101; bgr=1111; land=HE; soll_entgelt=8.000; ist_entgelt=5.000; sv_brutto=5.000; rv_ag=855,60',
      'rv_ag',
      'Fiktivlohn: der kleinere Betrag von 2.400,00 € ((8.000,00 € − 5.000,00 €) × 80 %) und 2.100,00 € (7.100,00 € − 5.000,00 €): 2.100,00 €.',
    ],
    [
      'that the levy for insolvency is of a one-off payment too',
      'monat=2021-03; pgr=101; bgr=1111; land=HE; sv_brutto=3.000; weihnachtsgeld=1.500; insolvenzgeldumlage=5,40',
      'insolvenzgeldumlage',
      '3.000,00 € + 1.500,00 € = 4.500,00 €. Die Insolvenzgeldumlage wird anders als U1 und U2 auch von der Einmalzahlung',
    ],
    [
      'an intern of low pay',
      'monat=2021-07; pgr=105; bgr=1111; land=BY; sv_brutto=300; rv_an=0,00',
      'rv_an',
      'zur Berufsausbildung gehört',
    ],
  ])('%s', (_case, slip, key, words) => {
    expect(said(slip, key)).toContain(words);
  });

  test('to what the pay is cut where the base is not sent', () => {
    const slip =
      'monat=2019-09; pgr=101; bgr=1111; land=HE; kinderlos=nein; sv_tage=7; sv_brutto=1.368,96; pv_ag=16,15';
    expect(said(slip, 'pv_ag')).toContain(
      'Bis zur Beitragsbemessungsgrenze: der kleinere Betrag von 1.368,96 € und 1.058,75 € (4.537,50 € × 7 ÷ 30): 1.058,75 €.',
    );
    expect(said(`${slip}; kv_brutto=1.058,75`, 'pv_ag')).not.toContain('Bis zur');
  });

  test.each([
    [
      'the transition zone in short-time work',
      'monat=2021-06; land=HE; pgr=101; bgr=1111; soll_entgelt=2.400; ist_entgelt=1.000; sv_brutto=1.000; rv_an=93,00',
      'rv_an',
      'Übergangsbereich',
    ],
    [
      'the transition zone of an apprentice whose pay is below it',
      'monat=2021-06; land=HE; pgr=102; bgr=1111; sv_brutto=400; rv_an=37,20',
      'rv_an',
      'Übergangsbereich',
    ],
    [
      'the surcharge of a working student, who has no care insurance there',
      'monat=2021-06; land=HE; pgr=106; kinderlos=ja; alter=22; sv_brutto=900; pv_an=0,00',
      'pv_an',
      'Zuschlag',
    ],
    [
      'pensioners in a mini-job, who are free as all others',
      'monat=2020-06; land=HE; pgr=109; altersrentner=ja; sv_brutto=400; av_ag=0,00',
      'av_ag',
      'Bis zum 31. Dezember 2021',
    ],
  ])('nothing that does not fit the case: %s', (_case, slip, key, words) => {
    expect(said(slip, key)).not.toContain(words);
  });

  test('up to which ceilings the insurance allowance of a wage tax counts', () => {
    const slip =
      'monat=2021-08; pgr=101; bgr=1111; land=NW; kinderlos=nein; stkl=I; kv_zusatzsatz=1,7; steuerbrutto=7.663,86; lohnsteuer=1.997,66';
    expect(said(slip, 'lohnsteuer')).toMatch(
      /in der Rentenversicherung 85\.200,00 €, in der Kranken- und Pflegeversicherung 58\.050,00 €\..*\[BBG-2021\].*\[BBG-KV-2021\]/u,
    );
  });

  test('what the employer bears alone in short-time work', () => {
    const slip =
      'monat=2021-09; pgr=101; bgr=1111; land=HE; kv_zusatzsatz=1,3; soll_entgelt=3600; ist_entgelt=1800; sv_brutto=1800; rv_ag=435,24; kv_ag=372,06';
    expect(said(slip, 'kv_ag')).toContain(
      'Davon allein vom Arbeitgeber auf den Ausfall: 2 × (1.440,00 € × 15,9 %',
    );
  });

  test('no choice of the same amount', () => {
    const slip = 'monat=2022-01; pgr=101; bgr=1111; land=SN; sv_brutto=6.750,00; rv_brutto=6.750,00';
    expect(said(slip, 'rv_brutto')).not.toContain('der kleinere Betrag');
  });
});

describe('wage tax and what is taken of it', () => {
  const tax = 'pgr=101; bgr=1111; land=HE; kinderlos=ja; alter=35; kv_zusatzsatz=1,3; steuerbrutto=3.500';

  test('show each figure of the insurance allowance, and quote where it is from', () => {
    const line = said(`monat=2021-03; stkl=I; ${tax}; lohnsteuer=520,75`, 'lohnsteuer');
    expect(line).toContain(
      '(Rente 42.000,00 € × 9,3 % × 84 % = 3.281,04 € + Kranken und Pflege 42.000,00 € × 9,425 % (7 % + 0,65 % halber Zusatzbeitrag + 1,525 % Pflege + 0,25 % Kinderlose) = 3.958,50 €, aufgerundet)',
    );
    expect(line).toContain(
      '(208,85 × 1,8971 + 2.397) × 1,8971 + 950,96 = 6.249,00 €, abgerundet; 1,8971 = (33.724 − 14.753) ÷ 10.000.',
    );
    for (const words of [
      'zu 84 Prozent im Jahr 2021',
      '1.000 Euro im Jahr',
      'von 36 Euro',
      '(208,85 · z + 2.397)',
    ])
      expect(line).toContain(words);
  });

  test.each([2019, 2020, 2021, 2022])('quote the tariff of %s that is worked with', (year) => {
    const line = said(`monat=${year}-03; stkl=I; ${tax}; lohnsteuer=1`, 'lohnsteuer');
    const [, factor, start] =
      /: \((?<factor>[\d,]+) × [\d,]+ \+ 2\.397\) × [\d,]+ \+ (?<start>[\d,]+) =/u.exec(line)!;
    expect(line).toContain(`(${factor} · z + 2.397) · z + ${start},`);
    expect(line).toContain(`„Im Jahr ${year} ist die tarifliche Einkommensteuer`);
  });

  test.each([
    [2019, 'I', '7.620,00 €', '4.980 Euro und ein Betreuungsfreibetrag von 2.640'],
    [2019, 'IV', '3.810,00 €', '2.490 Euro und ein Betreuungsfreibetrag von 1.320'],
    [2020, 'I', '7.812,00 €', '5.172 Euro und ein Betreuungsfreibetrag von 2.640'],
    [2020, 'IV', '3.906,00 €', '2.586 Euro und ein Betreuungsfreibetrag von 1.320'],
    [2021, 'I', '8.388,00 €', '5.460 Euro und ein Betreuungsfreibetrag von 2.928'],
    [2022, 'IV', '4.194,00 €', '2.730 Euro und ein Betreuungsfreibetrag von 1.464'],
  ])('quote the child allowances of %s in class %s', (year, taxClass, each, words) => {
    const slip = `monat=${year}-03; stkl=${taxClass}; ${tax.replace('kinderlos=ja', 'kinderlos=nein')}; konfession=rk; kinderfreibetraege=0,5; lohnsteuer=${{ 2019: '548,91', 2020: '536,41', 2021: '523,58', 2022: '513,08' }[year]!}; kirchensteuer=99`;
    const line = said(slip, 'kirchensteuer');
    expect(line).toContain(`(0,5 × ${each})`);
    expect(line).toContain(words);
    expect(line).toMatch(/ € ÷ 12 = [\d.,]+ €/u);
  });

  test('name the least insurance allowance, and the limits of classes V and VI', () => {
    const line = said(
      `monat=2020-10; stkl=VI; ${tax.replace('3.500', '1.500').replace('1,3', '1,1')}; lohnsteuer=262,25`,
      'lohnsteuer',
    );
    expect(line).toContain(
      'Mindestvorsorgepauschale für Kranken und Pflege 12 % von 18.000,00 €, höchstens 1.900,00 €: 1.900,00 €',
    );
    expect(line).toContain(
      '2 × (1.944,00 € (Steuer von 18.450,00 €) − 259,00 € (Steuer von 11.070,00 €)) = 3.370,00 €',
    );
    expect(line).toContain('höchstens 1.525,00 € + 42 % von 3.862,00 € = 3.147,00 €');
    expect(line).toContain('für den Teil über 10.898 Euro höchstens 42 Prozent');
  });

  test('of which only the cent that rounding explains is passed', () => {
    const slip = 'monat=2021-05; land=BY; konfession=rk; stkl=I; kinderfreibetraege=0; lohnsteuer=';
    expect(said(`${slip}714,00; kirchensteuer=57,13`, 'kirchensteuer')).toContain(
      'richtig: 714,00 € × 8 % = 57,12 €',
    );
    expect(said(`${slip}243,83; kirchensteuer=19,51`, 'kirchensteuer')).toContain(
      'Genau sind es 19,5064 €, kaufmännisch gerundet 19,51 €',
    );
    expect(said(`${slip}243,75; kirchensteuer=19,51`, 'kirchensteuer')).toContain(
      'richtig: 243,75 € × 8 % = 19,50 €',
    );
  });

  test.each([
    [
      'church tax',
      'monat=2021-05; land=BY; konfession=rk; stkl=I; lohnsteuer=714,00; kirchensteuer=64,26',
      'höchstens 714,00 € × 8 % = 57,12 €',
    ],
    [
      'solidarity surcharge of 2019',
      'monat=2019-05; land=HE; stkl=IV; lohnsteuer=437,50; soli=50,00',
      '24,06 €',
    ],
    [
      'solidarity surcharge of 2022',
      'monat=2022-05; land=HE; stkl=I; lohnsteuer=1.621,83; soli=90,00',
      'höchstens der kleinere Betrag von 89,20 € (1.621,83 € × 5,5 %) und 24,85 €',
    ],
    [
      'solidarity surcharge of class VI',
      'monat=2020-10; land=HH; stkl=VI; lohnsteuer=262,25; soli=0,00',
      'richtig: 3.147,00 € × 5,5 % ÷ 12 = 14,42 €',
    ],
  ])('%s is bounded without the number of child allowances', (_what, slip, words) => {
    const key = slip.includes('soli=') ? 'soli' : 'kirchensteuer';
    expect(said(slip, key)).toContain(words);
  });

  test('what is below that bound is not judged without the number of child allowances', () => {
    expect(
      said(
        'monat=2021-05; land=BY; konfession=rk; stkl=I; lohnsteuer=714,00; kirchensteuer=57,12',
        'kirchensteuer',
      ),
    ).toBe('Für die Prüfung fehlt: kinderfreibetraege.');
  });
});

describe('another rounding than that of the result is told by its parts:', () => {
  test.each([
    [
      'contribution and supplement',
      'monat=2022-02; pgr=101; bgr=1111; land=HE; midijob=ja; kv_zusatzsatz=1,1; midijob_entgelt=1.100; kv_an=82,19',
      'kv_an',
      'Beitrag (14,6 %) und Zusatzbeitrag (1,1 %) je für sich gerundet: 76,44 € + 5,75 € = 82,19 €; auch das ist richtig',
    ],
    [
      'regular pay and a one-off payment',
      'monat=2021-11; pgr=101; bgr=1111; land=HE; midijob=nein; einmalzahlung=1.565,33; rv_brutto=3.754,96; rv_an=349,22',
      'rv_an',
      'Laufendes Entgelt und Einmalzahlung je für sich gerundet: 203,64 € + 145,58 € = 349,22 €',
    ],
    [
      'the terms of a difference',
      'monat=2019-10; pgr=109; bgr=6100; land=HE; minijob_entgelt=213,77; rv_an=7,69',
      'rv_an',
      'Die Teile je für sich gerundet: 39,76 € − 32,07 € = 7,69 €',
    ],
  ])('%s', (_parts, slip, key, words) => {
    expect(said(slip, key)).toContain(words);
  });
});

describe('what is not recomputed is said:', () => {
  const midijob = 'midijob=ja; pgr=101; bgr=1111; bundesland=NI; kv_zusatzsatz=1,1';

  test.each([
    [
      'wage tax of a part month',
      'monat=2021-09; stkl=I; sv_tage=29; steuerbrutto=3.000; lohnsteuer=400',
      'Lohnsteuer eines Teilmonats',
    ],
    [
      'wage tax in December',
      'monat=2021-12; stkl=I; steuerbrutto=3.000; lohnsteuer=400',
      'Lohnsteuer im Dezember',
    ],
    [
      'wage tax of a one-off payment',
      'monat=2021-11; stkl=I; urlaubsgeld=500; steuerbrutto=3.000; lohnsteuer=400',
      'Einmalzahlungen',
    ],
    [
      'church tax of little wage tax',
      'monat=2021-11; land=BY; konfession=rk; lohnsteuer=8,16; kirchensteuer=0,65',
      'Lohnsteuer bis 10 €',
    ],
    [
      'a midi-job above its limit',
      `monat=2021-11; ${midijob}; sv_brutto=1.600,00; midijob_entgelt=1.600,00; rv_ag=148,80`,
      'über der Obergrenze des Midijobs von 1.300,00 €',
    ],
    [
      'a midi-job with a one-off payment',
      `monat=2021-11; ${midijob}; sv_brutto=800,00; einmalzahlung=300,00; rv_ag=102,30`,
      'eines Midijobs mit einer Einmalzahlung',
    ],
    [
      'pay of a midi-job with a one-off payment, of which nothing is said',
      'monat=2021-11; pgr=101; bgr=1111; land=NI; sv_brutto=800,00; einmalzahlung=300,00; rv_ag=102,30',
      'mit „midijob nein“ wird die Angabe geprüft',
    ],
    [
      'an apprentice of low pay with a one-off payment',
      'monat=2021-11; pgr=102; bgr=1111; land=NI; sv_brutto=300,00; einmalzahlung=300,00; rv_ag=55,80',
      'vom übersteigenden Teil je zur Hälfte',
    ],
    [
      'pay of an apprentice that is low only in a part of a month',
      'monat=2021-09; pgr=102; bgr=1111; land=NI; sv_tage=15; sv_brutto=300,00; rv_ag=27,90',
      'nur im Teilmonat bei höchstens 325 €',
    ],
    [
      'a one-off payment of a miner',
      'monat=2021-11; pgr=101; bgr=1111; land=NW; knappschaftlich=ja; sv_brutto=3.000,00; einmalzahlung=300,00; rv_ag=508,20',
      'In der knappschaftlichen Rentenversicherung',
    ],
    [
      'what may be the fund or the insurance of miners',
      'monat=2021-11; pgr=101; bgr=1111; land=NW; knappschaft=ja; sv_brutto=3.000,00; rv_ag=462,00',
      'fehlt: knappschaftlich',
    ],
  ])('%s', (_case, slip, words) => {
    const key = ['kirchensteuer', 'rv_ag'].find((each) => slip.includes(`${each}=`)) ?? 'lohnsteuer';
    expect(said(slip, key)).toContain(words);
    expect(said(slip, key)).not.toContain('keine Regel');
  });

  test('any other case, with the facts that exclude the rules', () => {
    const line = said('monat=2021-11; pgr=110; sv_brutto=1.000,00; rv_ag=93,00', 'rv_ag');
    expect(line).toBe('In diesem Fall wird die Angabe nicht nachgerechnet: pgr 110; sv_brutto 1.000,00.');
  });
});

describe('what is not clear is asked:', () => {
  test.each([
    ['3,500', 'Nicht eindeutig: 3,50 € oder 3.500,00 €?'],
    ['1,234', 'Nicht eindeutig: 1,234 € oder 1.234,00 €?'],
  ])('the amount %s', (value, words) => {
    expect(said(`monat=2021-11; pgr=101; rv_brutto=${value}; sv_brutto=3.500,00`, 'rv_brutto')).toBe(words);
  });

  test('a fact of a month or a year, which is readable', () => {
    const slip =
      'monat=2021-11; land=HE; pgr=101; bgr=1111; kinderlos=nein; kv_zusatzsatz=1,3; stkl=I; steuerbrutto=3.000; freibetrag=100; lohnsteuer=400';
    expect(said(slip, 'lohnsteuer')).toBe(
      'Nicht eindeutig ist freibetrag: Monat oder Jahr? Eindeutig sind lst_freibetrag (Monat), lst_freibetrag_jahr (Jahr).',
    );
  });
});

test('of a base that is not recomputed it is said why', () => {
  const slip =
    'monat=2021-09; land=NI; pgr=101; bgr=1111; midijob=ja; sv_tage=15; midijob_entgelt=1.187,24; kv_brutto=586,18';
  expect(said(slip, 'kv_brutto')).toContain(
    'eines Midijobs im Teilmonat werden nur mit SV-Brutto nachgerechnet',
  );
});

test('a one-off payment that bears contributions in full is told with month, ceiling of the place and its source', () => {
  const slip =
    'monat=2022-06; pgr=101; bgr=1111; sv_brutto=3.000,00; urlaubsgeld=500,00; einmalzahlung_rv=500,00; rv_brutto=3.500,00';
  for (const key of ['einmalzahlung_rv', 'rv_brutto']) {
    expect(said(`${slip}; land=HE`, key)).toMatch(/\(Juni 2022; .*des Monats von 7\.050,00 €.*\[BBG-2022\]/u);
    expect(said(slip, key)).toMatch(/\(Ost\) von 6\.750,00 €.*\[BBG-2022\]/u);
  }
  expect(said(`${slip}; land=HE`, 'rv_brutto')).toContain('Rentenversicherung (West)');
});

test('a one-off payment has no levy for maternity, which health insurers say beyond the words of the law', () => {
  const slip =
    'monat=2022-06; pgr=101; bgr=1111; land=HE; sv_brutto=3.000; urlaubsgeld=500; u2_satz=0,39; umlage_u2=13,65';
  expect(said(slip, 'umlage_u2')).toMatch(
    /= 11,70 € \(Juni 2022;.*§ 7 Abs\. 2 Satz 2 AAG nennt zwar nur die U1/u,
  );
});

describe('of somebody who is insured privately', () => {
  const slip = 'monat=2022-03; pgr=101; bgr=0110; krankenversicherung=privat; sv_brutto=6.000';

  test.each(['kv_an', 'kv_ag', 'pv_an', 'pv_ag', 'kv_zusatz_an', 'kv_zusatz_ag'])('no %s is right', (key) => {
    expect(said(`${slip}; ${key}=0,00`, key)).toContain('maßgeblich: 0,00 € (März 2022');
  });

  test('an additional contribution is wrong, which no private insurance has', () => {
    expect(said(`${slip}; kv_zusatz_an=31,44`, 'kv_zusatz_an')).toContain('richtig: 0,00 €');
  });

  test.each([
    ['kv_an', 'so bestimmt ihn der Versicherer'],
    ['pv_an', 'so bestimmt ihn der Versicherer'],
    ['kv_ag', 'als pkv_zuschuss geprüft'],
  ])('an amount as %s may be that of the private insurance', (key, words) => {
    expect(said(`${slip}; ${key}=350,00`, key)).toContain(words);
  });
});

test('church tax is told by the place of its rate, not by the rate again', () => {
  const slip =
    'monat=2020-05; stkl=I; konfession=rk; kv_zusatzsatz=1,1; kinderlos=ja; alter=30; kinderfreibetraege=0; steuerbrutto=3.500,00; lohnsteuer=534,75';
  expect(said(`${slip}; land=BY; kirchensteuer=42,78`, 'kirchensteuer')).not.toContain('– 8 Prozent');
  expect(said(`${slip}; kirchensteuer=42,78`, 'kirchensteuer')).toContain('× 8 % = 42,78 € – Satz in Bayern');
});

test('what contributions are taken of is said as a German would', () => {
  const slip =
    'monat=2021-11; pgr=101; bgr=1111; land=HH; kv_zusatzsatz=1,3; sv_brutto=6.000; weihnachtsgeld=6.000; sv_tage_jahr=330; im_vorjahr_beschaeftigt=ja; kv_entgelt_jahr=53.212,50; kv_an=384,58';
  expect(said(slip, 'kv_an')).toContain(
    'Bemessungsgrundlage der Beiträge: der kleinere Betrag von 6.000,00 €',
  );
});

test('why levies of what may be a midi-job are not judged', () => {
  const slip =
    'monat=2021-04; pgr=106; bgr=0100; werkstudent=ja; land=HE; sv_brutto=800,00; insolvenzgeldumlage=0,96';
  expect(said(slip, 'insolvenzgeldumlage')).toContain('mit „midijob ja“ oder „midijob nein“');
});

describe('a right value that is worked out exactly is told by that,', () => {
  const slip = 'monat=2022-01; stundenlohn=18,00; arbeitsstunden=160';

  test('and by the least that it has to be only besides', () => {
    expect(said(`${slip}; stundenlohn_summe=2.880,00`, 'stundenlohn_summe')).toMatch(
      /maßgeblich: 160 × 18,00 € = 2\.880,00 € \(.*Eingehalten ist auch: mindestens 160 × 9,82 € = 1\.571,20 €\. Fundstelle: „.*9,82 Euro/u,
    );
  });

  test('a wrong one too', () => {
    const line = said(`${slip}; stundenlohn_summe=1.000,00`, 'stundenlohn_summe');
    expect(line).toContain('richtig: 160 × 18,00 € = 2.880,00 €');
    expect(line).not.toContain('Eingehalten');
  });

  test('but not a day that is only worked out of itself', () => {
    expect(
      said(
        'kuendigung_durch=arbeitgeber; betriebszugehoerigkeit=6; kuendigung_zugang=10.03.2021; kuendigungstermin=31.07.2021',
        'kuendigungstermin',
      ),
    ).toMatch(/maßgeblich: frühestens 31\.05\.2021/u);
  });
});

describe('what is taken of a wage tax with child allowances', () => {
  const slip =
    'monat=2019-08; pgr=101; bgr=1111; land=ST; kinderlos=nein; kv_zusatzsatz=1; stkl=II; kinderfreibetraege=1; konfession=rk; steuerbrutto=5.000; lohnsteuer=956,41';

  test.each(['soli', 'kirchensteuer'])('names the ceiling and each source: %s', (key) => {
    const line = said(`${slip}; ${key}=${key === 'soli' ? '39,72' : '65,00'}`, key);
    expect(line).toContain('bis zur Beitragsbemessungsgrenze von 54.450,00 €');
    for (const id of ['BBG-KV-2019', 'LST-PAUSCHBETRAG', 'LST-STEUERKLASSE-II-2019', 'BS-PV-TRAGUNG'])
      expect(line).toContain(`[${id}]`);
  });

  test('names the source of the allowances where nothing is due', () => {
    const low =
      'monat=2021-09; pgr=101; bgr=1111; land=HE; kinderlos=nein; kv_zusatzsatz=1,3; stkl=III; kinderfreibetraege=2; konfession=rk; steuerbrutto=3.000; lohnsteuer=103,50; kirchensteuer=0,00';
    const line = said(low, 'kirchensteuer');
    expect(line).toContain('2 × 8.388,00 €');
    expect(line).toContain('5.460 Euro und ein Betreuungsfreibetrag von 2.928');
  });
});

test.each([
  ['2021-03', '520,75', '0,25 Beitragssatzpunkten'],
  ['2022-03', '510,66', '0,35 Beitragssatzpunkten'],
])('a wage tax of %s quotes the surcharge of those without children', (month, tax, words) => {
  const slip =
    'pgr=101; bgr=1111; land=HE; alter=35; kv_zusatzsatz=1,3; steuerbrutto=3.500; stkl=I; lohnsteuer=';
  expect(said(`monat=${month}; kinderlos=ja; ${slip}${tax}`, 'lohnsteuer')).toContain(words);
  expect(said(`monat=${month}; kinderlos=nein; ${slip}${tax}`, 'lohnsteuer')).not.toContain(words);
});

test('no solidarity surcharge is told by the class and its limit', () => {
  const slip = 'monat=2021-09; pgr=101; bgr=1111; land=HE; lohnsteuer=774,66; soli=';
  for (const value of ['0,00', '42,60'])
    expect(said(`${slip}${value}; stkl=I; kinderfreibetraege=0`, 'soli')).toContain(
      'In der Steuerklasse I liegt die Lohnsteuer von 774,66 € nicht über der Freigrenze von 1.413,00 €',
    );
  expect(said(`${slip}0,00`, 'soli')).toContain('nicht über der Freigrenze von 1.413,00 €, der niedrigsten');
});

test.each(['kv_brutto', 'kv_an', 'kv_ag'])('why somebody insured privately has no %s', (key) => {
  const line = said(
    `monat=2020-10; pgr=101; bgr=0110; krankenversicherung=privat; sv_brutto=6.000; ${key}=0,00`,
    key,
  );
  expect(line).toContain(
    'Privat versichert (Beitragsgruppe KV 0): kein Beitrag zur gesetzlichen Krankenversicherung.',
  );
  expect(line).toContain('sind krankenversicherungsfrei');
  expect(line).not.toContain('Beitragszuschuss');
});

describe('of working students the practice of 20 hours is named', () => {
  const student = 'monat=2021-11; pgr=106; bgr=0100; alter=24; sv_brutto=1.500; midijob=nein; land=HE';

  test('beside the limit of the law', () => {
    expect(said(`${student}; wochenstunden=20`, 'wochenstunden')).toMatch(
      /höchstens 60 Stunden.*in der Regel höchstens 20 Stunden.*\[SV-WERKSTUDENT\]/u,
    );
    expect(said('monat=2021-11; alter=24; wochenstunden=20', 'wochenstunden')).not.toContain('Werkstudent');
  });

  test('beside contributions that are 0 only for them', () => {
    expect(said(`${student}; wochenstunden=38; kv_an=0,00`, 'kv_an')).toContain('angegeben sind mehr');
    expect(said(`${student}; wochenstunden=20; kv_an=0,00`, 'kv_an')).not.toContain('angegeben sind mehr');
  });
});

describe('the day of a contribution statement', () => {
  test('is told by the day when contributions are due', () => {
    const line = said('monat=2020-09; beitragsnachweis_am=25.09.2020', 'beitragsnachweis_am');
    expect(line).toContain('richtig: spätestens 24.09.2020');
    expect(line).toContain('dem 28.09.2020; zwei Arbeitstage davor ist der 24.09.2020');
  });

  test('at the last day says the hour, which the law does not name', () => {
    expect(said('monat=2020-09; beitragsnachweis_am=24.09.2020', 'beitragsnachweis_am')).toContain('(0 Uhr)');
    expect(said('monat=2020-09; beitragsnachweis_am=23.09.2020', 'beitragsnachweis_am')).not.toContain('Uhr');
  });

  test('is open where holidays of the place decide', () => {
    expect(said('monat=2022-10; beitragsnachweis_am=25.10.2022', 'beitragsnachweis_am')).toContain(
      'je nach den Feiertagen am Ort ein Tag vom 24.10.2022 bis zum 25.10.2022',
    );
  });
});

test.each([
  [
    'firmenwagen_privat=115,00; listenpreis=46.000; elektrofahrzeug=ja',
    'nur zu einem Viertel oder zur Hälfte',
  ],
  ['firmenwagen_privat=115,00; listenpreis=46.000; fahrtenbuch=ja', 'Mit einem Fahrtenbuch'],
  ['urlaubsanspruch=10; arbeitstage_woche=5; volle_monate=6', 'wird als teilurlaub geprüft'],
  ['tagesarbeitszeit=9; alter=30; tarifvertrag=ja', 'Ein Tarifvertrag kann etwas anderes bestimmen'],
  ['kuendigungsfrist=4 Wochen; kuendigung_durch=arbeitnehmer; tarifvertrag=ja', 'Ein Tarifvertrag kann'],
  ['beitragsnachweis_am=26.01.2022; privathaushalt=ja', 'ist kein Beitragsnachweis zu übermitteln'],
])('why it is not recomputed: %s', (slip, words) => {
  expect(said(`monat=2022-01; ${slip}`, slip.split('=')[0]!)).toContain(words);
});

test.each([
  'probezeit_dauer=184 Tage',
  'probezeit_dauer=183 Tage',
  'probezeit_dauer=123 Tage; auszubildend=ja',
  ...['28 Tage', '4 Wochen', '31 Tage'].map(
    (period) =>
      `kuendigungsfrist=${period}; kuendigung_durch=arbeitgeber; betriebszugehoerigkeit=3 Jahre; probezeit=nein`,
  ),
])('a number of days that may be as many months as the law says depends on the calendar: %s', (slip) => {
  expect(said(slip, slip.split('=')[0]!)).toBe(
    'Das hängt vom Kalender ab, denn Monate sind verschieden lang.',
  );
});

test.each([
  ['probezeit_dauer=185 Tage', 'höchstens 6 Monate'],
  [
    'kuendigungsfrist=27 Tage; kuendigung_durch=arbeitgeber; betriebszugehoerigkeit=3 Jahre; probezeit=nein',
    '1 Monat',
  ],
])('what no calendar allows is warned of: %s', (slip, words) => {
  expect(said(slip, slip.split('=')[0]!)).toContain(words);
});
