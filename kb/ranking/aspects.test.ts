import { expect, test } from 'vitest';
import { aspectsAsked, statedIn } from './aspects.ts';

test('a sentence is judged by the share of the aspects asked for that it states', () => {
  const sentence = 'Der Antrag ist bei der Krankenkasse zu stellen.';
  expect(statedIn(sentence, [])).toBe(0);
  expect(statedIn(sentence, ['procedure'])).toBe(1);
  expect(statedIn(sentence, ['procedure', 'consequence'])).toBe(0.5);
});

test.each([
  ['Wie viel Zeit hat der Betriebsrat?', ['duration']],
  ['Wie viel zahlt der Betrieb?', ['amount']],
])('%s asks for %j', (question, aspects) => {
  expect(aspectsAsked(question)).toEqual(aspects);
});
