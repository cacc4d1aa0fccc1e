import { describe, expect, it } from 'vitest';
import type { Source } from '../../source.ts';
import type { Hit } from '../../hit.ts';
import { findConflicts } from './conflicts.ts';

let count = 0;

function hit(text: string, rest: Partial<Source> = {}): Hit {
  count += 1;
  const source: Source = {
    id: `S-${count}`,
    title: `Handbuch ${count}`,
    section: `Kapitel ${count}`,
    stand: '2022-01',
    work: `H${count}`,
    lang: 'de',
    year: null,
    text,
    ...rest,
  };
  return { source, score: 1, passages: [{ source, text: source.text, start: 0 }], referenced: false };
}

const english = { lang: 'en', title: 'Source', section: 'Passage', work: 'R' } as const;

/** The texts of each line, with the first hit's text as the draft's answer. */
function lines(question: string, ...hits: Hit[]): string[][] {
  const [{ source }] = hits as [Hit];
  const statement = { kind: 'statement' as const, text: source.text, citations: [source.id] };
  return findConflicts(question, hits, [statement]).map((sides) => sides.map((side) => side.text));
}

const grenze = (amount: string): string => `Die Beitragsbemessungsgrenze beträgt monatlich ${amount} Euro.`;

it('compares the best passages of a long source, not all of it', () => {
  const [left, right] = [hit(grenze('4.800')), hit(`Ein Vorwort. ${grenze('4.900')}`)];
  const preface = { source: right.source, text: 'Ein Vorwort.', start: 0 };
  const question = 'Wie hoch ist die Beitragsbemessungsgrenze im Monat?';
  const answer = { kind: 'statement' as const, text: left.source.text, citations: [left.source.id] };
  expect(findConflicts(question, [left, right], [answer])).toHaveLength(1);
  expect(findConflicts(question, [left, { ...right, passages: [preface] }], [answer])).toHaveLength(0);
});

describe('a contradiction', () => {
  it.each<[string, string, string, string]>([
    [
      'of figures',
      'Wie viele Urlaubstage gibt es im Jahr?',
      'Der Urlaubsanspruch beträgt 28 Tage im Kalenderjahr.',
      'Der Urlaubsanspruch beträgt 30 Tage im Kalenderjahr.',
    ],
    [
      'of figures in words',
      'Wie lang ist die Kündigungsfrist in der Probezeit?',
      'Die Kündigungsfrist in der Probezeit beträgt zwei Wochen.',
      'Die Kündigungsfrist in der Probezeit beträgt 4 Wochen.',
    ],
    [
      'in another order of words',
      'Wie lang ist die Kündigungsfrist in der Probezeit?',
      'Die Kündigungsfrist in der Probezeit beträgt zwei Wochen.',
      'In der Probezeit beträgt die Kündigungsfrist vier Wochen.',
    ],
    [
      'in quite another order of words',
      'Wie lang ist die Kündigungsfrist für Aushilfen in der Probezeit?',
      'Die Kündigungsfrist für Aushilfen in der Probezeit beträgt zwei Wochen.',
      'Vier Wochen beträgt in der Probezeit für Aushilfen die Kündigungsfrist.',
    ],
    [
      'of amounts, however written',
      'Wie hoch ist der Kilometersatz?',
      'Der Kilometersatz beträgt 0,30 Euro.',
      'Der Kilometersatz beträgt 0,35 €.',
    ],
    [
      'of days in a question for a time',
      'Bis wann muss die Krankmeldung vorliegen?',
      'Die Krankmeldung muss am dritten Tag vorliegen.',
      'Die Krankmeldung muss am ersten Tag vorliegen.',
    ],
  ])('%s names both sides', (_, question, a, b) => {
    expect(lines(question, hit(a), hit(b))).toEqual([[a, b]]);
  });

  it.each<[string, string, string, string]>([
    [
      'of dates',
      'When was the Bonner House built?',
      'The Bonner House was built about 1835 in Bath.',
      'The Bonner House was built about 1935 in Bath.',
    ],
    [
      'of places',
      'Where was Airways International based?',
      'Airways International was an airline based in Miami, Florida.',
      'Airways International was an airline based in Anchorage, Alaska.',
    ],
    [
      'of a kind, in words',
      'What is the genre of the film "Inner Sanctum"?',
      'Inner Sanctum is a 1948 American film noir directed by Lew Landers.',
      'Inner Sanctum is a 1948 American romantic comedy directed by Lew Landers.',
    ],
  ])('%s is found in English', (_, question, a, b) => {
    expect(lines(question, hit(a, english), hit(b, english))).toEqual([[a, b]]);
  });

  it('with several sources gives a line for each that brings a new one', () => {
    const [a, b, c] = [28, 29, 30].map((days) => hit(`Der Urlaubsanspruch beträgt ${days} Tage im Jahr.`));
    expect(lines('Wie hoch ist der Urlaubsanspruch?', a!, b!, c!)).toHaveLength(2);
  });
});

