import { setTimeout as delay } from 'node:timers/promises';
import { Empty, type Msg, type NatsConnection, type Subscription as NatsSubscription } from 'nats';
import { BelegError, isErrorCode, type ErrorCode } from '../errors.ts';
import type {
  BusStatus,
  Headers,
  Message,
  MessageBus,
  MessageHandler,
  RequestOptions,
  SubscribeOptions,
  Subscription,
} from './bus.ts';
import { Handlers, type OnHandlerError } from './handlers.ts';
import { snapshot, assertFilter, assertQueue, assertSubject } from './message.ts';
import { NatsLink } from './nats-link.ts';
import { NatsRequests, type RequestTiming } from './nats-requests.ts';
import { ServiceGroup } from './nats-services.ts';
import { BEAT, fromWire, takesBeats } from './nats-wire.ts';

export interface NatsBusOptions {
  /** Also told of subscriptions that the server refuses or ends. */
  onHandlerError: OnHandlerError;
  /** Of the services that queue groups are announced as: a semantic version. */
  version: string;
  /** First tokens of the subjects on which replies arrive: what the server lets this user subscribe to. */
  inboxPrefix?: string;
  /** For tests, which have less time. */
  timing?: Partial<RequestTiming>;
}

/** A killed responder is noticed within 6 s, a reply swallowed by a break of the connection within 3 s. */
const TIMING: RequestTiming = { beatMs: 1_000, beatsMissed: 5, beatsMissedAfterBreak: 2, reconnectMs: 2_000 };

/** How long a drain waits for the server, which may not be there. */
const DRAIN_MS = 5_000;

/**
 * The bus on a NATS connection that others use too: `drain` ends what the bus has on it, and leaves it open.
 *
 * While the connection is away, what is published waits for it, 8 MiB at most, and a request waits 2 seconds. What was on
 * its way when it broke may be lost: requests among it are `RESPONDER_LOST` unless a sign of life comes afterwards.
 *
 * @example
 * const bus = createNatsBus(await connectNats({ servers: ['nats://127.0.0.1'] }, { name: 'knowledge' }), {
 *   onHandlerError: (error, subject) => log.error({ err: error, subject }, 'handler failed'),
 *   version: '1.0.0',
 * });
 */
export function createNatsBus(connection: NatsConnection, options: NatsBusOptions): MessageBus {
  return new NatsBus(connection, options);
}

class NatsBus implements MessageBus {
  readonly #connection: NatsConnection;
  readonly #options: NatsBusOptions;
  readonly #timing: RequestTiming;
  readonly #handlers: Handlers;
  readonly #link: NatsLink;
  readonly #beats: Beats;
  readonly #requests: NatsRequests;
  readonly #groups = new Map<string, ServiceGroup>();
  readonly #plain = new Set<NatsSubscription>();
  #drained: Promise<void> | undefined;
  #closed = false;

