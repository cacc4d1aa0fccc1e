import { BelegError, isBelegError } from '../errors.ts';
import type {
  BusStatus,
  Headers,
  Message,
  MessageBus,
  MessageHandler,
  ReplyMessage,
  RequestOptions,
  SubscribeOptions,
  Subscription,
} from './bus.ts';
import { snapshot } from './message.ts';
import { errorReply } from './reply.ts';
import { assertFilter, assertQueue, assertSubject, matchesFilter } from './subject.ts';

/** Told of what a handler threw. It must not throw itself. */
export type OnHandlerError = (error: unknown, subject: string) => void;

interface Interest {
  readonly filter: readonly string[];
  readonly queue: string | undefined;
  deliver(message: Message, reply: (message: Message) => void): void;
}

/**
 * The part of a NATS server that the house uses, inside the process: everything that is sent passes one queue and is
 * delivered in that order, later than the call that sent it. Connections to one broker see each other.
 *
 * @example
 * const broker = new InProcessBroker();
 * const bus = broker.connect((error, subject) => log.error({ err: error, subject }, 'handler failed'));
 */
export class InProcessBroker {
  readonly #interests = new Set<Interest>();
  readonly #turns = new Map<string, number>();
  #tasks: (() => void)[] = [];

  connect(onHandlerError: OnHandlerError): MessageBus {
    return new Connection(this, onHandlerError);
  }

  add(interest: Interest): void {
    this.#interests.add(interest);
  }

  remove(interest: Interest): void {
    this.#interests.delete(interest);
  }

  /** Runs after everything that was sent before, and after the caller's own turn of the event loop. */
  enqueue(task: () => void): void {
    if (this.#tasks.push(task) === 1) setImmediate(() => this.#run());
  }

  /** Hands the message to every plain subscriber and to one member of each queue group; returns how many got it. */
  route(message: Message, reply: (message: Message) => void): number {
    const subject = message.subject.split('.');
    const matching = [...this.#interests].filter(({ filter }) => matchesFilter(filter, subject));
    const groups = Map.groupBy(matching, ({ queue }) => queue);
    const chosen = [...groups].flatMap(([queue, members]) =>
      queue === undefined ? members : [members[this.#turn(queue) % members.length]!],
    );
    // All copies before the first delivery: handlers start at once and may change theirs.
    const copies = chosen.map((_, i) => (i === 0 ? message : { ...message, data: message.data.slice() }));
    for (const [i, interest] of chosen.entries()) interest.deliver(copies[i]!, reply);
    return chosen.length;
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

class Connection implements MessageBus {
  readonly #broker: InProcessBroker;
  readonly #onHandlerError: OnHandlerError;
  readonly #interests = new Set<Interest>();
  readonly #handling = new Set<Promise<void>>();
  readonly #requests = new Set<(error: BelegError) => void>();
  #drained: Promise<void> | undefined;
  #closed = false;

  constructor(broker: InProcessBroker, onHandlerError: OnHandlerError) {
    this.#broker = broker;
    this.#onHandlerError = onHandlerError;
  }

  publish(subject: string, data: Uint8Array, headers?: Headers): void {
    assertSubject(subject);
    this.#assertOpen();
    const message = snapshot(subject, data, headers);
    this.#broker.enqueue(() => this.#broker.route(message, () => {}));
  }

  subscribe(subject: string, handler: MessageHandler, options: SubscribeOptions = {}): Subscription {
    assertFilter(subject);
    if (options.queue !== undefined) assertQueue(options.queue);
    this.#assertOpen();
    const interest: Interest = {
      filter: subject.split('.'),
      queue: options.queue,
      deliver: (message, reply) => this.#handle(handler, message, reply),
    };
    const remove = () => {
      this.#interests.delete(interest);
      this.#broker.remove(interest);
    };
    this.#interests.add(interest);
    this.#broker.add(interest);
    return { unsubscribe: async () => remove() };
  }

  request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Message> {
    return new Promise((resolve, reject) => {
      assertSubject(subject);
      this.#assertOpen();
      options.signal?.throwIfAborted();
      const message = snapshot(subject, data, options.headers);

      const settle = (how: () => void) => {
        clearTimeout(timer);
        options.signal?.removeEventListener('abort', onAbort);
        this.#requests.delete(fail);
        how();
      };
      const fail = (error: unknown) => settle(() => reject(error));
      const onAbort = () => fail(options.signal?.reason);
      const timer = setTimeout(() => fail(new BelegError('DEADLINE_EXCEEDED')), options.timeoutMs);
      options.signal?.addEventListener('abort', onAbort);
      this.#requests.add(fail);

      this.#broker.enqueue(() => {
        const receivers = this.#broker.route(message, (reply) => settle(() => resolve(reply)));
        if (receivers === 0) fail(new BelegError('NO_RESPONDERS'));
      });
    });
  }

  drain(): Promise<void> {
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  status(): BusStatus {
    return { state: this.#closed ? 'closed' : 'connected', inFlight: this.#handling.size };
  }

  async #drain(): Promise<void> {
    // What was sent before still arrives; a handler that runs may still wait for what it has asked.
    await this.#flush();
    for (const interest of this.#interests) this.#broker.remove(interest);
    this.#interests.clear();
    await Promise.all(this.#handling);
    await this.#flush();
    this.#closed = true;
    for (const fail of this.#requests) fail(new BelegError('SERVICE_UNAVAILABLE'));
  }

  #flush(): Promise<void> {
    return new Promise((resolve) => {
      this.#broker.enqueue(resolve);
    });
  }

  #assertOpen(): void {
    if (this.#drained !== undefined) throw new BelegError('SERVICE_UNAVAILABLE');
  }

  #handle(handler: MessageHandler, message: Message, reply: (message: Message) => void): void {
    const handling = this.#answer(handler, message, reply).finally(() => this.#handling.delete(handling));
    this.#handling.add(handling);
  }

  async #answer(handler: MessageHandler, message: Message, reply: (message: Message) => void): Promise<void> {
    const answer = await this.#respond(handler, message);
    if (answer !== undefined) this.#broker.enqueue(() => reply(answer));
  }

  /** Never rejects: what a handler throws is reported here, and is `INTERNAL` to whoever asked. */
  async #respond(handler: MessageHandler, message: Message): Promise<Message | undefined> {
    try {
      const answer = await handler(message);
      return answer === undefined ? undefined : this.#reply(message, answer);
    } catch (error) {
      this.#onHandlerError(error, message.subject);
      const known = isBelegError(error, 'PAYLOAD_TOO_LARGE') ? error : new BelegError('INTERNAL');
      return this.#reply(message, errorReply(known));
    }
  }

  #reply(message: Message, { data, headers }: ReplyMessage): Message {
    return snapshot(message.subject, data, headers);
  }
}
