import { parentPort } from 'node:worker_threads';

import { sourcesIn } from './source-rows.ts';
import { WordCounter } from './word-counter.ts';
import { WordGrams } from './word-grams.ts';

/** Sources, with the words that are not in any source sent before; or the message that no more sources follow. */
export type GramsRequest =
  | {
      readonly kind: 'sources';
      readonly stretch: Uint32Array;
      readonly end: number;
      readonly folded: readonly string[];
    }
  | { readonly kind: 'build' };

const port = parentPort;
if (port === null) throw new Error('kb/index/grams-worker.ts runs in a worker thread only');

const words: string[] = [];
const counter = new WordCounter(new WordGrams(words), 0);

port.on('message', (request: GramsRequest) => {
  switch (request.kind) {
    case 'sources': {
      for (const word of request.folded) words.push(word);
      counter.reserve(words.length);
      for (const source of sourcesIn(request.stretch, request.end)) counter.add(source);
      return;
    }
    case 'build': {
      const postings = counter.build();
      const arrays = postings.blocks.flatMap(({ offsets, passages, impacts }) => [
        offsets,
        passages,
        impacts,
      ]);
      port.postMessage(
        postings,
        arrays.map(({ buffer }) => buffer as ArrayBuffer),
      );
      return;
    }
  }
});
