import { describe, expect, it } from 'vitest';
import type { Source } from '../../kb/source.ts';
import type { Hit } from '../../kb/hit.ts';
import type { Match } from '../../kb/ranking/fit.ts';
import { clarification } from './ask-back.ts';
import { detectLanguage } from '../../kb/analysis/analysis.ts';
import { currentHits } from '../../kb/answer/validity.ts';

function hit(id: string, title: string, rest: Partial<Source> = {}, score = 1): Hit {
  const source: Source = {
    id,
    title,
    section: '',
    stand: '2021-12',
    work: 'W',
    lang: 'de',
    year: null,
    text: `Hier steht etwas über ${title}.`,
    ...rest,
  };
  return { source, score, passages: [], referenced: false };
}

describe('the language of a question', () => {
  it.each([
    ['Wie viel Urlaub steht mir zu?', 'de'],
    ['Urlaub?', 'de'],
    ['BBG 2021', 'de'],
    ['What is the population of Keyes?', 'en'],
    ['Who is the owner?', 'en'],
    ['sick pay how long', 'en'],
    ['Was ist Home Office?', 'de'],
  ])('%s: %s', (question, language) => {
    expect(detectLanguage(question)).toBe(language);
  });
});

describe('versions of one provision', () => {
  const section = '§ 3 BUrlG';
  const newer = hit('U-2', 'Mindesturlaub', { section, stand: '2021-12' });
  const older = hit('U-1', 'Mindesturlaub', { section, stand: '2013-04' });

  it('the older stand leaves the context, wherever it ranks', () => {
    expect(currentHits('Urlaub?', [older, newer])).toEqual({ hits: [newer], superseded: [older.source] });
  });

  it.each<[string, Hit]>([
    ['another §', hit('X', 'Mindesturlaub', { section: '§ 4 BUrlG', stand: '2013-04' })],
    ['another work', hit('X', 'Mindesturlaub', { section, stand: '2013-04', work: 'V' })],
    ['another year', hit('X', 'Mindesturlaub', { section, stand: '2013-04', year: 2020 })],
    ['the same stand', hit('X', 'Mindesturlaub', { section })],
    [
      'another passage of the §',
      hit('X', 'Werktage', { section, stand: '2013-04', text: 'Sonntage zählen nicht.' }),
    ],
  ])('%s stays', (_, other) => {
    expect(currentHits('Urlaub?', [other, newer]).superseded).toEqual([]);
  });

  it('a chapter that holds many passages is no provision', () => {
    const [a, b] = ['2013-04', '2021-12'].map((stand) =>
      hit(stand, 'Urlaub', { section: 'Kapitel 2', stand }),
    );
    expect(currentHits('Urlaub?', [a!, b!]).superseded).toEqual([]);
  });
});

describe('a passage kept for several years', () => {
  const years = [2022, 2021, 2020].map((year) => hit(`BBG-${year}`, `Grenze ${year}`, { year }));
  const ids = (question: string): string[] =>
    currentHits(question, [...years, hit('ALLG', 'Grenzen')]).hits.map(({ source }) => source.id);

  it('stands for the year that the question names', () => {
    expect(ids('Wie hoch war die Grenze 2021?')).toEqual(['BBG-2021', 'ALLG']);
    expect(ids('Wie hoch war die Grenze 2021 und 2020?')).toEqual(['BBG-2021', 'BBG-2020', 'ALLG']);
  });

  it('stands for the newest where no year is named', () => {
    expect(ids('Wie hoch ist die Grenze?')).toEqual(['BBG-2022', 'ALLG']);
  });

  it('stays whole, newest first as the search has it, where an unknown year is named', () => {
    expect(ids('Wie hoch war die Grenze 1999?')).toHaveLength(4);
  });
});

describe('the question back', () => {
  const topics = [
    hit('A', 'Kündigungsfrist in der Probezeit'),
    hit('B', 'Kündigungsschutz für Schwangere', {}, 0.95),
  ];

  it('is asked where a short question fits several topics about equally', () => {
    expect(clarification('Kündigung?', 'de', topics, ['A'])).toBe(
      'Rückfrage: Was ist gemeint: „Kündigungsfrist in der Probezeit“ oder „Kündigungsschutz für Schwangere“?',
    );
    expect(clarification('Kündigung?', 'en', topics, ['A'])).toMatch(/^Clarifying question: /u);
  });

  it('is not asked by a refusal about sources that have not all of what is asked', () => {
    const [without, whole] = [0, 1].map((found) =>
      topics.map((each): Hit => ({ ...each, match: { found: [found] } as unknown as Match })),
    ) as [Hit[], Hit[]];
    expect(clarification('Kündigung?', 'de', without, null)).toBeNull();
    expect(clarification('Kündigung?', 'de', whole, null)).toContain('Was ist gemeint');
  });

  it.each<[string, string, Hit[], string[]]>([
    ['a word tells them apart', 'Wie lang ist die Kündigung in der Probezeit?', topics, ['A']],
    ['the answer cites both', 'Kündigung?', topics, ['A', 'B']],
    ['one fits far better', 'Kündigung?', [topics[0]!, { ...topics[1]!, score: 0.5 }], ['A']],
    [
      'they are one topic of two years',
      'Mindestlohn?',
      [hit('A', 'Mindestlohn im Jahr 2021'), hit('B', 'Mindestlohn im Jahr 2022')],
      ['A'],
    ],
    [
      'the question names its source',
      'Kündigung § 622 BGB',
      topics.map((each) => ({ ...each, referenced: true })),
      ['A'],
    ],
    ['nothing was found', 'Kündigung?', [], []],
  ])('is not asked where %s', (_, question, hits, cited) => {
    expect(clarification(question, 'de', hits, cited)).toBeNull();
  });
});
