import { createActor, fromPromise, waitFor } from 'xstate';
import type { Broker } from '../../actors/trading/broker.ts';
import { deliveryMachine } from '../../actors/trading/delivery-machine.ts';
import { isOpen } from '../../actors/trading/order-lifecycle.ts';
import {
  beginningOf,
  orderMachine,
  type OrderActor,
  type OrderBeginning,
  type OrderNotice,
} from '../../actors/trading/order-machine.ts';
import { brokerOrder, pendingAmendment, type OrderState } from '../../actors/trading/state.ts';
import type { ActorHost } from '../foundation/actor-host.ts';
import type { AccountEvent } from '../../events/catalog/catalog.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import type { AccountWriter } from './account/account.ts';

interface DeliveryOptions {
  readonly account: string;
  /** A broker whose answers arrive in time or reject. */
  readonly broker: Pick<Broker, 'submit' | 'find' | 'cancel' | 'amend'>;
  readonly writer: Pick<AccountWriter, 'state' | 'submit' | 'follow'>;
  /** Called with faults of recording. The next holder of the account finds what is missing. */
  readonly onFault: (error: unknown) => void;
  readonly actors: ActorHost;
}

/** The most requests to the broker at a time. */
const MAX_IN_FLIGHT = 128;

interface Waiting {
  /** The orders that this wait is for. */
  readonly orders: Set<string>;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Delivers recorded orders, cancellations and amendments to the broker, each by the machine of its order. While
 * delivery is held, new orders wait here, so that a session meets all orders that were recorded before it, and no later
 * ones.
 */
export function deliveryTo({ account, broker, writer, onFault, actors: living }: DeliveryOptions) {
  const actors = new Map<string, OrderActor>();
  /** Orders that still have something to send to the broker: all whose machine is not in `working`. */
  const telling = new Set<string>();
  /** Orders that may be sent while delivery is held, because they had something to send when the hold began. */
  let before = new Set<string>();
  const inTurn = atMost(MAX_IN_FLIGHT);
  // Calls that are still to be answered. These two hold no state beyond the machines and the sets above.
  const asking = new Set<Promise<unknown>>();
  const waiting = new Set<Waiting>();
  const gate = living.host(createActor(deliveryMachine, { clock: living.clock }), {
    kind: 'delivery',
    id: account,
  });
  gate.start();
  const isStopped = (): boolean => gate.getSnapshot().status === 'done';
  let unsubscribe: (() => void) | undefined;

  const machine = orderMachine.provide({
    actors: {
      submit: fromPromise(({ input: { order_id } }) =>
        ask(order_id, async () => {
          const order = writer.state.orders.get(order_id);
          if (order !== undefined) await broker.submit(brokerOrder(order));
        }),
      ),
      find: fromPromise(({ input: { order_id } }) => ask(order_id, () => broker.find(order_id))),
      cancel: fromPromise(({ input: { order_id } }) => ask(order_id, () => broker.cancel(order_id))),
      amend: fromPromise(({ input: { order_id } }) =>
        ask(order_id, async () => {
          const order = writer.state.orders.get(order_id);
          const told = order === undefined ? 0 : pendingAmendment(order);
          if (order?.amending !== undefined)
            await broker.amend({ order_id, amendment: told, ...order.amending });
          return told;
        }),
      ),
    },
  });

  function note(events: readonly AccountEvent[]): void {
    const { orders } = writer.state;
    for (const id of new Set(
      events.flatMap(({ data }) => ('order_id' in data ? (data.order_id ?? []) : [])),
    )) {
      const order = orders.get(id);
      if (order === undefined || !isOpen(order.status)) end(id);
      else if (actors.has(id)) follow(order);
      else begin(order, 'deliver');
    }
  }

  function begin(order: OrderState, how: OrderBeginning): void {
    const { order_id, cancelRequested } = order;
    const input = { order_id, begin: how, cancelRequested, amendment: pendingAmendment(order) };
    const actor = living.host(createActor(machine, { input, clock: living.clock }), {
      kind: 'order',
      id: order_id,
    });
    actors.set(order_id, actor);
    actor.on('*', record);
    actor.subscribe(({ value }) => {
      if (value === 'working') told(order_id);
      else telling.add(order_id);
    });
    actor.start();
  }

  function follow(order: OrderState): void {
    const { order_id, status, cancelRequested } = order;
    const amendment = pendingAmendment(order);
    const actor = actors.get(order_id)!;
    const { context } = actor.getSnapshot();
    // Most reports on an order do not concern its machine.
    if (telling.has(order_id) || cancelRequested !== context.cancelRequested || amendment > context.amendment)
      actor.send({ type: 'RECORDED', status, cancelRequested, amendment });
  }

  /** The account says that the order is done, so nothing more is sent. */
  function end(id: string): void {
    actors.get(id)?.stop();
    actors.delete(id);
    told(id);
  }

  function record(notice: OrderNotice): void {
    const cause = { correlationId: notice.order_id, callId: `${notice.type}/${notice.order_id}` };
    writer.submit(notice, cause).catch(onFault);
  }

  function ask<T>(orderId: string, question: () => Promise<T>): Promise<T> {
    const answer = passHold(orderId).then(() =>
      inTurn(() => (isStopped() ? Promise.reject(stopped()) : question())),
    );
    asking.add(answer);
    answer
      .catch((error: unknown) => {
        if (!isStopped() && !isBelegError(error, 'BROKER_UNAVAILABLE')) onFault(error);
      })
      .finally(() => asking.delete(answer));
    return answer;
  }

  async function passHold(orderId: string): Promise<void> {
    // Delivery may be held again before this continues.
    while (gate.getSnapshot().value === 'held' && !before.has(orderId))
      await waitFor(gate, ({ value }) => value !== 'held');
  }

  async function all(orders: ReadonlySet<string>): Promise<void> {
    const left = orders.intersection(telling);
    if (left.size === 0) return;
    // Waiting orders will not be sent to the broker any more.
    if (isStopped()) throw stopped();
    await new Promise<void>((resolve, reject) => waiting.add({ orders: left, resolve, reject }));
  }

  function told(id: string): void {
    telling.delete(id);
    before.delete(id);
    for (const each of waiting) {
      if (!each.orders.delete(id) || each.orders.size > 0) continue;
      waiting.delete(each);
      each.resolve();
    }
  }

  return {
    /** The number of orders that are not done. */
    get orders() {
      return actors.size;
    },

    /** Starts a machine for every order that is not done. All of them are held until the first `release`. */
    start(): void {
      unsubscribe = writer.follow(note);
      for (const order of writer.state.open.values()) begin(order, beginningOf(order));
    },

    /** From the call on, new orders wait. Resolves when the broker knows everything that was recorded before. */
    async hold(): Promise<void> {
      if (isStopped()) throw stopped();
      if (gate.getSnapshot().value === 'open') before = new Set(telling);
      gate.send({ type: 'HOLD' });
      await all(before);
    },

    release(): void {
      if (!isStopped()) gate.send({ type: 'RELEASE' });
    },

    /** Resolves when the broker knows everything that is on record at the call; never while it is held. */
    flush: () => all(telling),

    /** Resolves when no request is under way any more. The next start finds what was not sent. */
    async stop(): Promise<void> {
      if (!isStopped()) gate.send({ type: 'STOP' });
      unsubscribe?.();
      for (const actor of actors.values()) actor.stop();
      actors.clear();
      for (const { reject } of waiting) reject(stopped());
      waiting.clear();
      await Promise.allSettled(asking);
    },
  };
}

export type Delivery = ReturnType<typeof deliveryTo>;

const stopped = (): BelegError => new BelegError('SERVICE_UNAVAILABLE');

/** Runs at most this many pieces of work at a time; the others wait in order of arrival. */
function atMost(places: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = [];
  let free = places;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
