import type { ReviewContext, ReviewVerdict } from '../../actors/review/check.ts';

/** A check that a review must give: its key or label, and the sources of which it may cite (none for a sum). */
export interface ExpectedCheck {
  readonly status: 'ok' | 'warn';
  /** Stands in the aspect. */
  readonly aspect: string;
  /** At least one of these is cited, and nothing else. */
  readonly sources: readonly string[];
}

export interface ReviewCase {
  readonly name: string;
  /** The starter base, or the statutes beside the project. */
  readonly base: 'starter' | 'statutes';
  readonly question: string;
  readonly context: ReviewContext;
  readonly verdict: ReviewVerdict;
  /** All of them, in any order. */
  readonly checks: readonly ExpectedCheck[];
}

type Facts = Readonly<Record<string, string>>;

const factsOf = (facts: Facts): ReviewContext => ({
  facts: Object.entries(facts).map(([key, value]) => ({ key, value })),
});

function right(name: string, question: string, facts: Facts, aspect: string, ...sources: string[]) {
  return given('plausible', name, question, factsOf(facts), [{ status: 'ok', aspect, sources }]);
}

function wrong(name: string, question: string, facts: Facts, aspect: string, ...sources: string[]) {
  return given('implausible', name, question, factsOf(facts), [{ status: 'warn', aspect, sources }]);
}

function open(name: string, question: string, facts: Facts) {
  return given('not_checkable', name, question, factsOf(facts), []);
}

function given(
  verdict: ReviewVerdict,
  name: string,
  question: string,
  context: ReviewContext,
  checks: readonly ExpectedCheck[],
): ReviewCase {
  return { name, base: 'starter', question, context, verdict, checks };
}

const overStatutes = (each: ReviewCase): ReviewCase => ({ ...each, base: 'statutes' });

const LOHN = 'Ist die Lohnabrechnung plausibel?';
const CHECK_WAGE = 'Entspricht der Stundenlohn dem gesetzlichen Mindestlohn?';
const LEAVE = 'Ist der Urlaubsanspruch richtig?';
const RATES = 'Stimmen die Beitragssätze der Sozialversicherung?';
const LIMITS = 'Stimmen die Rechengrößen der Sozialversicherung?';
const MINIJOB = 'Ist die Beschäftigung ein Minijob?';
const MIDIJOB = 'Liegt das Entgelt im Übergangsbereich (Midijob)?';
const SUPPLEMENTS = 'Sind die steuerfreien Zuschläge richtig angesetzt?';
const NOTICE = 'Ist die Frist für die Kündigung durch den Arbeitgeber richtig?';
const SICK = 'Ist die Entgeltfortzahlung im Krankheitsfall richtig?';

