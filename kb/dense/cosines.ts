import type { Index } from 'usearch';

import { bestOf } from '../index/best.ts';
import type { DenseData } from './embed.ts';

/** Sentences nearest to the question, and passages that the words found, that get their cosine. */
const NEAREST = 100;
const FOUND_BY_WORDS = 200;

/** Adds what a model sees to what the words found. */
export class DenseIndex {
  readonly #data: DenseData;
  readonly #graph: Index;
  /** Passages of each row. */
  readonly #passagesOf: readonly (readonly number[])[];

  constructor(data: DenseData, graph: Index) {
    this.#data = data;
    this.#graph = graph;
    const passagesOf: number[][] = data.textHashes.map(() => []);
    for (let passage = 0; passage + 1 < data.offsets.length; passage++) {
      for (const row of this.#rowsOf(passage)) passagesOf[row]!.push(passage);
    }
    this.#passagesOf = passagesOf;
  }

  /**
   * Adds `weight` times the cosine of a passage's nearest sentence: to the passages of the nearest sentences of all,
   * and to those that the words rank best, so that neither leg is judged without the other.
   */
  add(scores: Float32Array, question: Float32Array, weight: number): void {
    const candidates = new Set(bestOf(scores, FOUND_BY_WORDS));
    const { keys } = this.#graph.search(question, Math.min(NEAREST, this.#data.textHashes.length), 1);
    for (const key of keys)
      for (const passage of this.#passagesOf[Number(key)] ?? []) candidates.add(passage);
    for (const passage of candidates) {
      let best = 0;
      for (const row of this.#rowsOf(passage)) best = Math.max(best, this.#cosine(row, question));
      scores[passage]! += weight * best;
    }
  }

  #rowsOf(passage: number): Uint32Array {
    const { rows, offsets } = this.#data;
    return rows.subarray(offsets[passage], offsets[passage + 1]);
  }

  /** Of vectors of length 1: their inner product. */
  #cosine(row: number, question: Float32Array): number {
    const { vectors, dimensions } = this.#data;
    let sum = 0;
    for (let i = 0, at = row * dimensions; i < dimensions; i++, at++) sum += vectors[at]! * question[i]!;
    return sum;
  }
}
