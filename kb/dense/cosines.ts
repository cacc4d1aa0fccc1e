import { exactSearch, MetricKind } from 'usearch';
import { bestOf } from '../index/best.ts';
import type { DenseData } from './embed.ts';

/** The number of nearest sentences, and of best passages by words, that get a cosine. */
const NEAREST = 100;
const FOUND_BY_WORDS = 200;

/**
 * Adds to passages the cosine between the question and their nearest sentence. The passages of the nearest sentences
 * and the best passages by words get one, so that all candidates have both scores. Every sentence is compared with the
 * question.
 */
export function addCosines(
  scores: Float32Array,
  question: Float32Array,
  { vectors, dimensions, offsets, rows }: DenseData,
): void {
  const count = Math.min(NEAREST, vectors.length / dimensions);
  const { keys } = exactSearch(vectors, question, dimensions, count, MetricKind.IP, 1);
  const nearest = new Set(Array.from(keys, Number));
  const found = new Set(bestOf(scores, FOUND_BY_WORDS));
  // The vectors have length 1, so that their inner product is the cosine.
  const cosineOf = (row: number): number => {
    let sum = 0;
    for (let i = 0, at = row * dimensions; i < dimensions; i++, at++) sum += vectors[at]! * question[i]!;
    return sum;
  };
  for (let passage = 0; passage < scores.length; passage++) {
    const own = rows.subarray(offsets[passage], offsets[passage + 1]);
    if (!found.has(passage) && !own.some((row) => nearest.has(row))) continue;
    scores[passage]! += own.reduce((best, row) => Math.max(best, cosineOf(row)), 0);
  }
}
