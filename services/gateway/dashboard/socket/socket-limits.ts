import type { OutboxLimits } from './outbox.ts';
import type { Rate } from './throttle.ts';

export interface ClientLimits extends OutboxLimits {
  /** The rate of messages and pings that is allowed to a client. */
  readonly rate: Rate;
}

export interface SocketLimits extends ClientLimits {
  /** The most connections with a valid key, or that need none; further ones get 503. */
  readonly maxClients: number;
  /**
   * The most clients without a valid key so far. If there are more, the oldest is closed, so that they cannot keep
   * others out.
   */
  readonly maxUnknownClients: number;
}

export const SOCKET_LIMITS: SocketLimits = {
  maxClients: 1_000,
  maxUnknownClients: 100,
  maxMessages: 1_000,
  maxBytes: 1024 * 1024,
  rate: { burst: 60, perSecond: 10 },
};

/** Milliseconds within which a peer must answer a ping; otherwise it is gone. */
export const BEAT_MS = 15_000;

/** Milliseconds within which a client must send its key, if it sent none with the upgrade. */
export const AUTH_MS = 5_000;

/** Milliseconds after which a closing handshake is cut off. */
export const CLOSE_MS = 2_000;

/** The largest message of a client; a larger one ends the connection (1009). Valid messages are far shorter. */
export const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;
