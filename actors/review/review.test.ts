import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Hit, Source } from '../../kb/knowledge.ts';
import type { ReviewContext } from './check.ts';
import { hitsInForce, lastYearOf, reviewQueries } from './queries.ts';
import { review } from './review.ts';

function passage(id: string, text: string, more: Partial<Source> = {}): Source {
  return { id, title: '', section: '', stand: '2015-01', work: 'KB', lang: 'de', year: null, text, ...more };
}

const hitOf = (source: Source): Hit => ({ source, score: 1, passages: [], referenced: false });

/** The statuses of the checks by key, from passages, a question, and facts. */
function judged(sources: readonly Source[], question: string, facts: Readonly<Record<string, string>>) {
  const context = { facts: Object.entries(facts).map(([key, value]) => ({ key, value })) };
  const checks = review({ question, context, hits: sources.map(hitOf), language: 'de', lastYear: 2022 });
  return Object.fromEntries(
    checks.map(({ aspect, status, source_ids }) => [aspect, `${status} ${source_ids.join()}`]),
  );
}

const WAGE = passage(
  'WAGE',
  'Ab dem 1. Januar 2022 beträgt der gesetzliche Mindestlohn 9,82 Euro brutto je Zeitstunde. Ab dem 1. Juli 2022 beträgt der gesetzliche Mindestlohn 10,45 Euro brutto je Zeitstunde.',
  { year: 2022, title: 'Gesetzlicher Mindestlohn 2022' },
);

describe('a minimum that changes with the time', () => {
  test.each([
    ['stundenlohn_2022_06', '9,82 €', 'ok WAGE'],
    ['stundenlohn_2022_07', '9,82 €', 'warn WAGE'],
    ['stundenlohn_2022_07', '10,46 €', 'ok WAGE'],
    ['stundenlohn_2022', '9,00 €', 'warn WAGE'],
    ['mindestlohn_2022_07', '10,45 €', 'ok WAGE'],
    ['mindestlohn_2022_07', '9,82 €', 'warn WAGE'],
  ])('%s of %s: %s', (key, value, expected) =>
    expect(judged([WAGE], '', { [key]: value })).toEqual({ [key]: expected }),
  );

  test.each([
    ['between two of the year asked for', 'stundenlohn_2022', '10,00 €'],
    ['of another year', 'stundenlohn_2021_07', '9,00 €'],
    ['of a year after the last known', 'stundenlohn_2023_07', '9,00 €'],
    ['of a month, not an hour', 'monatslohn_2022_07', '9,00 €'],
    ['net, which the passage does not speak of', 'nettostundenlohn_2022_07', '9,00 €'],
    ['that cannot be read', 'stundenlohn_2022_07', 'ca. 9 €'],
  ])('a wage %s is not judged', (_, key, value) => expect(judged([WAGE], '', { [key]: value })).toEqual({}));

  test('the time comes from the question or a fact for all where the key has none', () => {
    expect(judged([WAGE], 'Stimmt das für August 2022?', { stundenlohn: '10,00 €' })).toEqual({
      stundenlohn: 'warn WAGE',
    });
    expect(judged([WAGE], '', { abrechnungsmonat: '03/2022', stundenlohn: '10,00 €' })).toEqual({
      stundenlohn: 'ok WAGE',
    });
  });

  test('of those whom other law may hold for nothing is said', () => {
    expect(
      judged([WAGE], 'Ist der Lohn des Praktikanten richtig?', { stundenlohn_2022_07: '6,00 €' }),
    ).toEqual({});
    expect(judged([WAGE], '', { stundenlohn_2022_07: '6,00 €', alter: '16 Jahre' })).toEqual({});
    expect(
      judged([WAGE], '', { stundenlohn_2022_07: '6,00 €', beschaeftigungsart: 'Auszubildender' }),
    ).toEqual({});
  });

  test('a text changed later says nothing of the time before', () => {
    const rate = passage('RATE', 'Der Beitragssatz in der Pflegeversicherung beträgt 3,05 Prozent.', {
      stand: '2021-12',
    });
    expect(judged([rate], '', { beitragssatz_pv_2018: '2,55 %' })).toEqual({});
    expect(judged([rate], '', { beitragssatz_pv_2022: '2,55 %' })).toEqual({
      beitragssatz_pv_2022: 'warn RATE',
    });
  });

  test('an amount that an ordinance changes is certain for its first year alone', () => {
    const old = passage(
      'OLD',
      'Der Mindestlohn beträgt ab dem 1. Januar 2015 brutto 8,50 Euro je Zeitstunde. Die Höhe kann durch Rechtsverordnung geändert werden.',
    );
    expect(judged([old], '', { stundenlohn_2021_05: '8,60 €' })).toEqual({});
    expect(judged([old], '', { stundenlohn_2015_05: '8,00 €' })).toEqual({ stundenlohn_2015_05: 'warn OLD' });
  });
});

