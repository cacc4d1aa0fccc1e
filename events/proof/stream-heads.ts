import { GENESIS_HASH } from '../store/chain.ts';

interface StreamHead {
  /** The revision of the last event; -1 before the first event. */
  revision: number;
  hash: string;
}

/** The heads of the streams. */
export class StreamHeads extends Map<string, StreamHead> {
  of(stream: string): StreamHead {
    let head = this.get(stream);
    if (head === undefined) this.set(stream, (head = { revision: -1, hash: GENESIS_HASH }));
    return head;
  }
}
