import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { Index, MetricKind, ScalarKind } from 'usearch';

import type { DenseData } from './embed.ts';

/** Vectors handed to usearch at once: its own copy of them stays small. */
const BATCH = 1024;

/** Builds the graph of nearest neighbours; keys are the rows. Single-threaded, so that it is the same every time. */
export function buildGraph({ vectors, dimensions, textHashes }: DenseData): Index {
  const graph = emptyGraph(dimensions);
  for (let row = 0; row < textHashes.length; row += BATCH) {
    const count = Math.min(BATCH, textHashes.length - row);
    const keys = BigUint64Array.from({ length: count }, (_, i) => BigInt(row + i));
    graph.add(keys, vectors.subarray(row * dimensions, (row + count) * dimensions), 1);
  }
  return graph;
}

/**
 * Loads a graph that was saved for these vectors. usearch takes dimensions and all else from the file without a word,
 * so the file must be byte for byte the one that was written.
 *
 * @returns undefined where it is missing or another
 */
export async function loadGraph(path: string, sha256: string, data: DenseData): Promise<Index | undefined> {
  const bytes = await readFile(path).catch(() => undefined);
  if (bytes === undefined || hashOfGraph(bytes) !== sha256) return undefined;
  const graph = emptyGraph(data.dimensions);
  graph.load(path);
  return graph.dimensions() === data.dimensions && graph.size() === data.textHashes.length
    ? graph
    : undefined;
}

export function hashOfGraph(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

function emptyGraph(dimensions: number): Index {
  return new Index({
    dimensions,
    metric: MetricKind.IP,
    quantization: ScalarKind.F16,
    connectivity: 16,
    expansion_add: 128,
    expansion_search: 64,
    multi: false,
  });
}
