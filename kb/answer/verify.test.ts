import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import { splitSentences } from '../sentences.ts';
import type { Language, Source } from '../source.ts';
import type { Hit } from '../hit.ts';
import type { FailureRule } from './ports.ts';
import { NO_FRAME_CONTEXT } from './templates.ts';
import { isQuote, verify } from './verify.ts';

function sourceOf(id: string, lang: Language, text: string, rest: Partial<Source> = {}): Source {
  return { id, title: id, section: '', stand: '2022-01', work: 'W', lang, year: null, text, ...rest };
}

const DE = sourceOf(
  'DE-1',
  'de',
  `Der Anspruch auf Entgeltfortzahlung besteht für die Dauer von sechs Wochen. Er entsteht nach vierwöchiger ununterbrochener Dauer des Arbeitsverhältnisses. Der allgemeine Beitragssatz beträgt 14,6 Prozent.

Die Grenze liegt seit dem 31. Dezember 2021 bei 1.234,56 Euro monatlich. Die Frist für den Einspruch beträgt 30 Tage. Eine Kündigung während der Schwangerschaft ist ohne Zustimmung der Behörde nicht zulässig. Der Zuschuss wird nach § 3b Abs. 1 EStG gezahlt, sofern die Arbeit nachts geleistet wird. Der Umsatz stieg auf 1,5 Millionen Euro.

Kein Anspruch auf den Zuschlag besteht bei:
- Arbeit an Samstagen,
- Bereitschaft zu Hause.

Der Arbeitgeber meldet:
- Beginn der Beschäftigung,
- Ende der Beschäftigung innerhalb von zwei Wochen.

Im Jahr 2021 beträgt die Bezugsgröße jährlich 39.480 Euro und monatlich 3.290 Euro.`,
  { section: '§ 9 EntgFG', title: 'Entgeltfortzahlung' },
);
const EN = sourceOf(
  'EN-1',
  'en',
  `The town had a population of 2,104 people on December 31, 2021. The bridge is 1.5 miles long and was not built before 1912. Members may vote, except honorary members. About 14.6 percent of the area is water. The club played three matches in two weeks. No. 38 was composed without trumpets.`,
);

const context = (...sources: Source[]) => ({
  language: sources[0]!.lang,
  hits: sources.map((source): Hit => ({ source, score: 1, passages: [], referenced: false })),
  exists: (id: string) => [DE, EN].some((source) => source.id === id),
  frames: { ...NO_FRAME_CONTEXT, months: ['2022-01'], asOf: ['März 2022'] },
});

function ruleFor(text: string, source: Source, citations = [source.id]): FailureRule | null {
  const verdict = verify({ sentences: [{ kind: 'statement', text, citations }] }, context(source));
  expect(verdict.verified).toBe(verdict.failures.length === 0);
  return verdict.failures[0]?.rule ?? null;
}

describe('a German statement holds', () => {
  it.each([
    'Der Anspruch auf Entgeltfortzahlung besteht für die Dauer von sechs Wochen.',
    'Der Anspruch auf Entgeltfortzahlung besteht 6 Wochen.',
    'Der Anspruch auf Entgeltfortzahlung besteht für sechswöchige Dauer.',
    'Er entsteht nach 4-wöchiger Dauer des Arbeitsverhältnisses.',
    'Der allgemeine Beitragssatz beträgt 14,6 %.',
    'Der allgemeine Beitragssatz beträgt 14,60 v. H.',
    'Seit dem 31.12.2021 liegt die Grenze bei 1234,56 € monatlich.',
    'Seit 2021-12-31 liegt die Grenze bei 1.234,56 EUR.',
    'Seit Ende 2021 liegt die Grenze monatlich bei 1234,56 Euro.',
    'Dreißig Tage beträgt die Frist für den Einspruch.',
    'Während der Schwangerschaft ist eine Kündigung ohne Zustimmung der Behörde nicht zulässig.',
    'Nach § 3b Abs. 1 EStG wird der Zuschuss gezahlt, sofern nachts gearbeitet wird.',
    'Nach § 9 EntgFG besteht der Anspruch auf Entgeltfortzahlung sechs Wochen.',
    'Der Umsatz stieg auf 1.500.000 Euro.',
    'Der Umsatz stieg auf 1,5 Mio. €.',
    'Kein Anspruch auf den Zuschlag besteht bei: Arbeit an Samstagen,',
    'Kein Anspruch auf den Zuschlag besteht bei:\n- Arbeit an Samstagen,\n- Bereitschaft zu Hause.',
    'Der Arbeitgeber meldet:\n- Ende der Beschäftigung innerhalb von zwei Wochen.',
    'Ende der Beschäftigung innerhalb von zwei Wochen.',
    '2021 beträgt die Bezugsgröße monatlich 3.290 Euro.',
  ])('%s', (text) => {
    expect(ruleFor(text, DE)).toBeNull();
  });
});

