import { BelegError } from '../errors.ts';
import type { Message, MessageBus } from './bus.ts';
import { Recent } from '../bounded-map.ts';
import { Handlers, type OnHandlerError, repliesOf, waitForReply } from './handlers.ts';
import { snapshot, assertFilter, assertQueue, assertSubject, matchesFilter } from './message.ts';

/** The number of subjects for which the matching subscriptions are remembered. */
const SUBJECTS = 1_000;

interface Interest {
  readonly filter: readonly string[];
  readonly queue: string | undefined;
  deliver(message: Message, reply: (message: Message) => void): Promise<void>;
}

/**
 * The part of a NATS server that this project uses, within the process. Everything that is sent passes one queue and is
 * delivered in that order, after the call that sent it has returned. Connections to one broker see each other.
 *
 * @example
 * const broker = new InProcessBus();
 * const bus = broker.connect((error, subject) => log.error({ err: error, subject }, 'handler failed'));
 */
export class InProcessBus {
  readonly #interests = new Set<Interest>();
  /** The matching subscriptions of the subjects that were used last. */
  readonly #matching = new Recent<string, readonly Interest[]>(SUBJECTS);
  readonly #turns = new Map<string, number>();
  #tasks: (() => void)[] = [];

  connect(onHandlerError: OnHandlerError): MessageBus {
    return openConnection(this, onHandlerError);
  }

  add(interest: Interest): void {
    this.#interests.add(interest);
    this.#matching.clear();
  }

  remove(interest: Interest): void {
    this.#interests.delete(interest);
    this.#matching.clear();
  }

  /** Runs the task after everything that was sent before, and not within the caller's turn of the event loop. */
  enqueue(task: () => void): void {
    if (this.#tasks.push(task) === 1) setImmediate(() => this.#run());
  }

  /** Hands the message to every plain subscriber and to one member of each queue group; returns how many got it. */
  route(message: Message, reply: (message: Message) => void): number {
    const matching = this.#matchingOf(message.subject);
    if (matching.length === 0) return 0;
    const groups = Map.groupBy(matching, ({ queue }) => queue);
    const chosen = [...groups].flatMap(([queue, members]) =>
      queue === undefined ? members : [members[this.#turn(queue) % members.length]!],
    );
    // The message is copied before the first delivery, because handlers start at once and may change the copy that they
    // get.
    const copies = chosen.map((_, i) => (i === 0 ? message : { ...message, data: message.data.slice() }));
    for (const [i, interest] of chosen.entries()) void interest.deliver(copies[i]!, reply);
    return chosen.length;
  }

  #matchingOf(subject: string): readonly Interest[] {
    let matching = this.#matching.get(subject);
    if (matching === undefined) {
      const tokens = subject.split('.');
      matching = [...this.#interests].filter(({ filter }) => matchesFilter(filter, tokens));
      this.#matching.set(subject, matching);
    }
    return matching;
  }

  #turn(queue: string): number {
    const turn = this.#turns.get(queue) ?? 0;
    this.#turns.set(queue, turn + 1);
    return turn;
  }

  #run(): void {
    const tasks = this.#tasks;
    this.#tasks = [];
    for (const task of tasks) task();
  }
}

function openConnection(broker: InProcessBus, onHandlerError: OnHandlerError): MessageBus {
  const handlers = new Handlers(onHandlerError);
  const interests = new Set<Interest>();
  const requests = new Set<(error: BelegError) => void>();
  let drained: Promise<void> | undefined;
  let closed = false;

  const assertOpen = (): void => {
    if (drained !== undefined) throw new BelegError('SERVICE_UNAVAILABLE');
  };

  const flush = (): Promise<void> => new Promise((resolve) => broker.enqueue(resolve));

  const drain = async (): Promise<void> => {
    // Earlier messages still arrive, and a running handler may still wait for its replies.
    await flush();
    for (const interest of interests) broker.remove(interest);
    await handlers.idle();
    await flush();
    closed = true;
    for (const fail of requests) fail(new BelegError('SERVICE_UNAVAILABLE'));
  };

  return {
    publish(subject, data, headers) {
      assertSubject(subject);
      assertOpen();
      const message = snapshot(subject, data, headers);
      broker.enqueue(() => broker.route(message, () => {}));
    },
    subscribe(subject, handler, { queue, getsAll = false } = {}) {
      assertFilter(subject);
      if (queue !== undefined) assertQueue(queue);
      assertOpen();
      const interest: Interest = {
        filter: subject.split('.'),
        queue: getsAll ? undefined : queue,
        async deliver(message, reply) {
          const answer = await handlers.run(handler, message);
          if (answer !== undefined) broker.enqueue(() => reply(answer));
        },
      };
      interests.add(interest);
      broker.add(interest);
      return {
        async unsubscribe() {
          interests.delete(interest);
          broker.remove(interest);
        },
      };
    },
    async request(subject, data, options) {
      assertSubject(subject);
      assertOpen();
      options.signal?.throwIfAborted();
      const message = snapshot(subject, data, options.headers);
      const pending = waitForReply(options, () => requests.delete(pending.reject));
      requests.add(pending.reject);
      broker.enqueue(() => {
        const receivers = broker.route(message, pending.resolve);
        if (receivers === 0) pending.reject(new BelegError('NO_RESPONDERS'));
      });
      return pending.reply;
    },
    async requestMany(subject, data, options) {
      assertSubject(subject);
      assertOpen();
      options.signal?.throwIfAborted();
      const message = snapshot(subject, data, options.headers);
      const replies = repliesOf(options, () => requests.delete(replies.fail));
      requests.add(replies.fail);
      broker.enqueue(() => {
        const receivers = broker.route(message, replies.add);
        if (receivers === 0) replies.fail(new BelegError('NO_RESPONDERS'));
        else replies.expect(receivers);
      });
      return replies.all;
    },
    drain: () => (drained ??= drain()),
    status: () => ({ state: closed ? 'closed' : 'connected', inFlight: handlers.size }),
  };
}
