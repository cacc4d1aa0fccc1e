import type {
  BusStatus,
  Headers,
  Message,
  MessageBus,
  MessageHandler,
  RequestOptions,
  SubscribeOptions,
  Subscription,
} from '../../events/bus/bus.ts';
import { Handlers, waitForReply } from '../../events/bus/handlers.ts';
import {
  snapshot,
  assertFilter,
  assertQueue,
  assertSubject,
  matchesFilter,
} from '../../events/bus/message.ts';
import { BelegError } from '../../events/errors.ts';
import { kindOfRequest } from './fault-cells.ts';
import type { Process } from './simulated-process.ts';
import type { Simulation } from './simulation.ts';
import type { World } from './world.ts';

interface Interest {
  readonly connection: Connection;
  readonly filter: readonly string[];
  readonly queue: string | undefined;
  readonly handler: MessageHandler;
}

/** Milliseconds until a caller learns that its responder is gone. */
const LOST_AFTER = 1_500;

/** A NATS server: it delivers at most once, in order between each two parties, and is sometimes slow or deaf. */
export class Network {
  readonly simulation: Simulation;
  readonly world: World;
  readonly interests = new Set<Interest>();
  /** The requests that wait for a reply. */
  readonly waiting = new Set<object>();
  /** When the last message between two parties arrives; none may overtake it. */
  readonly #latest = new Map<string, number>();

  constructor(world: World) {
    this.simulation = world.simulation;
    this.world = world;
  }

  connect(process: Process, onError: (error: unknown, subject: string) => void): MessageBus {
    return new Connection(this, process, onError);
  }

  /** Delivers after a moment, behind what was sent before. */
  carry(from: string, to: Process | null, run: () => void): void {
    const { simulation } = this;
    const way = `${from} ${to?.name ?? ''}`;
    const at = Math.max(simulation.now + simulation.between(0.1, 3), this.#latest.get(way) ?? 0);
    this.#latest.set(way, at);
    simulation.after(at - simulation.now, to, run);
  }

  receivers(subject: string): Interest[] {
    const tokens = subject.split('.');
    const matching = [...this.interests].filter(
      ({ filter, connection }) => connection.reachable && matchesFilter(filter, tokens),
    );
    return [...Map.groupBy(matching, ({ queue }) => queue)].flatMap(([queue, members]) =>
      queue === undefined ? members : [this.simulation.pick(members)],
    );
  }
}

class Connection implements MessageBus {
  readonly process: Process;
  readonly #network: Network;
  readonly #handlers: Handlers;
  readonly #requests = new Set<(error: BelegError) => void>();
  #draining = false;
  #closed = false;

  constructor(network: Network, process: Process, onError: (error: unknown, subject: string) => void) {
    this.#network = network;
    this.process = process;
    this.#handlers = new Handlers(onError);
    process.onDrop.push(() => this.#leave());
  }

  get reachable(): boolean {
    return this.process.alive && !this.process.cut.has('bus');
  }

  publish(subject: string, data: Uint8Array, headers?: Headers): void {
    assertSubject(subject);
    this.#assertOpen();
    if (!this.reachable) return;
    const message = snapshot(subject, data, headers);
    this.#network.carry(this.process.name, null, () => {
      for (const interest of this.#network.receivers(subject))
        this.#deliver(interest, message, () => undefined);
    });
  }

  subscribe(
    subject: string,
    handler: MessageHandler,
    { queue, getsAll = false }: SubscribeOptions = {},
  ): Subscription {
    assertFilter(subject);
    if (queue !== undefined) assertQueue(queue);
    this.#assertOpen();
    const interest: Interest = {
      connection: this,
      filter: subject.split('.'),
      queue: getsAll ? undefined : queue,
      handler,
    };
    this.#network.interests.add(interest);
    return { unsubscribe: async () => void this.#network.interests.delete(interest) };
  }

  async request(subject: string, data: Uint8Array, options: RequestOptions): Promise<Message> {
    assertSubject(subject);
    this.#assertOpen();
    options.signal?.throwIfAborted();
    const { simulation, world } = this.#network;
    const message = snapshot(subject, data, options.headers);
    const { waiting } = this.#network;
    const end = (): void => {
      this.#requests.delete(pending.reject);
      waiting.delete(pending);
    };
    const pending = waitForReply(options, end);
    this.#requests.add(pending.reject);
    waiting.add(pending);
    this.process.onDrop.push(() => waiting.delete(pending));
    const kind = kindOfRequest(subject);
    const fail = (ms: number, code: 'SERVICE_UNAVAILABLE' | 'RESPONDER_LOST'): void =>
      void simulation.after(ms, this.process, () => pending.reject(new BelegError(code)));
    if (!this.reachable) {
      fail(simulation.between(50, 2_000), 'SERVICE_UNAVAILABLE');
      return pending.reply;
    }
    if (world.failsAt('bus', this.process, kind)) {
      fail(LOST_AFTER, 'RESPONDER_LOST');
      return pending.reply;
    }
    this.#network.carry(this.process.name, null, () => {
      const receivers = this.#network.receivers(subject);
      if (receivers.length === 0) {
        this.#network.carry('server', this.process, () => pending.reject(new BelegError('NO_RESPONDERS')));
      }
      for (const interest of receivers) {
        const responder = interest.connection.process;
        responder.onDrop.push(() => fail(LOST_AFTER, 'RESPONDER_LOST'));
        this.#deliver(interest, message, (reply) => {
          world.watch.replies(responder, message, reply);
          // A reply on its way can be lost like any message.
          if (!interest.connection.reachable || !this.reachable || world.failsAt('bus', responder, kind)) {
            fail(LOST_AFTER, 'RESPONDER_LOST');
          } else this.#network.carry(responder.name, this.process, () => pending.resolve(reply));
        });
      }
    });
    return pending.reply;
  }

  /** No service in a story uses it. */
  requestMany(): Promise<Message[]> {
    return Promise.reject(new BelegError('NO_RESPONDERS'));
  }

  async drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    this.#leave();
    await this.#handlers.idle();
    await this.#network.simulation.sleep(4);
    this.#closed = true;
    for (const fail of this.#requests) fail(new BelegError('SERVICE_UNAVAILABLE'));
  }

  status(): BusStatus {
    const state = this.#closed ? 'closed' : this.reachable ? 'connected' : 'reconnecting';
    return { state, inFlight: this.#handlers.size };
  }

  #deliver(interest: Interest, message: Message, reply: (message: Message) => void): void {
    const { connection } = interest;
    this.#network.carry(this.process.name, connection.process, () => {
      // A subscriber that has left meanwhile gets nothing.
      if (!this.#network.interests.has(interest)) return;
      const copy = { ...message, data: message.data.slice() };
      void connection.#handlers.run(interest.handler, copy).then((answer) => answer && reply(answer));
    });
  }

  #leave(): void {
    for (const interest of this.#network.interests) {
      if (interest.connection === this) this.#network.interests.delete(interest);
    }
  }

  #assertOpen(): void {
    if (this.#draining) throw new BelegError('SERVICE_UNAVAILABLE');
  }
}
