import { expect, test } from 'vitest';
import { Hello } from './protocol.ts';
import { readAs } from './read-as.ts';

const at = { file: 'my.ts', line: 1 };

test.each<[unknown, string]>([
  [{ parameters: {} }, 'its answer cannot be read: history: it is missing'],
  [{ history: '3' }, 'its answer cannot be read: history: Invalid input: expected number, received string'],
  [undefined, 'its answer cannot be read: the answer: it is missing'],
])('%j is no description of a strategy', (answer, message) => {
  expect(() => readAs(Hello, answer, at)).toThrow(message);
});
