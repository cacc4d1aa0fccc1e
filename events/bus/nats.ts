import { Empty, type Msg, type NatsConnection, type Subscription as NatsSubscription } from 'nats';
import { isErrorCode, type ErrorCode } from '../error-codes.ts';
import { BelegError } from '../errors.ts';
import { inTime } from '../timeout-and-abort.ts';
import type { MessageBus, MessageHandler, Subscription } from './bus.ts';
import { Handlers, type OnHandlerError } from './handlers.ts';
import { snapshot, assertFilter, assertQueue, assertSubject } from './message.ts';
import { createNatsLink } from './nats-link.ts';
import { openNatsRequests, type RequestTiming } from './nats-requests.ts';
import { openServiceGroup, type ServiceGroup } from './nats-services.ts';
import { BEAT, fromWire, takesBeats } from './nats-wire.ts';

export interface NatsBusOptions {
  /** Also called for subscriptions that the server refuses or ends. */
  onHandlerError: OnHandlerError;
  /** The semantic version that services announce to NATS. */
  version: string;
  /** The first tokens of the subjects on which replies arrive. The server must allow this user to subscribe to them. */
  inboxPrefix?: string;
  /** Shorter times, for tests. */
  timing?: Partial<RequestTiming>;
}

/**
 * With these times a killed responder is noticed within 6 s, and a reply that was lost in a break of the connection
 * within 3 s.
 */
const TIMING: RequestTiming = { beatMs: 1_000, beatsMissed: 5, beatsMissedAfterBreak: 2, reconnectMs: 2_000 };

/**
 * Milliseconds after which a silent responder counts as lost. A caller that wants to ask again must wait longer than
 * this.
 */
export const NOTICED_AFTER_MS = (TIMING.beatsMissed + 1) * TIMING.beatMs;

/** Milliseconds that a drain waits for the server, which may be away. */
const DRAIN_MS = 5_000;

/**
 * The bus on a NATS connection that others use too: `drain` ends only the bus's part of it, and leaves the connection
 * open.
 *
 * While the connection is away, messages wait for it, 8 MiB at most, and a request waits 2 seconds. Messages on their
 * way at the break may be lost: requests among them are `RESPONDER_LOST` unless a beat arrives afterwards.
 *
 * @example
 * const bus = openNatsBus(await connectNats({ servers: ['nats://127.0.0.1'] }, { name: 'knowledge' }), {
 *   onHandlerError: (error, subject) => log.error({ err: error, subject }, 'handler failed'),
 *   version: '1.0.0',
 * });
 */
