import { bestOf } from '../index/best.ts';
import type { DenseData } from './embed.ts';

/** Sentences nearest to the question, and passages that the words found, that get their cosine. */
const NEAREST = 100;
const FOUND_BY_WORDS = 200;

/**
 * Adds what a model sees to what the words found: the cosine of a passage's nearest sentence, to the passages
 * of the nearest sentences of all and to those that the words rank best, so that neither leg is judged without the other.
 * Every sentence is compared with the question.
 */
export function addCosines(
  scores: Float32Array,
  question: Float32Array,
  { vectors, dimensions, offsets, rows }: DenseData,
): void {
  // Of vectors of length 1: their inner product.
  const cosines = Float32Array.from({ length: vectors.length / dimensions }, (_, row) => {
    let sum = 0;
    for (let i = 0, at = row * dimensions; i < dimensions; i++, at++) sum += vectors[at]! * question[i]!;
    return sum;
  });
  const found = new Set(bestOf(scores, FOUND_BY_WORDS));
  const nearest = new Set(bestOf(cosines, NEAREST));
  for (let passage = 0; passage < scores.length; passage++) {
    const own = rows.subarray(offsets[passage], offsets[passage + 1]);
    if (!found.has(passage) && !own.some((row) => nearest.has(row))) continue;
    scores[passage]! += own.reduce((best, row) => Math.max(best, cosines[row]!), 0);
  }
}
