import { createInbox, type Msg, type NatsConnection, type Subscription } from 'nats';
import { BelegError } from '../errors.ts';
import type { Message, RequestOptions } from './bus.ts';
import type { NatsLink } from './nats-link.ts';
import { BEATEN, fromWire, isBeat, isNoResponders } from './nats-wire.ts';
import { waitForReply, type Pending } from './handlers.ts';

export interface RequestTiming {
  /** Milliseconds between two signs of life of whoever works on a request. */
  readonly beatMs: number;
  /** Whole intervals without reply or beat after which a request is `RESPONDER_LOST`. */
  readonly beatsMissed: number;
  /** The same after a break of the connection, which may have swallowed the reply. */
  readonly beatsMissedAfterBreak: number;
  /** Milliseconds that a request waits for a connection that is away. */
  readonly reconnectMs: number;
}

interface Request {
  readonly subject: string;
  readonly pending: Pending;
  /** Intervals since anything was heard. Ticks, not time: of a stall of this process the responder is not to blame. */
  silent: number;
  sent: boolean;
}

/** The requests of one connection, over one inbox and with one timer for all. */
export class NatsRequests {
  readonly #connection: NatsConnection;
  readonly #link: NatsLink;
  readonly #timing: RequestTiming;
  readonly #inbox: string;
  readonly #requests = new Map<string, Request>();
  #last = 0;
  #replies: Subscription | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(connection: NatsConnection, link: NatsLink, timing: RequestTiming, inboxPrefix: string) {
    this.#connection = connection;
    this.#link = link;
    this.#timing = timing;
    this.#inbox = `${createInbox(inboxPrefix)}.${BEATEN}`;
  }

  /** Sends it now, or within `reconnectMs` once connected. */
  start(message: Message, options: RequestOptions): Promise<Message> {
    const token = (++this.#last).toString(36);
    const pending = waitForReply(options, () => this.#requests.delete(token));
    const request: Request = { subject: message.subject, pending, silent: 0, sent: false };
    this.#requests.set(token, request);
    const send = () => {
      if (!this.#requests.has(token)) return;
      try {
        this.#replies ??= this.#listen();
        this.#link.publish(message, `${this.#inbox}.${token}`);
        request.sent = true;
      } catch (error) {
        pending.reject(error);
      }
    };
    if (this.#link.state === 'reconnecting') this.#giveUpUnsent(request);
    this.#link.onceConnected(send);
    this.#timer ??= setInterval(() => this.#tick(), this.#timing.beatMs);
    return pending.reply;
  }

  /** The connection broke: replies on their way are lost, those still worked on will come, and beats before them. */
  onDisconnect(): void {
    const { beatsMissed, beatsMissedAfterBreak } = this.#timing;
    for (const request of this.#requests.values()) {
      request.silent = Math.max(request.silent, beatsMissed - beatsMissedAfterBreak);
    }
  }

  onRefused(operation: 'publish' | 'subscription', subject: string, error: BelegError): void {
    if (operation === 'subscription') {
      if (subject !== `${this.#inbox}.*`) return;
      // The client has ended it; another request tries anew.
      this.#replies = undefined;
      this.failAll(error);
      return;
    }
    for (const request of this.#requests.values()) {
      if (request.subject === subject) request.pending.reject(error);
    }
  }

  failAll(error: BelegError): void {
    for (const { pending } of this.#requests.values()) pending.reject(error);
  }

  close(error: BelegError): void {
    this.failAll(error);
    clearInterval(this.#timer);
    this.#replies?.unsubscribe();
  }

  #listen(): Subscription {
    return this.#connection.subscribe(`${this.#inbox}.*`, {
      callback: (error, message) => {
        if (error === null) this.receive(message);
      },
    });
  }

  /** Also for what comes by another subscription of this connection: the server picks any that fits the inbox. */
  receive(message: Msg): void {
    if (!message.subject.startsWith(`${this.#inbox}.`)) return;
    const request = this.#requests.get(message.subject.slice(this.#inbox.length + 1));
    if (request === undefined) return;
    if (isBeat(message)) request.silent = 0;
    else if (isNoResponders(message)) request.pending.reject(new BelegError('NO_RESPONDERS'));
    else request.pending.resolve(fromWire(message, request.subject));
  }

  #tick(): void {
    if (this.#requests.size === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
      return;
    }
    for (const request of this.#requests.values()) {
      if (request.sent && ++request.silent > this.#timing.beatsMissed) {
        request.pending.reject(new BelegError('RESPONDER_LOST'));
      }
    }
  }

  #giveUpUnsent({ pending }: Request): void {
    const timer = setTimeout(
      () => pending.reject(new BelegError('SERVICE_UNAVAILABLE')),
      this.#timing.reconnectMs,
    );
    const stop = () => clearTimeout(timer);
    this.#link.onceConnected(stop);
    void pending.reply.then(stop, stop);
  }
}
