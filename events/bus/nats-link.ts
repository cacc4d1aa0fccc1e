import { ErrorCode, Events, type NatsConnection, type Status } from 'nats';
import { BelegError } from '../errors.ts';
import { given } from '../given.ts';
import type { BusStatus, Message } from './bus.ts';
import { payloadBytes } from './message.ts';
import { toBelegError, toWire } from './nats-wire.ts';

/** The most bytes of messages that wait here while the connection is away. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

interface LinkHooks {
  /** Called when the connection broke, even if it never comes back. */
  onDisconnect(): void;
  /** Called when the server refused a message to the subject, or a subscription to it. */
  onRefused(operation: 'publish' | 'subscription', subject: string, error: BelegError): void;
}

export type NatsLink = ReturnType<typeof createNatsLink>;

/**
 * Sends on a connection that may break and return. The client empties its own buffer at each attempt to reconnect, so
 * messages are held here meanwhile and are sent in order once the connection is back. Messages that were on their way
 * at the break are lost.
 */
export function createNatsLink(connection: NatsConnection, hooks: LinkHooks) {
  let state: BusStatus['state'] = connection.isClosed() ? 'closed' : 'connected';
  let held: (() => void)[] = [];
  let heldBytes = 0;

  const onceConnected = (action: () => void, bytes = 0): void => {
    if (state !== 'reconnecting') return action();
    if (heldBytes + bytes > MAX_HELD_BYTES) {
      throw new BelegError('SERVICE_UNAVAILABLE', {
        cause: new Error('too much data is waiting for the connection'),
      });
    }
    held.push(action);
    heldBytes += bytes;
  };

  const release = (): void => {
    const actions = held;
    held = [];
    heldBytes = 0;
    for (const action of actions) {
      try {
        action();
      } catch {
        // The link is closed, or the new server accepts less. Delivery is at most once, and nobody waits for this
        // message any more.
      }
    }
  };

  const refused = ({ data, permissionContext }: Status): void => {
    if (data !== ErrorCode.PermissionsViolation || permissionContext === undefined) return;
    const { operation, subject } = permissionContext;
    if (operation !== 'publish' && operation !== 'subscription') return;
    const cause = new Error(`NATS: no permission for this ${operation}: ${subject}`);
    hooks.onRefused(operation, subject, new BelegError('SERVICE_UNAVAILABLE', { cause }));
  };

  const closed = (): void => {
    const before = state;
    state = 'closed';
    if (before === 'connected') hooks.onDisconnect();
    release();
  };

  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === Events.Disconnect && state === 'connected') {
        state = 'reconnecting';
        hooks.onDisconnect();
      } else if (status.type === Events.Reconnect && state === 'reconnecting') {
        state = 'connected';
        release();
      } else if (status.type === Events.Error) {
        refused(status);
      }
    }
  })();
  void connection.closed().then(closed);

  return {
    state: (): BusStatus['state'] => state,
    /** Runs the action at once, or as soon as the link is connected or closed. */
    onceConnected: (action: () => void): void => onceConnected(action),
    /**
     * Sends a message now, or once the connection is back. Throws `SERVICE_UNAVAILABLE` (the link is closed, or too
     * much is waiting already) or `PAYLOAD_TOO_LARGE` (for this server). A message that still cannot be sent after a
     * reconnection is dropped.
     */
    publish({ subject, data, headers }: Message, reply?: string): void {
      const send = (): void => {
        try {
          connection.publish(subject, data, given({ headers: toWire(headers), reply }));
        } catch (error) {
          throw toBelegError(error);
        }
      };
      onceConnected(send, payloadBytes(data, headers));
    },
  };
}