describe('values that stand side by side', () => {
  const limits = passage(
    'LIMIT',
    'Im Jahr 2022 beträgt die Beitragsbemessungsgrenze in der allgemeinen Rentenversicherung (West) jährlich 84.600 Euro und monatlich 7.050 Euro. Im Jahr 2022 beträgt die Beitragsbemessungsgrenze (Ost) in der allgemeinen Rentenversicherung jährlich 81.000 Euro und monatlich 6.750 Euro.',
    { year: 2022 },
  );
  test.each([
    ['bbg_rv_west_2022', '84.600 €', 'ok LIMIT'],
    ['bbg_rv_west_2022', '7.050 €', 'ok LIMIT'],
    ['bbg_rv_west_jahr_2022', '7.050 €', 'warn LIMIT'],
    ['bbg_rv_ost_monat_2022', '7.050 €', 'warn LIMIT'],
    ['bbg_rv_monat_2022', '8.000 €', 'warn LIMIT'],
  ])('%s of %s: %s', (key, value, expected) =>
    expect(judged([limits], '', { [key]: value })).toEqual({ [key]: expected }),
  );
  test('west or east must be said to be right', () =>
    expect(judged([limits], '', { bbg_rv_monat_2022: '7.050 €' })).toEqual({}));
  test('another insurance is another limit', () =>
    expect(judged([limits], '', { bbg_kv_monat_2022: '8.000 €' })).toEqual({}));

  const rates = passage(
    'RATES',
    'Der Beitragssatz beträgt in der allgemeinen Rentenversicherung 18,6 Prozent und in der knappschaftlichen Rentenversicherung 24,7 Prozent.',
  );
  test('the rate of a special kind is no general one', () => {
    expect(judged([rates], '', { beitragssatz_rv: '18,6 %' })).toEqual({ beitragssatz_rv: 'ok RATES' });
    expect(judged([rates], '', { beitragssatz_rv: '24,7 %' })).toEqual({});
    expect(judged([rates], '', { beitragssatz_rv: '20,0 %' })).toEqual({ beitragssatz_rv: 'warn RATES' });
  });
  test('where an ordinance may set a lower rate a difference is no fault', () => {
    const open = passage(
      'OPEN',
      'Der Beitragssatz in der Arbeitslosenversicherung beträgt 2,6 Prozent, soweit keine Verordnung einen niedrigeren Satz bestimmt.',
    );
    expect(judged([open], '', { beitragssatz_alv: '2,4 %' })).toEqual({});
  });
});

describe('limits', () => {
  const minijob = passage(
    'MINI',
    'Ein Minijob liegt vor, wenn das Arbeitsentgelt regelmäßig 450 Euro im Monat nicht übersteigt.',
  );
  const midijob = passage(
    'MIDI',
    'Der Übergangsbereich umfasst Arbeitsentgelte oberhalb von 450 Euro, die regelmäßig 1.300 Euro im Monat nicht übersteigen.',
  );
  const sources = [minijob, midijob];
  test.each([
    ['Ist das ein Minijob?', '450,00 €', 'ok MINI'],
    ['Ist das ein Minijob?', '450,01 €', 'warn MINI'],
    ['Ist das ein Midijob?', '450,00 €', 'warn MIDI'],
    ['Ist das ein Midijob?', '450,01 €', 'ok MIDI'],
    ['Ist das ein Midijob?', '1.300,01 €', 'warn MIDI'],
  ])('%s %s: %s', (question, value, expected) =>
    expect(judged(sources, question, { arbeitsentgelt_monat: value })).toEqual({
      arbeitsentgelt_monat: expected,
    }),
  );
  test('bind those alone who are said to be under them', () =>
    expect(judged(sources, 'Stimmt das?', { arbeitsentgelt_monat: '2.000 €' })).toEqual({}));
  test('of a month say nothing of an hour, a year, or of no time', () => {
    for (const key of ['stundenlohn', 'jahresentgelt', 'arbeitsentgelt'])
      expect(judged(sources, 'Minijob?', { [key]: '500 €' })).toEqual({});
  });
  test('that are stated as such are compared for being the same', () => {
    expect(judged(sources, '', { minijob_grenze: '450 €' })).toEqual({ minijob_grenze: 'ok MINI' });
    expect(judged(sources, '', { minijob_grenze: '400 €' })).toEqual({ minijob_grenze: 'warn MINI' });
    expect(judged(sources, '', { uebergangsbereich_obergrenze: '1.300 €' })).toEqual({
      uebergangsbereich_obergrenze: 'ok MIDI',
    });
  });

  const bonuses = passage(
    'BONUS',
    'Steuerfrei sind Zuschläge für Sonntags- oder Nachtarbeit, soweit sie\n1. für Nachtarbeit 25 Prozent,\n2. für Sonntagsarbeit 50 Prozent\ndes Grundlohns nicht übersteigen.',
  );
  test('of a list each holds for its own item', () => {
    expect(judged([bonuses], 'steuerfrei?', { nachtzuschlag: '30 %', sonntagszuschlag: '30 %' })).toEqual({
      nachtzuschlag: 'warn BONUS',
      sonntagszuschlag: 'ok BONUS',
    });
  });
  test('of what is free of tax say nothing of what is paid', () =>
    expect(judged([bonuses], 'Stimmt der Betrag?', { nachtzuschlag: '30 %' })).toEqual({}));
});

