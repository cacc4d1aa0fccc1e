/** What is counted, since the start. */
export interface SocketCounts {
  accepted: number;
  /** Turned away: at the upgrade, or for want of a key after it. */
  refused: number;
  /** Messages handed to connections. */
  sent: number;
  /** States that a newer one took the place of before they were sent. */
  coalesced: number;
  /** Lines left out for clients that were behind. */
  left_out: number;
  /** Disconnected because too much waited for them. */
  too_slow: number;
  /** Disconnected because they did not answer a ping. */
  dead: number;
  /** Times that missed events of orders were made up for. */
  resyncs: number;
}

/** What the WebSocket tells of itself. */
export interface SocketFigures extends Readonly<SocketCounts> {
  /** Open now. */
  readonly connections: number;
}

export const noCounts = (): SocketCounts => ({
  accepted: 0,
  refused: 0,
  sent: 0,
  coalesced: 0,
  left_out: 0,
  too_slow: 0,
  dead: 0,
  resyncs: 0,
});
