import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

import type { GramsRequest } from './grams-worker.ts';
import type { PostingsData } from './postings.ts';
import { roomOf, write } from './source-rows.ts';
import type { SourceWords } from './source-words.ts';
import type { WordTable } from './word-table.ts';

/** The number of word numbers that are sent at once: about ten milliseconds of counting. */
const STRETCH = 1 << 16;

/**
 * Counts the 4-grams of words in a thread of its own, while the calling thread reads the next words. The 4-grams are
 * half of the work of a build and depend on the words alone. Therefore only each distinct word and the numbers of words
 * are sent, and no texts.
 */
export class GramsInThread implements AsyncDisposable {
  readonly #worker = new Worker(new URL('grams-worker.ts', import.meta.url));
  readonly #table: WordTable;
  readonly #ended: Promise<never>;
  #stretch = new Uint32Array(STRETCH);
  #end = 0;
  /** The number of words of the table that were sent so far. */
  #sent = 0;

  /** @param table numbers the words */
  constructor(table: WordTable) {
    this.#table = table;
    this.#ended = once(this.#worker, 'exit').then(([code]) => {
      throw new Error(`the thread that counts 4-grams stopped with code ${String(code)}`);
    });
    // An error is reported to the caller that waits for the postings.
    this.#ended.catch(() => undefined);
  }

  add(source: SourceWords): void {
    const room = roomOf(source);
    if (this.#end + room > this.#stretch.length) this.#send();
    if (room > this.#stretch.length) this.#stretch = new Uint32Array(room);
    this.#end = write(source, this.#stretch, this.#end);
  }

  /** The postings of all sources that were added. */
  async build(): Promise<PostingsData> {
    this.#send();
    const built = once(this.#worker, 'message') as Promise<[PostingsData]>;
    this.#post({ kind: 'build' });
    const [postings] = await Promise.race([built, this.#ended]);
    return { ...postings, terms: withoutHoles(postings.terms), blocks: withoutHoles(postings.blocks) };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#worker.terminate();
  }

  /** The message copies the numbers at once, so the stretch can be filled again. */
  #send(): void {
    const folded = this.#table.folded.slice(this.#sent);
    this.#sent += folded.length;
    this.#post({ kind: 'sources', stretch: this.#stretch, end: this.#end, folded });
    this.#end = 0;
  }

  #post(request: GramsRequest): void {
    this.#worker.postMessage(request);
  }
}

/**
 * Copies an array. V8 treats an array from another thread as one that may have holes, and writes it to a snapshot as
 * other bytes than an equal array of this thread.
 */
const withoutHoles = <T>(all: readonly T[]): T[] => Array.from(all, (each) => each);