describe('steps and conditions', () => {
  const notice = passage(
    'NOTICE',
    'Die Kündigungsfrist für den Arbeitgeber beträgt:\n- nach zwei Jahren im Betrieb einen Monat,\n- nach fünf Jahren im Betrieb zwei Monate,\n- nach acht Jahren im Betrieb drei Monate.',
    { title: 'Kündigungsfristen' },
  );
  test.each([
    ['1 Monat', '4 Jahre', 'ok NOTICE'],
    ['1 Monat', '5 Jahre', 'warn NOTICE'],
    ['3 Monate', '30 Jahre', 'ok NOTICE'],
    ['4 Wochen', '9 Jahre', 'warn NOTICE'],
  ])('%s after %s: %s', (kuendigungsfrist, betriebszugehoerigkeit, expected) =>
    expect(judged([notice], '', { kuendigungsfrist, betriebszugehoerigkeit })).toEqual({
      kuendigungsfrist: expected,
    }),
  );
  test.each([
    ['longer than the law asks for', '6 Monate', { betriebszugehoerigkeit: '9 Jahre' }],
    ['of an unknown time of service', '1 Monat', {}],
    ['before the first step', '1 Monat', { betriebszugehoerigkeit: '1 Jahr' }],
    [
      'of the employee',
      '1 Monat',
      { betriebszugehoerigkeit: '9 Jahre', art: 'Kündigung durch den Arbeitnehmer' },
    ],
  ])('a period %s is not judged', (_, kuendigungsfrist, more) =>
    expect(judged([notice], '', { kuendigungsfrist, ...more })).toEqual({}),
  );

  const breaks = passage(
    'BREAK',
    'Bei einer Arbeitszeit von mehr als sechs bis zu neun Stunden muss die Pause mindestens 30 Minuten dauern. Bei einer Arbeitszeit von mehr als neun Stunden muss die Pause mindestens 45 Minuten dauern.',
  );
  test.each([
    ['30 Minuten', '9 Stunden', 'ok BREAK'],
    ['30 Minuten', '10 Stunden', 'warn BREAK'],
  ])('a break of %s in %s: %s', (pause, arbeitszeit, expected) =>
    expect(judged([breaks], '', { pause, arbeitszeit })).toEqual({ pause: expected }),
  );
  test('a break in hours of a week, or in few, is not judged', () => {
    expect(judged([breaks], '', { pause: '10 Minuten', arbeitszeit: '38 Stunden' })).toEqual({});
    expect(judged([breaks], '', { pause: '10 Minuten', arbeitszeit: '5 Stunden' })).toEqual({});
  });

  test('an exception that the context does not speak of keeps from warning, not from being right', () => {
    const hours = passage(
      'HOURS',
      'Die Arbeitszeit an einem Werktag darf acht Stunden nicht überschreiten. Eine Verlängerung der täglichen Arbeitszeit auf bis zu zehn Stunden ist im Ausgleich zulässig.',
    );
    const facts = ['8', '9', '11'].map((value) =>
      judged([hours], '', { arbeitszeit_pro_tag: `${value} Stunden` }),
    );
    expect(facts).toEqual([{ arbeitszeit_pro_tag: 'ok HOURS' }, {}, { arbeitszeit_pro_tag: 'warn HOURS' }]);
  });
});

