import { createActor, fromPromise } from 'xstate';
import type { Broker } from '../../actors/trading/broker.ts';
import { isOpen } from '../../actors/trading/order-lifecycle.ts';
import {
  beginningOf,
  orderMachine,
  type OrderActor,
  type OrderBeginning,
  type OrderNotice,
} from '../../actors/trading/order-machine.ts';
import { brokerOrder, type OrderState } from '../../actors/trading/state.ts';
import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { AccountWriter } from './account/account.ts';

interface DeliveryOptions {
  /** Each of its answers comes in time or not at all. */
  readonly broker: Pick<Broker, 'submit' | 'find' | 'cancel'>;
  readonly writer: Pick<AccountWriter, 'state' | 'submit' | 'follow'>;
  /** Told of what could not be recorded; the next holder finds it out. */
  readonly onFault: (error: unknown) => void;
}

/** What the broker is asked at a time. */
const MAX_IN_FLIGHT = 128;

interface Waiting {
  /** Orders that are waited for. */
  readonly orders: Set<string>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Brings orders and cancellations that are on record to the broker, each by the machine of its order. While it is held,
 * what comes waits here: so that a session begins with all orders there that were recorded before it, and none of after.
 */
export class Delivery {
  readonly #options: DeliveryOptions;
  readonly #machine;
  readonly #actors = new Map<string, OrderActor>();
  /** Orders of which the broker may not know, or not know that they are to be cancelled. */
  readonly #undelivered = new Set<string>();
  readonly #uncancelled = new Set<string>();
  readonly #turns = new Semaphore(MAX_IN_FLIGHT);
  readonly #asking = new Set<Promise<unknown>>();
  readonly #waiting = new Set<Waiting>();
  /** Held, but for these orders. From the start on, until it is known how things stand. */
  #hold: { readonly except: Set<string>; readonly released: PromiseWithResolvers<void> } | undefined = {
    except: new Set(),
    released: Promise.withResolvers(),
  };
  #unsubscribe: (() => void) | undefined;
  #stopped = false;

