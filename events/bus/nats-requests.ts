import { createInbox, type Msg, type NatsConnection, type Subscription } from 'nats';
import { BelegError } from '../errors.ts';
import type { Message, RequestOptions } from './bus.ts';
import type { NatsLink } from './nats-link.ts';
import { BEATEN, fromWire, isBeat, isNoResponders } from './nats-wire.ts';
import { repliesOf, waitForReply, type Pending } from './handlers.ts';

export interface RequestTiming {
  /** Milliseconds between two messages by which a working responder shows that it is alive (beats). */
  readonly beatMs: number;
  /** The number of intervals without reply or beat after which a request is `RESPONDER_LOST`. */
  readonly beatsMissed: number;
  /**
   * The number of intervals without reply or beat after which a request is lost, if the connection broke meanwhile: the
   * reply may have been lost in the break.
   */
  readonly beatsMissedAfterBreak: number;
  /** Milliseconds that a request waits for a connection that is away. */
  readonly reconnectMs: number;
}

interface Request {
  readonly subject: string;
  readonly pending: Pending;
  /**
   * The number of intervals without reply or beat. Intervals are counted in ticks of this process, because its own
   * stall is not the responder's fault.
   */
  silent: number;
  sent: boolean;
}

/** The requests of one connection. Replies arrive on one inbox. */
export function openNatsRequests(
  connection: NatsConnection,
  link: NatsLink,
  timing: RequestTiming,
  inboxPrefix: string,
) {
  const inbox = `${createInbox(inboxPrefix)}.${BEATEN}`;
  const requests = new Map<string, Request>();
  /** Requests that every listening process answers. */
  const toMany = new Map<string, ReturnType<typeof repliesOf>>();
  let last = 0;
  let listening: Subscription | undefined;

  const failAll = (error: BelegError): void => {
    for (const { pending } of requests.values()) pending.reject(error);
    for (const { fail } of toMany.values()) fail(error);
  };

  /**
   * Takes the replies to requests, also those that arrive through another subscription of this connection: the server
   * delivers a reply through any one subscription that matches the inbox.
   */
  const receive = (message: Msg): void => {
    if (!message.subject.startsWith(`${inbox}.`)) return;
    const token = message.subject.slice(inbox.length + 1);
    const many = toMany.get(token);
    if (many !== undefined && isNoResponders(message)) many.fail(new BelegError('NO_RESPONDERS'));
    const request = requests.get(token);
    if (request === undefined) return;
    if (isBeat(message)) request.silent = 0;
    else if (isNoResponders(message)) request.pending.reject(new BelegError('NO_RESPONDERS'));
    else request.pending.resolve(fromWire(message, request.subject));
  };

  /** Takes replies only from the inbox's own subscription, so that each reply is counted once. */
  const receiveOneOfMany = (message: Msg): void => {
    const many = toMany.get(message.subject.slice(inbox.length + 1));
    if (many !== undefined && !isBeat(message)) many.add(fromWire(message));
  };

  const listen = (): Subscription =>
    connection.subscribe(`${inbox}.*`, {
      callback: (error, message) => {
        if (error !== null) return;
        receive(message);
        receiveOneOfMany(message);
      },
    });

  return {
    receive,
    /** Sends the request at once or, while the connection is away, as soon as it is back within `reconnectMs`. */
    start(message: Message, options: RequestOptions): Promise<Message> {
      const token = (++last).toString(36);
      const pending = waitForReply(options, () => requests.delete(token));
      const request: Request = { subject: message.subject, pending, silent: 0, sent: false };
      requests.set(token, request);
      const giveUpUnsent = (): void => {
        if (!request.sent) pending.reject(new BelegError('SERVICE_UNAVAILABLE'));
      };
      if (link.state() === 'reconnecting') setTimeout(giveUpUnsent, timing.reconnectMs).unref();
      link.onceConnected(() => {
        if (!requests.has(token)) return;
        try {
          listening ??= listen();
          link.publish(message, `${inbox}.${token}`);
          request.sent = true;
        } catch (error) {
          pending.reject(error);
        }
      });
      return pending.reply;
    },
    /** Sends the request now, or rejects: without a connection there is nobody to reply. */
    async startMany(message: Message, options: RequestOptions): Promise<Message[]> {
      options.signal?.throwIfAborted();
      if (link.state() !== 'connected') throw new BelegError('SERVICE_UNAVAILABLE');
      const token = (++last).toString(36);
      const replies = repliesOf(options, () => toMany.delete(token));
      toMany.set(token, replies);
      try {
        listening ??= listen();
        link.publish(message, `${inbox}.${token}`);
      } catch (error) {
        replies.fail(error);
      }
      return replies.all;
    },
    /**
     * To be called when the connection broke: replies on their way are lost. Requests that are still being worked on
     * get their replies later, and beats before them.
     */
    onDisconnect(): void {
      if (connection.isClosed()) failAll(new BelegError('SERVICE_UNAVAILABLE'));
      const { beatsMissed, beatsMissedAfterBreak } = timing;
      for (const request of requests.values()) {
        request.silent = Math.max(request.silent, beatsMissed - beatsMissedAfterBreak);
      }
    },
    onRefused(operation: 'publish' | 'subscription', subject: string, error: BelegError): void {
      if (operation === 'publish') {
        for (const request of requests.values())
          if (request.subject === subject) request.pending.reject(error);
      } else if (subject === `${inbox}.*`) {
        // The client has ended the subscription; the next request makes a new one.
        listening = undefined;
        failAll(error);
      }
    },
    /** Called after each interval. */
    tick(): void {
      for (const request of requests.values()) {
        if (request.sent && ++request.silent > timing.beatsMissed) {
          request.pending.reject(new BelegError('RESPONDER_LOST'));
        }
      }
    },
    close(error: BelegError): void {
      failAll(error);
      listening?.unsubscribe();
    },
  };
}
