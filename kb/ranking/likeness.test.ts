import { describe, expect, it } from 'vitest';
import { plainAnalysis } from '../analysis/analysis.ts';
import { dotOf, readLikeness } from './likeness.ts';

const likeness = readLikeness();
const vectorOf = (text: string): Float32Array => likeness.vectorOf(plainAnalysis.words(text, 'de'));
const alike = (a: string, b: string): number => dotOf(vectorOf(a), vectorOf(b));

describe('the likeness of two texts', () => {
  it('is 1 for the same words in whatever order', () => {
    expect(alike('Resturlaub verfällt wann', 'wann verfällt Resturlaub')).toBeCloseTo(1, 5);
  });

  it('is 0 where nothing is known', () => {
    expect(alike('', 'Urlaub')).toBe(0);
  });

  it.each([
    ['krankenschein', 'ärztliche Bescheinigung', 'Kündigungsfrist'],
    ['chef schmeißt mich raus', 'gekündigt', 'Pausen'],
  ])('of %j is greater to %j than to %j', (text, near, far) => {
    expect(alike(text, near)).toBeGreaterThan(alike(text, far));
  });
});