describe('a German statement fails', () => {
  it.each<[FailureRule, string]>([
    ['number_not_in_source', 'Der Anspruch auf Entgeltfortzahlung besteht für die Dauer von sieben Wochen.'],
    ['number_not_in_source', 'Der allgemeine Beitragssatz beträgt 14,8 Prozent.'],
    ['number_not_in_source', 'Die Grenze liegt seit dem 31. Dezember 2020 bei 1.234,56 Euro monatlich.'],
    ['number_not_in_source', 'Die Grenze liegt seit dem 31. Dezember 2021 bei 123.456 Euro monatlich.'],
    ['number_not_in_source', 'Der Umsatz stieg auf 1,5 Milliarden Euro.'],
    // Each figure is in the source, but elsewhere or for something else.
    ['number_not_in_source', 'Die Frist für den Einspruch beträgt 14,6 Prozent.'],
    ['unit_not_in_source', 'Die Frist für den Einspruch beträgt 30 Euro.'],
    ['unit_not_in_source', 'Die Frist für den Einspruch beträgt 30 Werktage.'],
    ['unit_not_in_source', 'Der Anspruch auf Entgeltfortzahlung besteht für die Dauer von sechs Monaten.'],
    [
      'reference_not_in_source',
      'Der Zuschuss wird nach § 3c Abs. 1 EStG gezahlt, sofern nachts gearbeitet wird.',
    ],
    [
      'reference_not_in_source',
      'Der Zuschuss wird nach § 3b Abs. 2 EStG gezahlt, sofern nachts gearbeitet wird.',
    ],
    [
      'negation_differs',
      'Eine Kündigung während der Schwangerschaft ist ohne Zustimmung der Behörde zulässig.',
    ],
    ['negation_differs', 'Eine Kündigung während der Schwangerschaft ist zulässig.'],
    ['negation_differs', 'Der allgemeine Beitragssatz beträgt nicht 14,6 Prozent.'],
    ['negation_differs', 'Der Anspruch auf Entgeltfortzahlung besteht außer für die Dauer von sechs Wochen.'],
    // Verbatim, but cut so that the denial is gone.
    ['negation_differs', 'Arbeit an Samstagen,'],
    ['negation_differs', 'Bereitschaft zu Hause.'],
    ['negation_differs', 'Eine Kündigung während der Schwangerschaft ist ohne Zustimmung der Behörde'],
    ['content_not_covered', 'Der Arbeitgeber darf das Krankengeld jederzeit frei kürzen.'],
    ['content_not_covered', 'Der Anspruch verjährt und der Zuschuss bleibt für Beamte steuerfrei.'],
  ])('%s: %s', (rule, text) => {
    expect(ruleFor(text, DE)).toBe(rule);
  });
});

