import { GENESIS_HASH } from '../store/chain.ts';

interface StreamHead {
  /** The revision of the last event; -1 before the first event. */
  revision: number;
  hash: string;
}

/** The head of each stream that was read so far, by the stream's name. */
export class StreamHeads extends Map<string, StreamHead> {
  of(stream: string): StreamHead {
    let head = this.get(stream);
    if (head === undefined) this.set(stream, (head = { revision: -1, hash: GENESIS_HASH }));
    return head;
  }
}