/** The cases that the rules were written with. */
export const REVIEW_CASES: readonly ReviewCase[] = [
  // Minimum wage by date.
  right('wage of July 2022', CHECK_WAGE, { stundenlohn_2022_07: '10,45 €' }, 'stundenlohn', 'ML-HOEHE-2022'),
  wrong(
    'wage of August 2022 at the rate of June',
    CHECK_WAGE,
    { stundenlohn_2022_08: '9,82 €' },
    'stundenlohn',
    'ML-HOEHE-2022',
  ),
  right(
    'wage of March 2022',
    CHECK_WAGE,
    { stundenlohn_2022_03: '9,82 €' },
    'stundenlohn',
    'ML-HOEHE-2022',
    'ML-MINIJOB-STUNDEN-2022',
  ),
  wrong('wage of May 2021', CHECK_WAGE, { stundenlohn_2021_05: '9,35 €' }, 'stundenlohn', 'ML-HOEHE-2021'),
  open('wage of a year that the base does not know', CHECK_WAGE, { stundenlohn_2024_01: '9,82 €' }),
  wrong(
    'the question names the month',
    'Reicht der Stundenlohn im Februar 2022 für den Mindestlohn?',
    { stundenlohn: '9,60 €' },
    'stundenlohn',
    'ML-HOEHE-2022',
    'ML-MINIJOB-STUNDEN-2022',
  ),
  open('wage between two rates of the year, no date', CHECK_WAGE, { stundenlohn: '10,00 €' }),
  open('monthly pay is no hourly wage', CHECK_WAGE, { monatslohn_2022_07: '2.000,00 €' }),
  open('an intern', 'Entspricht der Stundenlohn des Praktikanten dem Mindestlohn?', {
    stundenlohn_2022_07: '6,00 €',
  }),
  overStatutes(
    wrong('wage by the ordinance', CHECK_WAGE, { stundenlohn_2021_10: '9,50 €' }, 'stundenlohn', 'MiLoV3-1'),
  ),
  // Holiday days by working days.
  right(
    '20 days at 5 days a week',
    LEAVE,
    { urlaubstage: '20 Tage', arbeitstage_pro_woche: '5' },
    'urlaubstage',
    'URL-DAUER',
  ),
  wrong(
    '18 days at 5 days a week',
    LEAVE,
    { urlaubstage: '18 Tage', arbeitszeit: '5-Tage-Woche' },
    'urlaubstage',
    'URL-DAUER',
  ),
  right(
    '16 days at 4 days a week',
    LEAVE,
    { urlaubsanspruch: '16 Tage', arbeitstage_pro_woche: '4 Tage' },
    'urlaubsanspruch',
    'URL-DAUER',
  ),
  wrong(
    '20 days at 6 days a week',
    LEAVE,
    { urlaubstage: '20 Werktage', arbeitszeit: '6-Tage-Woche' },
    'urlaubstage',
    'URL-DAUER',
  ),
  open('days without a week', LEAVE, { urlaubstage: '19 Tage' }),
  right(
    'a young person of 15',
    LEAVE,
    { urlaub: '30 Werktage', alter: '15 Jahre' },
    'urlaub',
    'URL-JUGENDLICHE',
  ),
  wrong(
    'a young person of 16',
    LEAVE,
    { urlaub: '25 Werktage', alter: '16 Jahre' },
    'urlaub',
    'URL-JUGENDLICHE',
  ),
  // Limits by year.
  right(
    'limit of pension insurance, west',
    LIMITS,
    { bbg_rv_west_monat_2022: '7.050,00 €' },
    'bbg_rv',
    'BBG-2022',
  ),
  wrong(
    'limit of pension insurance, east, of the next year',
    LIMITS,
    { bbg_rv_ost_monat_2021: '6.750 €' },
    'bbg_rv',
    'BBG-2021',
  ),
  right('limit of health insurance', LIMITS, { bbg_kv_2022: '58.050 €' }, 'bbg_kv', 'BBG-KV-2022'),
  wrong(
    'annual earnings limit',
    LIMITS,
    { jahresarbeitsentgeltgrenze_2019: '62.550 €' },
    'jahresarbeitsentgeltgrenze',
    'JAEG-2019',
  ),
  open('limit of a year without a passage', LIMITS, { bbg_rv_west_2016: '74.400 €' }),
  overStatutes(
    wrong(
      'reference value, east',
      'Stimmt die Bezugsgröße?',
      { bezugsgroesse_ost_2021_monat: '3.290 €' },
      'bezugsgroesse',
      'SVBezGrV2021-2',
    ),
  ),
  // Rates.
  right(
    'rate of health insurance',
    RATES,
    { beitragssatz_kv_allgemein: '14,6 %' },
    'beitragssatz_kv',
    'BS-KV',
    'BS-UEBERSICHT',
  ),
  wrong(
    'rate of nursing care insurance',
    RATES,
    { beitragssatz_pv: '2,55 %' },
    'beitragssatz_pv',
    'BS-PV',
    'BS-UEBERSICHT',
  ),
  wrong(
    'rate of pension insurance 2019',
    RATES,
    { beitragssatz_rv_allgemein_2019: '18,7 %' },
    'beitragssatz_rv',
    'BS-RV-2019',
  ),
  open('an ordinance may set a lower rate', RATES, { beitragssatz_alv: '2,4 %' }),
  open('additional contribution of one fund', RATES, { zusatzbeitrag_krankenkasse: '1,3 %' }),
  // Mini-job and transition zone.
  right(
    'mini-job at the limit',
    MINIJOB,
    { arbeitsentgelt_monat: '450,00 €' },
    'arbeitsentgelt',
    'MJ-GRENZE',
  ),
  wrong('mini-job above the limit', MINIJOB, { monatslohn: '470 €' }, 'monatslohn', 'MJ-GRENZE'),
  wrong(
    'above the transition zone',
    MIDIJOB,
    { arbeitsentgelt_monat: '1.350,00 €' },
    'arbeitsentgelt',
    'SV-UEBERGANGSBEREICH',
    'MJ-GRENZE',
  ),
  open('any monthly pay', LOHN, { arbeitsentgelt_monat: '2.650,00 €' }),
  // Supplements.
  right('night work', SUPPLEMENTS, { nachtzuschlag_steuerfrei: '25 %' }, 'nachtzuschlag', 'LST-SFN-ZUSCHLAG'),
  wrong(
    'Sunday work',
    SUPPLEMENTS,
    { sonntagszuschlag_steuerfrei: '60 %' },
    'sonntagszuschlag',
    'LST-SFN-ZUSCHLAG',
  ),
  open('night work at 40 %, hours unknown', SUPPLEMENTS, { nachtzuschlag_steuerfrei: '40 %' }),
  overStatutes(
    wrong(
      'Sunday work by the statute',
      SUPPLEMENTS,
      { sonntagszuschlag_steuerfrei: '60 %' },
      'sonntagszuschlag',
      'EStG-3b',
    ),
  ),
  // Notice periods.
  right(
    'nine years',
    NOTICE,
    { kuendigungsfrist: '3 Monate', betriebszugehoerigkeit: '9 Jahre' },
    'kuendigungsfrist',
    'KUE-FRIST-ARBEITGEBER',
  ),
  wrong(
    'twelve years',
    NOTICE,
    { kuendigungsfrist: '4 Monate zum Monatsende', betriebszugehoerigkeit: '12 Jahre' },
    'kuendigungsfrist',
    'KUE-FRIST-ARBEITGEBER',
  ),
  overStatutes(
    wrong(
      'nine years by the statute',
      NOTICE,
      { kuendigungsfrist: '1 Monat', betriebszugehoerigkeit: '9 Jahre' },
      'kuendigungsfrist',
      'BGB-622',
    ),
  ),
  // Continued pay, deadlines.
  right('six weeks', SICK, { entgeltfortzahlung_dauer: '6 Wochen' }, 'entgeltfortzahlung', 'EFZ-DAUER'),
  wrong('ten weeks', SICK, { entgeltfortzahlung_dauer: '10 Wochen' }, 'entgeltfortzahlung', 'EFZ-DAUER'),
  right(
    'third-last banking day of March 2022',
    'Sind die Sozialversicherungsbeiträge rechtzeitig fällig?',
    { faelligkeit_beitraege_2022_03: '29.03.2022' },
    'faelligkeit',
    'SV-FAELLIGKEIT',
    'FRIST-MONATLICH',
    'SV-BEITRAGSNACHWEIS',
  ),
  open('free text', LOHN, { bemerkung: 'Firmenwagen zurückgegeben', kostenstelle: '4711' }),
  // Sums.
  given(
    'plausible',
    'a sum',
    LOHN,
    {
      computation: {
        label: 'Gesamtbrutto',
        result: '2.645,50 €',
        components: [
          { key: 'grundlohn', value: '2.400,00 €' },
          { key: 'zulage', value: '245,50 €' },
        ],
      },
    },
    [{ status: 'ok', aspect: 'Gesamtbrutto', sources: [] }],
  ),
  given(
    'implausible',
    'a sum off by a cent',
    LOHN,
    {
      computation: {
        label: 'Gesamtbrutto',
        result: '2.645,51 €',
        components: [
          { key: 'grundlohn', value: '2.400,00 €' },
          { key: 'zulage', value: '245,50 €' },
        ],
      },
    },
    [{ status: 'warn', aspect: 'Gesamtbrutto', sources: [] }],
  ),
  given(
    'not_checkable',
    'hours and money',
    LOHN,
    {
      computation: {
        label: 'Lohn',
        result: '1.672,00 €',
        components: [
          { key: 'stunden', value: '160 Stunden' },
          { key: 'satz', value: '10,45 €' },
        ],
      },
    },
    [],
  ),
  given('not_checkable', 'no context', CHECK_WAGE, {}, []),
];