test.each([
  ['Der allgemeine Beitragssatz beträgt höchstens 14,6 Prozent.', 'limit_not_in_source'],
  ['Der allgemeine Beitragssatz beträgt mindestens 14,6 Prozent.', 'limit_not_in_source'],
  ['Der allgemeine Beitragssatz beträgt mehr als 14,6 Prozent.', 'limit_not_in_source'],
  ['Der allgemeine Beitragssatz beträgt weniger als 14,6 Prozent.', 'limit_not_in_source'],
])('a limit is no figure that is just stated: %s', (text, rule) => expect(ruleFor(text, DE)).toBe(rule));

test('an invented sentence does not ride along on one that holds', () => {
  const long =
    'Im Jahr 2021 beträgt die jährliche Bezugsgröße 39.480 Euro, und monatlich beträgt die Bezugsgröße 3.290 Euro.';
  expect(ruleFor(long, DE)).toBeNull();
  expect(ruleFor(`${long} Abweichen darf jeder.`, DE)).toBe('content_not_covered');
  expect(ruleFor(`${long.slice(0, -1)}, wovon der Betrieb abweichen darf.`, DE)).toBe('content_not_covered');
  expect(ruleFor(`${long}\n\nPlausibilitätsprüfung:\n- alles gut`, DE)).toBe('content_not_covered');
});

describe('an English statement', () => {
  it.each([
    'The population of the town was 2104 people on 31 December 2021.',
    'In 2021 the town had a population of 2,104 people.',
    '14.6% of the area is water.',
    'The bridge is 1.5 miles long and was not built before 1912.',
    'The club played 3 matches in 2 weeks.',
    'No. 38 was composed without trumpets.',
  ])('holds: %s', (text) => {
    expect(ruleFor(text, EN)).toBeNull();
  });

  it.each<[FailureRule, string]>([
    ['number_not_in_source', 'The town had a population of 2,140 people on December 31, 2021.'],
    ['number_not_in_source', 'The town had a population of 2,104 people on December 30, 2021.'],
    ['unit_not_in_source', 'The bridge is 1.5 km long and was not built before 1912.'],
    ['negation_differs', 'The bridge is 1.5 miles long and was built before 1912.'],
    ['negation_differs', "The club didn't play three matches in two weeks."],
    ['negation_differs', 'Members may vote.'],
    ['negation_differs', 'Honorary members may vote.'],
    ['content_not_covered', 'The mayor resigned after the election scandal.'],
  ])('fails by %s: %s', (rule, text) => {
    expect(ruleFor(text, EN)).toBe(rule);
  });
});

describe('citations', () => {
  const text = 'Der allgemeine Beitragssatz beträgt 14,6 Prozent.';

  it.each<[FailureRule, string[]]>([
    ['no_citation', []],
    ['unknown_source', ['XX-1']],
    ['unknown_source', ['DE-1', 'XX-1']],
    ['not_in_context', ['EN-1']],
    ['not_in_context', ['DE-1', 'EN-1']],
  ])('%s for %j', (rule, citations) => {
    expect(ruleFor(text, DE, citations)).toBe(rule);
  });

  it('that add nothing do not hold beside one that does', () => {
    const draft = { sentences: [{ kind: 'statement' as const, text, citations: ['DE-1', 'EN-1'] }] };
    expect(verify(draft, context(DE, EN)).failures[0]?.rule).toBe('content_not_covered');
  });
});

const frame = (text: string) =>
  verify(
    {
      sentences: [
        { kind: 'statement', text: 'Die Frist für den Einspruch beträgt 30 Tage.', citations: ['DE-1'] },
        { kind: 'frame', text },
      ],
    },
    context(DE),
  ).failures.map((failure) => failure.rule);

describe('frames', () => {
  it('hold when they are of the closed list and their slot is of this context', () => {
    expect(frame('Rechtsstand der Wissensbasis: März 2022.')).toEqual([]);
    expect(frame('⚠')).toEqual([]);
  });

  it.each(['Stand der zitierten Quellen: 2099-01.', 'Das gilt immer.', ''])('fail otherwise: %j', (text) => {
    expect(frame(text)).toEqual(['unknown_frame']);
  });

  it('alone are no answer', () => {
    expect(verify({ sentences: [{ kind: 'frame', text: '⚠' }] }, context(DE)).failures).toEqual([
      { sentence: 0, text: '', rule: 'empty_draft' },
    ]);
  });
});

