import { ErrorCode, Events, type NatsConnection, type Status } from 'nats';
import { BelegError } from '../errors.ts';
import type { BusStatus, Message } from './bus.ts';
import { payloadBytes } from './message.ts';
import { toBelegError, toWire } from './nats-wire.ts';

/** What is sent while the connection is away waits here, up to this much. */
const MAX_HELD_BYTES = 8 * 1024 * 1024;

interface LinkHooks {
  /** The connection broke; also where it never comes back. */
  onDisconnect(): void;
  /** The server refused what was published to the subject, or a subscription to it. */
  onRefused(operation: 'publish' | 'subscription', subject: string, error: BelegError): void;
}

/**
 * Sends on a connection that comes and goes. The client's own buffer is emptied at each try to connect again, so what is
 * sent meanwhile is held here and leaves, in order, once it is back. What was on its way when it broke is lost.
 */
export class NatsLink {
  readonly #connection: NatsConnection;
  readonly #hooks: LinkHooks;
  #state: BusStatus['state'];
  #held: (() => void)[] = [];
  #heldBytes = 0;
  #back: (() => void)[] = [];

  constructor(connection: NatsConnection, hooks: LinkHooks) {
    this.#connection = connection;
    this.#hooks = hooks;
    this.#state = connection.isClosed() ? 'closed' : 'connected';
    void this.#watch();
    void connection.closed().then(() => this.#close());
  }

  get state(): BusStatus['state'] {
    return this.#state;
  }

  /**
   * Sends now, or once connected. Throws `SERVICE_UNAVAILABLE` (closed, or too much waits already) or
   * `PAYLOAD_TOO_LARGE` (for this server); what can no longer be sent later is dropped.
   */
  publish({ subject, data, headers }: Message, reply?: string): void {
    const send = () => {
      try {
        const wire = toWire(headers);
        this.#connection.publish(subject, data, {
          ...(wire === undefined ? {} : { headers: wire }),
          ...(reply === undefined ? {} : { reply }),
        });
      } catch (error) {
        throw toBelegError(error);
      }
    };
    if (this.#state === 'reconnecting') this.#hold(send, payloadBytes(data, headers));
    else send();
  }

  /** Runs at once, or as soon as it is connected. */
  onceConnected(action: () => void): void {
    if (this.#state === 'reconnecting') this.#hold(action, 0);
    else action();
  }

  /** Resolves when connected or closed, after `ms` in any case. */
  connectedWithin(ms: number): Promise<void> {
    if (this.#state !== 'reconnecting') return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms);
      this.#back.push(() => {
        clearTimeout(timer);
        resolve();
      });
    });
  }

  #hold(action: () => void, bytes: number): void {
    if (this.#heldBytes + bytes > MAX_HELD_BYTES) {
      throw new BelegError('SERVICE_UNAVAILABLE', {
        cause: new Error('too much data is waiting for the connection'),
      });
    }
    this.#held.push(action);
    this.#heldBytes += bytes;
  }

  async #watch(): Promise<void> {
    for await (const status of this.#connection.status()) {
      if (status.type === Events.Disconnect && this.#state === 'connected') {
        this.#state = 'reconnecting';
        this.#hooks.onDisconnect();
      } else if (status.type === Events.Reconnect && this.#state === 'reconnecting') {
        this.#state = 'connected';
        this.#release();
      } else if (status.type === Events.Error) {
        this.#refused(status);
      }
    }
  }

  #refused({ data, permissionContext }: Status): void {
    if (data !== ErrorCode.PermissionsViolation || permissionContext === undefined) return;
    const { operation, subject } = permissionContext;
    if (operation !== 'publish' && operation !== 'subscription') return;
    const cause = new Error(`NATS: no permission for this ${operation}: ${subject}`);
    this.#hooks.onRefused(operation, subject, new BelegError('SERVICE_UNAVAILABLE', { cause }));
  }

  #close(): void {
    const before = this.#state;
    this.#state = 'closed';
    if (before === 'connected') this.#hooks.onDisconnect();
    this.#release();
  }

  #release(): void {
    const held = this.#held;
    this.#held = [];
    this.#heldBytes = 0;
    for (const action of held) {
      try {
        action();
      } catch {
        // Closed, or the new server takes less: at most once, and nobody waits for it any more.
      }
    }
    for (const resolve of this.#back.splice(0)) resolve();
  }
}