describe('no contradiction', () => {
  const question = 'Wie hoch ist die Beitragsbemessungsgrenze?';

  it.each<[string, string, string]>([
    [
      'the same value in another spelling',
      'Die Grenze beträgt 1.234,50 Euro im Monat.',
      'Die Grenze beträgt 1234,50 € im Monat.',
    ],
    [
      'another unit',
      'Die Frist für die Meldung beträgt 30 Tage.',
      'Die Frist für die Meldung beträgt 30 Wochen.',
    ],
    [
      'another year in the sentence',
      'Im Jahr 2021 beträgt die Grenze 7.100 Euro.',
      'Im Jahr 2022 beträgt die Grenze 7.050 Euro.',
    ],
    [
      'another case',
      'Der Zuschlag für Nachtarbeit beträgt 25 Prozent.',
      'Der Zuschlag für Sonntagsarbeit beträgt 50 Prozent.',
    ],
    [
      'a condition that the other lacks',
      'Der Urlaub beträgt 24 Werktage.',
      'Der Urlaub beträgt für Jugendliche unter 16 Jahren 30 Werktage.',
    ],
    [
      'another reference',
      'Näheres zur Meldung der Grenze regelt § 28a SGB IV.',
      'Näheres zur Meldung der Grenze regelt § 28b SGB IV.',
    ],
    [
      'another noun',
      'Der Arbeitgeber trägt die Kosten der Untersuchung.',
      'Der Arbeitnehmer trägt die Kosten der Untersuchung.',
    ],
  ])('for %s', (_, a, b) => {
    expect(lines(question, hit(a), hit(b))).toEqual([]);
  });

  it('between sources of different years', () => {
    const [a, b] = [hit(grenze('7.100'), { year: 2021 }), hit(grenze('7.050'), { year: 2022 })];
    expect(lines(question, a, b)).toEqual([]);
    expect(
      lines(question, hit(grenze('7.100'), { year: 2021 }), hit(grenze('7.050'), { year: 2021 })),
    ).toHaveLength(1);
  });

  it('between different provisions, however alike their words', () => {
    const [a, b] = [
      hit(grenze('7.100'), { section: '§ 3 SVBezGrV' }),
      hit(grenze('6.700'), { section: '§ 4 SVBezGrV' }),
    ];
    expect(lines(question, a, b)).toEqual([]);
  });

  it('within one source', () => {
    const source = hit(`${grenze('7.100')} ${grenze('6.700')}`);
    expect(findConflicts(question, [source], [])).toEqual([]);
  });

  it('where neither sentence is about the question', () => {
    const [a, b] = [hit('Die Probezeit dauert drei Monate.'), hit('Die Probezeit dauert sechs Monate.')];
    expect(findConflicts('Wer zahlt die Reisekosten?', [a, b], [])).toEqual([]);
  });

  it('where the sources are not about the name that was asked for', () => {
    const ages = [40, 44].map((age) => hit(`The median age was ${age} years.`, english));
    expect(findConflicts('What is the median age in Fort Kent?', ages, [])).toEqual([]);
  });
});
