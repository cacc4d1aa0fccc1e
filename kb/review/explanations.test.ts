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
    expect(said(slip, 'lohnsteuer')).toMatch(/Steuer des Jahres [\d.,]+ € × Faktor 0,912 = 6\.121,00 €/u);
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

  test('is replaced by the provision where no sentence of the base has the figure', () => {
    const line = said('monat=2020-07; pgr=121; bgr=1111; sv_brutto=287,50; rv_brutto=287,50', 'rv_brutto');
    expect(line).toMatch(/ Rechtsgrundlage: §/u);
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
