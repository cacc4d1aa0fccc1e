import { expect, test } from 'vitest';
import { ANSWERED, REFUSED } from './fake-replies.suite.ts';
import { inLanguage, TEXTS } from '../../pages/knowledge/languages.ts';
import { bannerOf, stateOf } from '../../pages/knowledge/answer-state.ts';

const GERMAN = inLanguage(TEXTS, 'de');
const banner = (answer: Parameters<typeof bannerOf>[0]) => bannerOf(answer, GERMAN, (month) => month);
const OF_ITS_YEAR = { ...ANSWERED, question: 'Wie lange wird das Entgelt 2022 fortgezahlt?' };

test('an answer is without a reservation only where there is none', () => {
  expect(stateOf(OF_ITS_YEAR)).toBe('verified');
  expect(banner(OF_ITS_YEAR)).toEqual({ title: 'Belegt', note: GERMAN.verifiedNote });
  expect(stateOf(ANSWERED)).toBe('dated');
  expect(stateOf({ ...OF_ITS_YEAR, verified: false })).toBe('unverified');
  expect(stateOf({ ...OF_ITS_YEAR, status: 'uncertain' })).toBe('uncertain');
  expect(stateOf(REFUSED)).toBe('refused');
});

test('a question back is no refusal', () => {
  const asking = { ...REFUSED, clarification_question: 'Was ist gemeint: „A“ oder „B“?' };
  expect(stateOf(asking)).toBe('asking');
  expect(banner(asking)).toEqual({ title: GERMAN.asking, note: GERMAN.askingNote });
});

test('the gravest reservation is in front, and each is said', () => {
  const grounding = { ...ANSWERED.grounding, uncovered: 'Dazu fehlt eine Quelle: „B“.', relevance: 0.49 };
  const partial = { ...ANSWERED, grounding };
  const notes = [GERMAN.partialNote, GERMAN.doubtfulNote, GERMAN.datedNote('2022-03')];
  expect(banner(partial)).toEqual({ title: GERMAN.partial, note: notes.join(' ') });
  const conflicts = [{ text: '⚠ A [A] B [B]', source_ids: ['A', 'B'] }];
  expect(banner({ ...partial, conflicts })).toEqual({
    title: GERMAN.contradictory,
    note: [GERMAN.contradictoryNote, ...notes].join(' '),
  });
});

test('of what is no law the age of the sources is said in other words, and that of documents not at all', () => {
  const grounding = { ...ANSWERED.grounding, as_of: null };
  const old = { ...ANSWERED, grounding };
  expect(banner(old)).toEqual({ title: GERMAN.dated, note: GERMAN.oldNote('2022-03') });
  const sources = ANSWERED.sources.map((source) => ({ ...source, path: 'a.md' }));
  expect(stateOf({ ...old, sources })).toBe('verified');
});
