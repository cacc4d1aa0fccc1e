/** What a client hands in. */
export interface ProposedEvent {
  id: string;
  type: string;
  contentType: string;
  data: Uint8Array;
  metadata: Uint8Array;
}

export interface StoredEvent extends ProposedEvent {
  stream: string;
  revision: bigint;
  /** Milliseconds. */
  created: number;
  /** Commit and prepare position, which are the same for events that were not written by a transaction. */
  position: bigint;
  /** Its place in `$all`, counted without gaps. */
  ordinal: number;
}
