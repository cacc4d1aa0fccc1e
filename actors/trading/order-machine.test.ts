import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import type { OrderStatus } from './order-lifecycle.ts';
import { orderMachine, type OrderInput, type OrderNotice } from './order-machine.ts';

type Answer<T> = () => Promise<T>;

interface Script {
  submit?: readonly Answer<void>[];
  find?: readonly Answer<{ open: boolean } | null>[];
  cancel?: readonly Answer<void>[];
  amend?: readonly Answer<number>[];
}

const away = (): Promise<never> => Promise.reject(new BelegError('BROKER_UNAVAILABLE'));
const well = (): Promise<void> => Promise.resolve();
const missing = (): Promise<null> => Promise.resolve(null);
const there = (): Promise<{ open: boolean }> => Promise.resolve({ open: true });
const never = (): Promise<never> => new Promise(() => undefined);

/** A machine whose effects answer by a script, and what it did. */
function start(input: Partial<OrderInput>, script: Script = {}) {
  const calls: string[] = [];
  const notices: OrderNotice[] = [];
  const turns = { submit: 0, find: 0, cancel: 0, amend: 0 };
  const next = <T>(effect: keyof typeof turns, answers: readonly Answer<T>[] = []): Promise<T> => {
    calls.push(effect);
    return (answers[turns[effect]++] ?? never)();
  };
  const clock = new SimulatedClock();
  const actor = createActor(
    orderMachine.provide({
      actors: {
        submit: fromPromise(() => next('submit', script.submit)),
        find: fromPromise(() => next('find', script.find)),
        cancel: fromPromise(() => next('cancel', script.cancel)),
        amend: fromPromise(() => next('amend', script.amend)),
      },
    }),
    { input: { order_id: 'o', begin: 'deliver', cancelRequested: false, amendment: 0, ...input }, clock },
  );
  actor.on('*', (notice) => notices.push(notice));
  actor.start();
  return {
    actor,
    calls,
    notices,
    clock,
    is: (state: string) => waitFor(actor, (snapshot) => snapshot.matches(state as never)),
    recorded: (status: OrderStatus, cancelRequested = false, amendment = 0) =>
      actor.send({ type: 'RECORDED', status, cancelRequested, amendment }),
  };
}

describe('an order and the broker', () => {
  it('is changed as often as that is wished, and told again until the broker has taken note', async () => {
    const script = { submit: [well], amend: [away, () => Promise.resolve(1), () => Promise.resolve(2)] };
    const { calls, clock, is, recorded } = start({}, script);
    await is('working');
    recorded('accepted', false, 1);
    await is('amendDelayed');
    clock.increment(50);
    await is('working');
    recorded('accepted', false, 2);
    await is('working');
    expect(calls).toEqual(['submit', 'amend', 'amend', 'amend']);
  });

  it('is delivered once and works until the account says that it is done', async () => {
    const { actor, calls, notices, is, recorded } = start({}, { submit: [well] });
    await is('working');
    recorded('accepted');
    recorded('partially_filled');
    expect(actor.getSnapshot().status).toBe('active');
    recorded('filled');
    expect(actor.getSnapshot().status).toBe('done');
    expect(calls).toEqual(['submit']);
    expect(notices).toEqual([]);
  });

  it('takes no answer for no rejection: it asks until there is one, and works where the broker has it', async () => {
    const { calls, notices, clock, is } = start({}, { submit: [away], find: [away, there] });
    await is('waiting');
    expect(notices).toEqual([{ type: 'delivery-unknown', order_id: 'o' }]);
    clock.increment(49);
    expect(calls).toEqual(['submit']);
    clock.increment(1);
    await is('waiting');
    clock.increment(100);
    await is('working');
    expect(calls).toEqual(['submit', 'find', 'find']);
  });

  it('is delivered again under the same id only after a confirmed not-found', async () => {
    const { calls, clock, is } = start({}, { submit: [away, well], find: [missing] });
    await is('waiting');
    clock.increment(50);
    await is('working');
    expect(calls).toEqual(['submit', 'find', 'submit']);
  });

  it('is cancelled at the broker where it was to be cancelled and is not there: it may still be on its way', async () => {
    const { actor, calls, notices, clock, is, recorded } = start(
      { begin: 'ask', cancelRequested: true },
      { find: [missing], cancel: [away, well] },
    );
    await is('cancelDelayed');
    clock.increment(50);
    await is('working');
    expect(calls).toEqual(['find', 'cancel', 'cancel']);
    expect(notices).toEqual([]);
    expect(actor.getSnapshot().status).toBe('active');
    recorded('cancelled', true);
    expect(actor.getSnapshot().status).toBe('done');
  });

  it('is cancelled, not delivered again, where the wish comes while the broker is asked', async () => {
    const answer = Promise.withResolvers<null>();
    const { calls, clock, is, recorded } = start(
      {},
      { submit: [away], find: [() => answer.promise], cancel: [well] },
    );
    await is('waiting');
    clock.increment(50);
    recorded('pending_cancel', true);
    answer.resolve(null);
    await is('working');
    expect(calls).toEqual(['submit', 'find', 'cancel']);
  });

  it('tells a wish to cancel until the broker has taken note, and once', async () => {
    const { actor, calls, clock, is, recorded } = start({ begin: 'work' }, { cancel: [away, well] });
    recorded('pending_cancel', true);
    await is('cancelDelayed');
    clock.increment(50);
    await is('working');
    recorded('partially_filled', true);
    expect(calls).toEqual(['cancel', 'cancel']);
    recorded('cancelled');
    expect(actor.getSnapshot().status).toBe('done');
  });

  it('keeps a wish that comes while it is being delivered', async () => {
    const delivery = Promise.withResolvers<void>();
    const { calls, is, recorded } = start({}, { submit: [() => delivery.promise], cancel: [well] });
    recorded('pending_cancel', true);
    expect(calls).toEqual(['submit']);
    delivery.resolve();
    await is('working');
    expect(calls).toEqual(['submit', 'cancel']);
  });

  it('ends whatever is under way once the order is done', () => {
    const { actor, recorded } = start({}, { submit: [never] });
    recorded('rejected');
    expect(actor.getSnapshot().status).toBe('done');
  });
});
