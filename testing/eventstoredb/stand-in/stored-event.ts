/** An event as a client sends it. */
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
  /** Commit and prepare position, which are equal for events without a transaction. */
  position: bigint;
  /** The index in `$all`, without gaps. */
  ordinal: number;
}