/** Written before the rules were, and kept apart while they were made. */
export const HELD_OUT_CASES: readonly ReviewCase[] = [
  right(
    'wage above the minimum',
    CHECK_WAGE,
    { stundenlohn: '13,50 €' },
    'stundenlohn',
    'ML-HOEHE-2022',
    'ML-MINIJOB-STUNDEN-2022',
  ),
  wrong(
    'minimum wage named by itself',
    'Stimmt der Mindestlohn?',
    { mindestlohn_2022_09: '9,82 €' },
    'mindestlohn',
    'ML-HOEHE-2022',
    'ML-MINIJOB-STUNDEN-2022',
  ),
  right('annual earnings limit 2021', LIMITS, { jaeg_2021: '64.350 €' }, 'jaeg_2021', 'JAEG-2021'),
  open('limit without west or east', LIMITS, { bbg_rv_2022: '84.600 €' }),
  wrong(
    'tax of a mini-job',
    'Ist der Minijob richtig versteuert?',
    { pauschsteuer_minijob: '5 %' },
    'pauschsteuer',
    'MJ-STEUER',
  ),
  right(
    'surcharge for the childless',
    RATES,
    { kinderlosenzuschlag_pv: '0,35 %' },
    'kinderlosenzuschlag',
    'BS-PV-KINDERLOSE',
    'BS-UEBERSICHT',
  ),
  right(
    'holiday supplement',
    SUPPLEMENTS,
    { feiertagszuschlag_steuerfrei: '125 %' },
    'feiertagszuschlag',
    'LST-SFN-ZUSCHLAG',
  ),
  wrong(
    'trial period',
    'Ist die Kündigungsfrist in der Probezeit richtig?',
    { kuendigungsfrist_probezeit: '1 Woche' },
    'kuendigungsfrist',
    'KUE-FRIST-PROBEZEIT',
  ),
  wrong(
    'break of an adult',
    'Ist die Pause lang genug?',
    { pause: '20 Minuten', arbeitszeit: '8 Stunden' },
    'pause',
    'AZ-PAUSEN',
  ),
  wrong(
    'rate of the solidarity surcharge',
    'Stimmt der Solidaritätszuschlag?',
    { solidaritaetszuschlag_satz: '5,0 %' },
    'solidaritaetszuschlag',
    'SOLI-SATZ',
  ),
  right(
    'protection before birth',
    'Stimmt die Schutzfrist vor der Entbindung?',
    { schutzfrist_vor_entbindung: '6 Wochen' },
    'schutzfrist',
    'MU-SCHUTZFRIST-VOR',
  ),
  open('company pension with an unknown limit', LOHN, { bav_beitrag: '120,00 €' }),
  open('leave carried over', LEAVE, { resturlaub: '10 Tage', arbeitstage_pro_woche: '5' }),
  overStatutes(
    right(
      'rate of health insurance by the statute',
      RATES,
      { beitragssatz_kv_allgemein: '14,6 %' },
      'beitragssatz',
      'SGB5-241',
    ),
  ),
  given(
    'implausible',
    'rates of a basis and a wage',
    'Stimmen Lohn und Beitrag?',
    {
      facts: [{ key: 'stundenlohn_2021_08', value: '9,55 €' }],
      computation: {
        label: 'Krankenversicherung Arbeitnehmer',
        basis: '2.000,00 €',
        result: '159,00 €',
        components: [
          { key: 'allgemein', value: '7,3 %' },
          { key: 'zusatz', value: '0,65 %' },
        ],
      },
    },
    [
      { status: 'warn', aspect: 'stundenlohn', sources: ['ML-HOEHE-2021'] },
      { status: 'ok', aspect: 'Krankenversicherung', sources: [] },
    ],
  ),
];