export function openNatsBus(connection: NatsConnection, options: NatsBusOptions): MessageBus {
  const { onHandlerError, version, inboxPrefix = '_INBOX' } = options;
  const timing = { ...TIMING, ...options.timing };
  const handlers = new Handlers(onHandlerError);
  const link = createNatsLink(connection, {
    onDisconnect: () => requests.onDisconnect(),
    onRefused: (operation, subject, error) => requests.onRefused(operation, subject, error),
  });
  const requests = openNatsRequests(connection, link, timing, inboxPrefix);
  const groups = new Map<string, ServiceGroup>();
  const plain = new Set<NatsSubscription>();
  /** The inboxes of callers whose handler is running. */
  const waited = new Set<{ readonly inbox: string; young: boolean }>();
  let drained: Promise<void> | undefined;
  let closed = false;

  /**
   * Tells the caller each second, while a handler runs, that its request is being worked on. A handler that takes less
   * than an interval sends no beat.
   */
  const tick = (): void => {
    requests.tick();
    for (const each of waited) {
      // A beat that waits for the connection is worthless, because it says that the responder is alive now.
      if (!each.young && link.state() === 'connected')
        connection.publish(each.inbox, Empty, { headers: BEAT });
      each.young = false;
    }
  };
  const ticking = setInterval(tick, timing.beatMs).unref();

  /** Resolves, when the handler has ended and its reply is sent, with the code of the error reply if there was one. */
  const deliver = async (handler: MessageHandler, received: Msg): Promise<ErrorCode | undefined> => {
    const inbox = received.reply ?? '';
    const waiting = { inbox, young: true };
    if (takesBeats(inbox)) waited.add(waiting);
    const answer = await handlers.run(handler, fromWire(received));
    try {
      if (answer !== undefined && inbox !== '') link.publish({ ...answer, subject: inbox });
    } catch (error) {
      onHandlerError(error, received.subject);
    }
    waited.delete(waiting);
    const code = answer?.headers['error'];
    return code !== undefined && isErrorCode(code) ? code : undefined;
  };

  const subscribe = (filter: string, handler: MessageHandler): Subscription => {
    // A filter that begins with a wildcard must match only published messages, not replies to others or messages
    // between servers.
    const wide = /^[*>]/.test(filter);
    const subscription = connection.subscribe(filter, {
      callback: (error, message) => {
        if (error !== null) {
          plain.delete(subscription);
          onHandlerError(error, filter);
        } else if (wide && /^(\$|_INBOX)/.test(message.subject)) {
          requests.receive(message);
        } else {
          void deliver(handler, message);
        }
      },
    });
    plain.add(subscription);
    return {
      unsubscribe: async () => {
        if (plain.delete(subscription)) await end(subscription);
      },
    };
  };

  const groupOf = (queue: string): ServiceGroup => {
    let group = groups.get(queue);
    if (group === undefined) {
      group = openServiceGroup(connection, queue, version, onHandlerError);
      groups.set(queue, group);
    }
    return group;
  };

  const drain = async (): Promise<void> => {
    await within(timing.reconnectMs, new Promise<void>(link.onceConnected));
    const ends = [...groups.values()].map((group) => group.stop());
    await within(DRAIN_MS, Promise.all([...ends, ...[...plain].map(end)]));
    // The client's own drain ends when handlers have been called. Only here is it known whether they have finished.
    await handlers.idle();
    if (link.state() === 'connected') await within(DRAIN_MS, connection.flush());
    closed = true;
    clearInterval(ticking);
    requests.close(new BelegError('SERVICE_UNAVAILABLE'));
  };

  const assertOpen = (): void => {
    if (drained !== undefined || link.state() === 'closed') throw new BelegError('SERVICE_UNAVAILABLE');
  };

  return {
    publish(subject, data, headers) {
      assertSubject(subject);
      assertOpen();
      link.publish(snapshot(subject, data, headers));
    },
    subscribe(subject, handler, { queue, getsAll } = {}) {
      assertFilter(subject);
      if (queue !== undefined) assertQueue(queue);
      assertOpen();
      return queue === undefined
        ? subscribe(subject, handler)
        : { unsubscribe: groupOf(queue).add(subject, (message) => deliver(handler, message), getsAll) };
    },
    async request(subject, data, options) {
      assertSubject(subject);
      assertOpen();
      options.signal?.throwIfAborted();
      return requests.start(snapshot(subject, data, options.headers), options);
    },
    async requestMany(subject, data, options) {
      assertSubject(subject);
      assertOpen();
      return requests.startMany(snapshot(subject, data, options.headers), options);
    },
    drain: () => (drained ??= drain()),
    status: () => ({ state: closed ? 'closed' : link.state(), inFlight: handlers.size }),
  };
}

/** Ends a subscription; messages that the server sent before are delivered first. */
async function end(subscription: NatsSubscription): Promise<void> {
  if (!subscription.isClosed()) await subscription.drain().catch(() => undefined);
}

/** Resolves when the work has succeeded or failed, or when the time is over. */
async function within(ms: number, work: Promise<unknown>): Promise<void> {
  await inTime(work, ms, () => new BelegError('SERVICE_UNAVAILABLE')).catch(() => undefined);
}
