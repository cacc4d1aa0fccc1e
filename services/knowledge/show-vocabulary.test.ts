import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { loadKnowledgeBase } from '../../kb/base/load.ts';
import { showVocabulary } from './show-vocabulary.ts';

const { review } = await loadKnowledgeBase(fileURLToPath(new URL('../../kb/corpus', import.meta.url)));

test('the vocabulary of a base is made once, and again for another base, and lets others in between', async () => {
  let now = 0;
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => (now += 20));
  const making = showVocabulary(review);
  const later = new Promise((resolve) => setImmediate(() => resolve('later')));
  expect(await Promise.race([making, later])).toBe('later');
  const shown = await making;
  expect(await showVocabulary(review)).toBe(shown);
  const without = { ...review, rules: [] };
  expect((await showVocabulary(without)).quantities.flatMap(({ rules }) => rules)).toEqual([]);
  expect(shown.quantities.flatMap(({ rules }) => rules)).not.toEqual([]);
});