describe('days of leave', () => {
  const leave = passage(
    'LEAVE',
    'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. Werktage sind alle Kalendertage außer Sonntagen und Feiertagen.',
  );
  test.each([
    ['20 Tage', '5', 'ok LEAVE'],
    ['19 Tage', '5', 'warn LEAVE'],
    ['12 Tage', '3', 'ok LEAVE'],
    ['23 Werktage', '6', 'warn LEAVE'],
  ])('%s at %s days a week: %s', (urlaubstage, arbeitstage_pro_woche, expected) =>
    expect(judged([leave], '', { urlaubstage, arbeitstage_pro_woche })).toEqual({ urlaubstage: expected }),
  );
  test('are enough at any week where they are enough at six, and are not judged below that', () => {
    expect(judged([leave], '', { urlaubstage: '24 Tage' })).toEqual({ urlaubstage: 'ok LEAVE' });
    expect(judged([leave], '', { urlaubstage: '23 Tage' })).toEqual({});
  });
  test('are scaled only where the passage says for how many they are', () => {
    const bare = passage('BARE', 'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr.');
    expect(judged([bare], '', { urlaubstage: '19 Tage', arbeitstage_pro_woche: '5' })).toEqual({});
  });
  test('of what is left are not held against those of a year', () =>
    expect(judged([leave], '', { resturlaub: '3 Tage', arbeitstage_pro_woche: '5' })).toEqual({}));
});

describe('deadlines', () => {
  const due = passage(
    'DUE',
    'Die Sozialversicherungsbeiträge sind spätestens am drittletzten Bankarbeitstag des Monats fällig.',
  );
  test.each([
    ['faelligkeit_beitraege_2022_03', '29.03.2022', 'ok DUE'],
    ['faelligkeit_beitraege_2022_03', '30.03.2022', 'warn DUE'],
    ['faelligkeit_beitraege_2022_04', '27.04.2022', 'ok DUE'],
    ['faelligkeit_beitraege', 'drittletzter Bankarbeitstag', 'ok DUE'],
    ['faelligkeit_beitraege', 'letzter Bankarbeitstag', 'warn DUE'],
  ])('%s on %s: %s', (key, value, expected) =>
    expect(judged([due], '', { [key]: value })).toEqual({ [key]: expected }),
  );
  test('that a holiday of single states may move are not judged', () =>
    expect(judged([due], '', { faelligkeit_beitraege_2022_10: '27.10.2022' })).toEqual({}));
  test('of another payment are not judged', () =>
    expect(judged([due], '', { faelligkeit_lohn_2022_03: '31.03.2022' })).toEqual({}));
});

describe('what a figure belongs to', () => {
  test('is the noun that it is an amount of', () => {
    const trial = passage(
      'TRIAL',
      'Die kurze Kündigungsfrist von zwei Wochen gilt nur während einer Probezeit von längstens sechs Monaten.',
    );
    expect(judged([trial], 'Kündigungsfrist in der Probezeit?', { kuendigungsfrist: '1 Monat' })).toEqual({});
    expect(judged([trial], '', { probezeit: '9 Monate' })).toEqual({ probezeit: 'warn TRIAL' });
  });
  test('is its own clause', () => {
    const level = passage(
      'LEVEL',
      'In der Rentenversicherung darf das Sicherungsniveau 48 Prozent nicht unterschreiten und darf der Beitragssatz 20 Prozent nicht überschreiten.',
    );
    expect(judged([level], '', { beitragssatz_rv: '19,6 %' })).toEqual({});
    expect(judged([level], '', { beitragssatz_rv: '21 %' })).toEqual({ beitragssatz_rv: 'warn LEVEL' });
  });
  test('hangs on what the sentence begins with', () => {
    const case_ = passage(
      'CASE',
      'Eine Regel. Zahlt der Arbeitgeber keine Beiträge zur Rentenversicherung, beträgt die Pauschsteuer 20 Prozent.',
    );
    expect(judged([case_], '', { pauschsteuer: '5 %' })).toEqual({});
  });
  test('differs between sources that speak of different things', () => {
    const [work, rent] = ['vier Wochen', 'sechs Monate'].map((time, i) =>
      passage(`P${i}`, `Die Kündigungsfrist beträgt ${time}.`),
    );
    expect(judged([work!, rent!], '', { kuendigungsfrist: '1 Woche' })).toEqual({});
  });
});

