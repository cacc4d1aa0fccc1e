import { expect, test } from 'vitest';
import { ownStrategies } from '../strategies/named.ts';
import { checkedWords } from './check-words.ts';

test.each([
  ['./mine.ts', /cannot find a look-ahead through what is written in its own files/],
  [
    'exec:python3 mine.py',
    /cannot find a look-ahead through what the program reads by itself: files, .* a clock/,
  ],
])('a check of %s says what it cannot find', (text, unseen) => {
  const [shown, not, further] = checkedWords(ownStrategies(text)[0]!, { sessions: 480, kills: 40 });
  expect(shown).toMatch(/^mine decided the same over 480 sessions: run again, killed 40 times/);
  expect(not).toMatch(unseen);
  expect(further).toMatch(
    /no proof .* one that looks further ahead, .* is not found, and universe.csv is not looked at/,
  );
});
