import { GENESIS_HASH } from '../store/chain.ts';
import type { Head } from './tree-head.ts';

interface StreamHead {
  /** -1 before the first event. */
  revision: number;
  hash: string;
  /** What a checkpoint of this size has seen of the stream, until it comes. */
  expected: { readonly revision: number; readonly hash: string; readonly size: number } | undefined;
}

/** Where each stream stands, and where a checkpoint says that it stood: some hundred bytes a stream. */
export class StreamHeads extends Map<string, StreamHead> {
  of(stream: string): StreamHead {
    let head = this.get(stream);
    if (head === undefined)
      this.set(stream, (head = { revision: -1, hash: GENESIS_HASH, expected: undefined }));
    return head;
  }

  /** The newest checkpoint's word counts. */
  expect({ stream, revision, hash }: Head, size: number): void {
    const head = this.of(stream);
    if (size >= (head.expected?.size ?? 0)) head.expected = { revision, hash, size };
  }

  /** Streams of which an event was noted. */
  get seen(): number {
    let seen = 0;
    for (const { revision } of this.values()) if (revision >= 0) seen += 1;
    return seen;
  }
}