test('the leave of a year in which someone leaves is not the whole', () => {
  const leave = passage(
    'LEAVE',
    'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. Werktage sind alle Kalendertage außer Sonntagen.',
  );
  const facts = { urlaub: '10 Tage', arbeitstage_pro_woche: '5', austritt: '30.06.2022' };
  expect(judged([leave], '', facts)).toEqual({});
});

test('the searches of a review name what the keys mean, with their year', () => {
  const context = {
    facts: [
      { key: 'bbg_rv_2021', value: '7.100 €' },
      { key: 'bbg_rv_2021', value: '1 €' },
    ],
  };
  expect(reviewQueries('Stimmt das?', context)[0]).toBe('Beitragsbemessungsgrenze Rentenversicherung 2021');
  expect(reviewQueries('Stimmt das?', {})).toEqual([]);
});

test('a year that a fact names counts like one of the question', () => {
  const hits = [2021, 2022].map((year) => hitOf(passage(`L-${year}`, '', { year, title: `Grenze ${year}` })));
  const ids = (key: string) =>
    hitsInForce('?', { facts: [{ key, value: '1' }] }, hits).hits.map(({ source }) => source.id);
  expect(ids('bbg_2021')).toEqual(['L-2021']);
  expect(ids('bbg')).toEqual(['L-2022']);
});

describe('what a passage says of something else, or not alone', () => {
  const MINIMUM = 'Der gesetzliche Mindestlohn beträgt 9,82 Euro brutto je Zeitstunde.';
  const LEAVE_YEAR =
    'Der gesetzliche Mindesturlaub beträgt 24 Werktage im Jahr. Werktage sind alle Kalendertage außer Sonntagen.';
  test.each<[string, string, string, Record<string, string>]>([
    [
      'a definition that is denied',
      'Keine Aushilfe liegt vor, wenn das Entgelt 450 Euro im Monat übersteigt.',
      'Ist es eine Aushilfe?',
      { entgelt_monat: '1.200 €' },
    ],
    [
      'cases in which there is none',
      'Kein Mindestlohn ist in diesen Fällen zu zahlen:\n\n- Das Praktikum dauert bis zu drei Monate.\n- Es ist Pflicht.',
      'Ist das Praktikum zu lang?',
      { praktikum_dauer: '4 Monate' },
    ],
    [
      'another limit in words',
      'Der Übergangsbereich umfasst Arbeitsentgelte aus mehr als geringfügigen Beschäftigungen, die regelmäßig 1.300 Euro im Monat nicht übersteigen.',
      'Liegt das Entgelt im Übergangsbereich?',
      { arbeitsentgelt_monat: '400 €' },
    ],
    [
      'a limit of two things together',
      'Pflegezeit und Familienpflegezeit dürfen gemeinsam 24 Monate nicht überschreiten.',
      'Stimmt die Pflegezeit?',
      { pflegezeit: '7 Monate' },
    ],
    [
      'a time before its end',
      'Frühestens vier Monate vor Ablauf der Befristung ist Auskunft zu geben.',
      'Stimmt die Befristung?',
      { befristung: '30 Monate' },
    ],
    [
      'when something begins',
      'Die Pausen müssen frühestens eine Stunde nach Beginn liegen.',
      'Reicht die Pause?',
      { pause: '30 Minuten' },
    ],
    [
      'the time without it',
      'Länger als vier Stunden hintereinander dürfen Jugendliche nicht ohne Pause arbeiten.',
      'Reicht die Pause?',
      { pause: '60 Minuten', alter: '17 Jahre' },
    ],
    [
      'another thing in its role',
      'Der Wert der als Sachbezug gestellten Verpflegung beträgt monatlich 270 Euro.',
      'Stimmt der Sachbezug?',
      { sachbezug_monat: '50,01 €' },
    ],
    [
      'an age',
      'Der Anspruch auf Elternzeit besteht bis zur Vollendung des dritten Lebensjahres.',
      'Stimmt die Elternzeit?',
      { elternzeit: '40 Monate' },
    ],
    [
      'pay beside a threshold',
      'Die Jahresarbeitsentgeltgrenze beträgt 64.350 Euro.',
      'Liegt das Entgelt über der Grenze?',
      { jahresarbeitsentgelt: '66.000 €' },
    ],
    [
      'what the next sentence relaxes',
      'Die Arbeitszeit darf acht Stunden nicht überschreiten. Sie kann auf bis zu zehn Stunden verlängert werden.',
      'Stimmt die Arbeitszeit?',
      { arbeitszeit: '10 Stunden' },
    ],
    [
      'the opening of a case',
      'Übt ein Arbeitsloser eine Tätigkeit aus, ist nach Abzug der Werkzeuge ein Freibetrag von 165 Euro anzurechnen.',
      'Freibetrag?',
      { freibetrag: '500 €' },
    ],
    [
      'a sum of several rates',
      'Der Beitragssatz beträgt 2,6 Prozent.',
      'Beitrag?',
      { gesamtsozialversicherungsbeitrag_satz: '39,95 %' },
    ],
    [
      'what another paragraph raises',
      '(1) Steuerfrei sind Zuschläge, soweit sie für Nachtarbeit 25 Prozent nicht übersteigen.\n\n(3) Für Nachtarbeit von 0 Uhr bis 4 Uhr erhöht sich der Satz auf 40 Prozent.',
      'Ist der Zuschlag steuerfrei?',
      { nachtzuschlag_steuerfrei: '40 %' },
    ],
    ['the value of a day', 'Der Frühstückswert beträgt 56 Euro.', 'Wert?', { fruehstueckswert: '1,87 €' }],
    ['the leave of a month', LEAVE_YEAR, 'Urlaub?', { urlaub_2022_07: '5 Werktage' }],
    [
      'the leave of part of a year',
      LEAVE_YEAR,
      'Urlaub?',
      { urlaub: '5 Werktage', beschaeftigungsmonate: '6' },
    ],
    ['leave that was granted', LEAVE_YEAR, 'Urlaub?', { urlaub_gewaehrt: '5 Werktage' }],
    ['the self-employed', MINIMUM, 'Lohn?', { stundenlohn: '8,00 €', selbststaendig: 'ja' }],
    ['a manager', MINIMUM, 'Lohn?', { stundenlohn: '8,00 €', status: 'Geschäftsführer' }],
    ['a tenant', 'Die Kaution des Mieters beträgt höchstens 450 Euro.', 'Kaution?', { kaution: '500 €' }],
  ])('%s', (_, text, question, facts) => expect(judged([passage('P', text)], question, facts)).toEqual({}));

  test('a limit of two things together is exceeded by one', () =>
    expect(
      judged(
        [passage('P', 'Pflegezeit und Familienpflegezeit dürfen gemeinsam 24 Monate nicht überschreiten.')],
        'Stimmt die Pflegezeit?',
        { pflegezeit: '25 Monate' },
      ),
    ).toEqual({ pflegezeit: 'warn P' }));
});

