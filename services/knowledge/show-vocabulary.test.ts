import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { showVocabulary } from './show-vocabulary.ts';

const { review } = await loadKnowledgeBase(fileURLToPath(new URL('../../kb/corpus', import.meta.url)));

test('the vocabulary of a base is made once, and again for another base', () => {
  const shown = showVocabulary(review);
  expect(showVocabulary(review)).toBe(shown);
  const without = { ...review, rules: [] };
  expect(showVocabulary(without).quantities.flatMap(({ rules }) => rules)).toEqual([]);
  expect(shown.quantities.flatMap(({ rules }) => rules)).not.toEqual([]);
});