const statement = (text: string, id = 'DE-1') => ({ kind: 'statement' as const, text, citations: [id] });

describe('a quote', () => {
  it('is whole sentences only', () => {
    expect(isQuote('Die Frist für den Einspruch beträgt 30 Tage.', DE)).toBe(true);
    expect(isQuote('Die Frist  für den\nEinspruch beträgt 30 Tage.', DE)).toBe(true);
    expect(isQuote('Die Frist für den Einspruch', DE)).toBe(false);
    expect(isQuote('Frist für den Einspruch beträgt 30 Tage.', DE)).toBe(false);
    expect(isQuote('', DE)).toBe(false);
  });

  it('of a list item stands behind its lead-in, in the same statement or one before', () => {
    const lead = statement('Kein Anspruch auf den Zuschlag besteht bei:');
    const item = statement('Bereitschaft zu Hause.');
    const failures = (...sentences: (typeof item)[]) => verify({ sentences }, context(DE)).failures.length;
    expect(failures(lead, item)).toBe(0);
    expect(failures(item, lead)).toBe(1);
    expect(failures(item)).toBe(1);
  });

  it('may run on, but not leave a sentence out', () => {
    const [first, second, third] = splitSentences(DE.text).map((sentence) => sentence.text);
    expect(isQuote(`${first} ${second}`, DE)).toBe(true);
    expect(isQuote(`${first} ${third}`, DE)).toBe(false);
  });
});

describe('whatever the sentence', () => {
  const sentences = [DE, EN].flatMap((source) =>
    splitSentences(source.text)
      .filter((sentence) => sentence.lead === null && !sentence.text.endsWith(':'))
      .map((sentence) => ({ source, text: sentence.text })),
  );
  const anySentence = fc.constantFrom(...sentences);

  it('a verbatim sentence of its source holds', () => {
    fc.assert(
      fc.property(anySentence, ({ source, text }) => {
        expect(ruleFor(text, source)).toBeNull();
      }),
    );
  });

  it('a changed digit never holds', () => {
    const withDigits = sentences.filter(({ text }) => /\d/u.test(text));
    fc.assert(
      fc.property(
        fc.constantFrom(...withDigits),
        fc.nat(),
        fc.integer({ min: 1, max: 9 }),
        (pick, at, shift) => {
          const places = [...pick.text.matchAll(/\d/gu)].map((match) => match.index);
          const place = places[at % places.length]!;
          const digit = (Number(pick.text[place]) + shift) % 10;
          const changed = pick.text.slice(0, place) + digit + pick.text.slice(place + 1);
          expect(ruleFor(changed, pick.source)).not.toBeNull();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('an added negation never holds', () => {
    fc.assert(
      fc.property(anySentence, fc.nat(), ({ source, text }, at) => {
        const words = text.split(' ');
        words.splice(1 + (at % (words.length - 1)), 0, source.lang === 'de' ? 'nicht' : 'never');
        expect(ruleFor(words.join(' '), source)).not.toBeNull();
      }),
      { numRuns: 500 },
    );
  });

  it('a dropped negation never holds', () => {
    const negated = /(?<= )(?:nicht|ohne|not|without|except) ?/u;
    const candidates = sentences.filter(({ text }) => negated.test(text));
    expect(candidates.length).toBeGreaterThan(3);
    for (const { source, text } of candidates) {
      expect(ruleFor(text.replace(negated, ''), source)).not.toBeNull();
    }
  });

  it('a foreign id never holds', () => {
    fc.assert(
      fc.property(anySentence, fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._-]{0,20}$/u), (pick, id) => {
        fc.pre(id !== pick.source.id);
        expect(ruleFor(pick.text, pick.source, [pick.source.id, id])).not.toBeNull();
      }),
    );
  });
});