test('a text that looks ahead does not make its year the last known', () =>
  expect(
    lastYearOf([
      passage('A', '', { stand: '2021-11', year: 2022 }),
      passage('B', '', { stand: '2021-11', year: 2025 }),
    ]),
  ).toBe(2022));

const key = fc.constantFrom(
  'stundenlohn_2022_07',
  'urlaubstage',
  'arbeitstage_pro_woche',
  'bbg_rv_west_2022',
  'alter',
  'faelligkeit_beitraege_2022_03',
  'x.-_',
  'constructor',
  'kuendigungsfrist',
  'minijob_grenze',
);
const value = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.constantFrom('10,45 €', '20 Tage', '5', '84.600 €', '16 Jahre', '29.03.2022', '3 Monate', '14,6 %'),
);
const facts = fc.array(fc.record({ key, value }), { maxLength: 6 });
const sources = [
  WAGE,
  passage('LEAVE', 'Der Mindesturlaub beträgt 24 Werktage im Jahr, also bei sechs Werktagen je Woche.'),
];
const run = (context: ReviewContext, question = '') =>
  review({ question, context, hits: sources.map(hitOf), language: 'de', lastYear: 2022 });

test('whatever the context, there is no exception, and what is cited is in context', () => {
  const parts = fc.record({ label: fc.string({ minLength: 1 }), result: value, components: facts });
  fc.assert(
    fc.property(facts, fc.option(parts, { nil: undefined }), fc.string(), (given, computation, question) => {
      const checks = run({ facts: given, ...(computation === undefined ? {} : { computation }) }, question);
      for (const { source_ids } of checks)
        expect(['WAGE', 'LEAVE']).toEqual(expect.arrayContaining(source_ids));
    }),
  );
});

const sorted = (context: ReviewContext): string[] =>
  run(context)
    .map((check) => JSON.stringify(check))
    .toSorted();

test('the order of the facts changes no check', () => {
  fc.assert(
    fc.property(facts, (given) => {
      expect(sorted({ facts: given.toReversed() })).toEqual(sorted({ facts: given }));
    }),
  );
});