  constructor(connection: NatsConnection, options: NatsBusOptions) {
    this.#connection = connection;
    this.#options = options;
    this.#timing = { ...TIMING, ...options.timing };
    this.#handlers = new Handlers(options.onHandlerError);
    this.#link = new NatsLink(connection, {
      onDisconnect: () => {
        if (connection.isClosed()) this.#requests.failAll(new BelegError('SERVICE_UNAVAILABLE'));
        else this.#requests.onDisconnect();
      },
      onRefused: (operation, subject, error) => this.#requests.onRefused(operation, subject, error),
    });
    this.#beats = new Beats(this.#timing.beatMs, (inbox) => this.#beat(inbox));
    this.#requests = new NatsRequests(connection, this.#link, this.#timing, options.inboxPrefix ?? '_INBOX');
  }

  publish(subject: string, data: Uint8Array, headers?: Headers): void {
    assertSubject(subject);
    this.#assertOpen();
    this.#link.publish(snapshot(subject, data, headers));
  }

  subscribe(subject: string, handler: MessageHandler, options: SubscribeOptions = {}): Subscription {
    assertFilter(subject);
    if (options.queue !== undefined) assertQueue(options.queue);
    this.#assertOpen();
    return options.queue === undefined
      ? this.#subscribe(subject, handler)
      : {
          unsubscribe: this.#group(options.queue).add(subject, (message) => this.#deliver(handler, message)),
        };
  }

  async request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Message> {
    assertSubject(subject);
    this.#assertOpen();
    options.signal?.throwIfAborted();
    return this.#requests.start(snapshot(subject, data, options.headers), options);
  }

  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  status(): BusStatus {
    return { state: this.#closed ? 'closed' : this.#link.state, inFlight: this.#handlers.size };
  }

  async #drain(): Promise<void> {
    await this.#link.connectedWithin(this.#timing.reconnectMs);
    await within(
      Promise.all([
        ...[...this.#groups.values()].map((group) => group.stop()),
        ...[...this.#plain].map((subscription) => end(subscription)),
      ]),
    );
    // The client's own drain is over as soon as handlers have been called: they are ours to wait for.
    await this.#handlers.idle();
    if (this.#link.state === 'connected') await within(this.#connection.flush());
    this.#closed = true;
    this.#requests.close(new BelegError('SERVICE_UNAVAILABLE'));
  }

  #assertOpen(): void {
    if (this.#drained !== undefined || this.#link.state === 'closed') {
      throw new BelegError('SERVICE_UNAVAILABLE');
    }
  }

  #subscribe(filter: string, handler: MessageHandler): Subscription {
    // Everything is what was published: not the replies of others, nor what servers tell each other.
    const wide = /^[*>]/.test(filter);
    const subscription = this.#connection.subscribe(filter, {
      callback: (error, message) => {
        if (error !== null) {
          this.#plain.delete(subscription);
          this.#options.onHandlerError(error, filter);
        } else if (wide && /^(\$|_INBOX)/.test(message.subject)) {
          this.#requests.receive(message);
        } else {
          void this.#deliver(handler, message);
        }
      },
    });
    this.#plain.add(subscription);
    return {
      unsubscribe: async () => {
        if (this.#plain.delete(subscription)) await end(subscription);
      },
    };
  }

  #group(queue: string): ServiceGroup {
    let group = this.#groups.get(queue);
    if (group === undefined) {
      group = new ServiceGroup(this.#connection, queue, this.#options.version, this.#options.onHandlerError);
      this.#groups.set(queue, group);
    }
    return group;
  }

  /** Resolves, when the handler has ended and its reply is out, with the code of the reply where it is an error. */
  async #deliver(handler: MessageHandler, received: Msg): Promise<ErrorCode | undefined> {
    const inbox = received.reply === '' ? undefined : received.reply;
    const stopBeats = inbox !== undefined && takesBeats(inbox) ? this.#beats.start(inbox) : undefined;
    let code: string | undefined;
    await this.#handlers.run(handler, fromWire(received), (answer) => {
      code = answer.headers['error'];
      if (inbox !== undefined) this.#link.publish({ ...answer, subject: inbox });
    });
    stopBeats?.();
    return code !== undefined && isErrorCode(code) ? code : undefined;
  }

  #beat(inbox: string): void {
    // Held back it would be worth nothing: a sign of life is of now.
    if (this.#link.state === 'connected') this.#connection.publish(inbox, Empty, { headers: BEAT });
  }
}

/** Ends a subscription; what the server sent before is delivered first. */
async function end(subscription: NatsSubscription): Promise<void> {
  if (!subscription.isClosed()) await subscription.drain().catch(() => undefined);
}

/** Resolves with the work, whether it succeeds or not, or when a server that is away has had its time. */
async function within(work: Promise<unknown>): Promise<void> {
  const timer = new AbortController();
  const late = delay(DRAIN_MS, undefined, { signal: timer.signal });
  await Promise.race([work.catch(() => undefined), late.catch(() => undefined)]);
  timer.abort();
}

/**
 * While a handler of a request runs, whoever waits is told so each second: that somebody is alive and at it. One timer
 * serves all; a handler that is quicker than an interval costs nothing on the wire.
 */
class Beats {
  readonly #intervalMs: number;
  readonly #send: (inbox: string) => void;
  readonly #running = new Map<symbol, { inbox: string; young: boolean }>();
  #timer: NodeJS.Timeout | undefined;

  constructor(intervalMs: number, send: (inbox: string) => void) {
    this.#intervalMs = intervalMs;
    this.#send = send;
  }

  /** Returns what stops it. */
  start(inbox: string): () => void {
    const key = Symbol();
    this.#running.set(key, { inbox, young: true });
    this.#timer ??= setInterval(() => this.#tick(), this.#intervalMs);
    return () => this.#running.delete(key);
  }

  #tick(): void {
    if (this.#running.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const entry of this.#running.values()) {
      if (entry.young) entry.young = false;
      else this.#send(entry.inbox);
    }
  }
}
