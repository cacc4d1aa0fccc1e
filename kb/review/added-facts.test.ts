import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { loadKnowledgeBase } from '../base/load.ts';
import type { ReviewContext } from './check.ts';
import { review } from './review.ts';
import { randomOf, rightSlip } from './right-slips.suite.ts';

const { review: base } = await loadKnowledgeBase(fileURLToPath(new URL('../corpus', import.meta.url)));

type Facts = NonNullable<ReviewContext['facts']>;
type SentFact = Facts[number];

/** Facts that are right for every slip, by year. */
const RIGHT: Readonly<Record<string, readonly (readonly [key: string, value: string])[]>> = {
  2019: [
    ['av_satz', '2,5 %'],
    ['bbg_kv_monat', '4.537,50 €'],
    ['u3_satz', '0,06 %'],
    ['jaeg', '60.750 €'],
    ['mittagessen', '3,30'],
  ],
  2020: [
    ['av_satz', '2,4 %'],
    ['bbg_kv_monat', '4.687,50 €'],
    ['u3_satz', '0,06 %'],
    ['jaeg', '62.550 €'],
    ['mittagessen', '102,00'],
  ],
  2021: [
    ['av_satz', '2,4 %'],
    ['bbg_kv_monat', '4.837,50 €'],
    ['u3_satz', '0,12 %'],
    ['jaeg', '64.350 €'],
    ['mittagessen', '3,47'],
  ],
  2022: [
    ['av_satz', '2,4 %'],
    ['bbg_kv_monat', '4.837,50 €'],
    ['u3_satz', '0,09 %'],
    ['jaeg', '64.350 €'],
    ['mittagessen', '3,57'],
  ],
};
const ALWAYS = [
  ['rv_satz', '18,6 %'],
  ['arbeitstage_woche', '5'],
  ['urlaubsanspruch', '30'],
  ['wochenstunden', '38,5'],
  ['probezeit', 'nein'],
  ['betriebsrat', 'ja'],
  ['schwerbehindert', 'nein'],
  ['geschlecht', 'w'],
] as const;
/** Facts that payroll programs send besides the amounts, and that no payroll clerk would call wrong. */
const BESIDE = [
  ['sachbezug', '312,00'],
  ['urlaubstage', '3'],
  ['kalendertage', '31'],
  ['arbeitstage', '21'],
  ['rv_an_kumuliert', '2.604,00'],
  ['steuerbrutto_kumuliert', '31.200,00'],
  ['taetigkeitsschluessel', '714031111'],
  ['kostenstelle', '4711'],
  ['mitarbeitergruppe', '1'],
  ['tarifgruppe', 'E9'],
  ['vwl', '40,00'],
  ['nettolohn', '1.999,99'],
  ['auszahlung', '1.987,65'],
  ['lohnsteuer', ''],
  ['kinderfreibetraege', 'unbekannt'],
] as const;
/** Facts that contradict each other for one person; they are named, and nothing is judged by them. */
const CONTRADICTIONS = [
  [
    ['kinderlos', 'ja'],
    ['elterneigenschaft', 'ja'],
  ],
  [
    ['alter', '20'],
    ['geburtsdatum', '03.03.1970'],
  ],
  [
    ['minderjaehrig', 'ja'],
    ['alter', '45'],
  ],
] as const;

const factOf = ([key, value]: readonly [string, string]): SentFact => ({ key, value });
const someOf = (from: readonly (readonly [string, string])[]): fc.Arbitrary<SentFact[]> =>
  fc.subarray([...from], { maxLength: 6 }).map((some) => some.map(factOf));
const unknown: fc.Arbitrary<SentFact> = fc
  .tuple(fc.stringMatching(/^[a-z0-9_.-]{1,20}$/u), fc.string({ maxLength: 40 }))
  .map(([key, value]) => ({ key: `zz_${key}_zz`, value }));

const warningsOf = (facts: readonly SentFact[]): string[] =>
  review({ question: 'Stimmt die Abrechnung?', context: { facts: [...facts] }, base, language: 'de' })
    .checks.filter(({ status }) => status === 'warn')
    .map(({ aspect, detail }) => `${aspect}: ${detail}`);

/** A fact is not sent twice: that of the slip counts. */
const without = (added: readonly SentFact[], slip: readonly SentFact[]): SentFact[] =>
  added.filter(({ key }) => slip.every((fact) => fact.key !== key));

test('nothing that is right, unknown or contradictory, and no note, brings a warning to a right slip', () => {
  fc.assert(
    fc.property(
      fc.nat(2 ** 31),
      someOf(ALWAYS),
      someOf(BESIDE),
      fc.array(unknown, { maxLength: 6 }),
      fc.option(fc.constantFrom(...CONTRADICTIONS), { nil: undefined }),
      fc.string({ maxLength: 60 }),
      fc.boolean(),
      (seed, always, beside, keys, contradiction, note, isFirst) => {
        const slip = rightSlip(randomOf(seed)).facts.map(([key, value]) => ({
          key: key.toLowerCase(),
          value,
        }));
        const year = /20(?:19|20|21|22)/u.exec(slip[0]!.value)?.[0] ?? '2022';
        const right = RIGHT[year]!.map(factOf);
        const added = [...right, ...always, ...beside, ...keys, ...(contradiction ?? []).map(factOf)];
        const noted = slip.map((fact) => ({ ...fact, note }));
        const more = without(added, slip);
        expect(warningsOf(isFirst ? [...more, ...noted] : [...noted, ...more])).toEqual([]);
      },
    ),
    { numRuns: 300 },
  );
});