  constructor(options: DeliveryOptions) {
    this.#options = options;
    const { broker, writer } = options;
    this.#machine = orderMachine.provide({
      actors: {
        submit: fromPromise(({ input: { order_id } }) =>
          this.#ask(order_id, async () => {
            const order = writer.state.orders.get(order_id);
            if (order !== undefined) await broker.submit(brokerOrder(order));
            this.#through(this.#undelivered, order_id);
          }),
        ),
        find: fromPromise(({ input: { order_id } }) =>
          this.#ask(order_id, async () => {
            const found = await broker.find(order_id);
            if (found !== null) this.#through(this.#undelivered, order_id);
            return found;
          }),
        ),
        cancel: fromPromise(({ input: { order_id } }) =>
          this.#ask(order_id, async () => {
            await broker.cancel(order_id);
            // Whether it had it before or not: it takes it no more.
            this.#through(this.#undelivered, order_id);
            this.#through(this.#uncancelled, order_id);
          }),
        ),
      },
    });
  }

  /** Orders that are not done. */
  get orders(): number {
    return this.#actors.size;
  }

  /** Takes up every order that is not done. It is held until the first `release`. */
  start(): void {
    const { writer } = this.#options;
    this.#unsubscribe = writer.follow((events) => this.#note(events));
    for (const order of writer.state.open.values()) this.#begin(order, beginningOf(order));
  }

  /** From the call on, what is recorded waits. Resolves when the broker knows of all that was recorded before. */
  async hold(): Promise<void> {
    this.#hold ??= { except: this.#untold(), released: Promise.withResolvers() };
    await this.#all(this.#hold.except);
  }

  release(): void {
    this.#hold?.released.resolve();
    this.#hold = undefined;
  }

  /** Resolves when the broker knows of all that is on record at the call. Not while it is held. */
  flush(): Promise<void> {
    return this.#all(this.#untold());
  }

  /** Resolves when nothing is being asked any more. Of what has not been told by then, the next start finds out. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unsubscribe?.();
    for (const actor of this.#actors.values()) actor.stop();
    this.#actors.clear();
    for (const { reject } of this.#waiting) reject(stopped());
    this.#waiting.clear();
    this.release();
    await Promise.allSettled(this.#asking);
  }

  #note(events: readonly AccountEvent[]): void {
    const { orders } = this.#options.writer.state;
    for (const id of new Set(events.flatMap(({ data }) => ('order_id' in data ? [data.order_id] : [])))) {
      const order = id === null ? undefined : orders.get(id);
      if (id === null || order === undefined || !isOpen(order.status)) this.#end(id);
      else if (this.#actors.has(id)) this.#follow(order);
      else this.#begin(order, 'deliver');
    }
  }

  #begin(order: OrderState, begin: OrderBeginning): void {
    const { order_id, cancelRequested } = order;
    if (begin !== 'work') this.#undelivered.add(order_id);
    if (cancelRequested) this.#uncancelled.add(order_id);
    const actor = createActor(this.#machine, { input: { order_id, begin, cancelRequested } });
    this.#actors.set(order_id, actor);
    actor.on('*', (notice) => this.#record(notice));
    actor.start();
  }

  #follow({ order_id, status, cancelRequested }: OrderState): void {
    const actor = this.#actors.get(order_id)!;
    const { value, context } = actor.getSnapshot();
    const cancelled = cancelRequested && !context.cancelRequested;
    if (cancelled) this.#uncancelled.add(order_id);
    // Most of what is recorded of an order that works there is nothing to its machine.
    if (cancelled || value !== 'working') actor.send({ type: 'RECORDED', status, cancelRequested });
  }

  /** The account says that it is done: nothing about it is left to be told. */
  #end(id: string | null): void {
    if (id === null) return;
    this.#actors.get(id)?.stop();
    this.#actors.delete(id);
    this.#through(this.#undelivered, id);
    this.#through(this.#uncancelled, id);
  }

  #record(notice: OrderNotice): void {
    const cause = { correlationId: notice.order_id, callId: `${notice.type}/${notice.order_id}` };
    this.#options.writer.submit(notice, cause).catch(this.#options.onFault);
  }

  #ask<T>(orderId: string, question: () => Promise<T>): Promise<T> {
    const asking = this.#passHold(orderId).then(() =>
      this.#turns.run(() => (this.#stopped ? Promise.reject(stopped()) : question())),
    );
    this.#asking.add(asking);
    asking
      .catch((error: unknown) => {
        if (!this.#stopped && !isBelegError(error, 'BROKER_UNAVAILABLE')) this.#options.onFault(error);
      })
      .finally(() => this.#asking.delete(asking));
    return asking;
  }

  async #passHold(orderId: string): Promise<void> {
    while (this.#hold !== undefined && !this.#hold.except.has(orderId)) await this.#hold.released.promise;
  }

  #untold(): Set<string> {
    return this.#undelivered.union(this.#uncancelled);
  }

  async #all(orders: ReadonlySet<string>): Promise<void> {
    const left = orders.intersection(this.#untold());
    if (left.size === 0) return;
    // Nobody will tell the broker of them any more.
    if (this.#stopped) throw stopped();
    await new Promise<void>((resolve, reject) => this.#waiting.add({ orders: left, resolve, reject }));
  }

  #through(from: Set<string>, id: string): void {
    from.delete(id);
    if (this.#undelivered.has(id) || this.#uncancelled.has(id)) return;
    this.#hold?.except.delete(id);
    for (const waiting of this.#waiting) {
      if (!waiting.orders.delete(id) || waiting.orders.size > 0) continue;
      this.#waiting.delete(waiting);
      waiting.resolve();
    }
  }
}

const stopped = (): BelegError => new BelegError('SERVICE_UNAVAILABLE');

/** At most so many at a time; the others wait in the order in which they came. */
class Semaphore {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free += 1;
      else next();
    }
  }
}
