import type { OutboxLimits } from './outbox.ts';
import type { Rate } from './throttle.ts';

export interface ClientLimits extends OutboxLimits {
  /** The rate of messages and pings that is allowed to a client. */
  readonly rate: Rate;
}

export interface SocketLimits extends ClientLimits {
  /** The most connections with a valid key, or without need of one; further ones get 503. */
  readonly maxClients: number;
  /**
   * The most clients without a valid key yet. If there are more, the oldest is closed, so that they cannot keep others
   * out.
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

/** A peer that does not answer a ping within this time is gone. */
export const BEAT_MS = 15_000;

/** How long a client that sent no key with the upgrade may take to send it. */
export const AUTH_MS = 5_000;

/** A closing handshake that takes longer is cut off. */
export const CLOSE_MS = 2_000;

/** A larger message ends the connection (1009); no valid message is nearly as long. */
export const MAX_CLIENT_MESSAGE_BYTES = 4 * 1024;
