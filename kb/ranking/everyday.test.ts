import { expect, it } from 'vitest';
import { stem } from '../analysis/analysis.ts';
import { fold } from '../analysis/fold.ts';
import { tellingOf } from './everyday.ts';

const of = (word: string): number => tellingOf(stem(fold(word, 'de'), 'de'));

it('a word that everybody asks with tells little, one of a single topic all that it can', () => {
  expect(of('zahlt')).toBeLessThan(0.2);
  expect(of('Monate')).toBeLessThan(of('Probezeit'));
  expect(of('Solidaritätszuschlag')).toBe(1);
  expect(of('Quantenchromodynamik')).toBe(1);
});
