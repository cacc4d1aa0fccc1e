import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { stateHash } from '../../../actors/trading/snapshot.ts';
import { accountStream } from '../../../events/catalog/trading.ts';
import { systemClock, type Clock } from '../../foundation/clock.ts';
import { isBelegError } from '../../../events/errors.ts';
import { POLICY } from '../../../actors/trading/account.suite.ts';
import { ACCOUNT, caller, noSnapshots, order } from './account.suite.ts';
import { openAccount } from './account.ts';
import { MemoryStore } from '../../../events/store/memory-store.suite.ts';
import { CODEC } from '../paper-broker/paper-broker.suite.ts';
import { ScriptedStore, type Fate } from '../../foundation/streams/scripted-store.suite.ts';

const ANYHOW: Fate[] = ['written', 'refused', 'muted', 'late'];

/** A clock on which a second passes in ten milliseconds. */
const HASTY_CLOCK: Clock = {
  ...systemClock,
  after: (ms, run) => systemClock.after(ms / 100, run),
};

test('whatever becomes of appends, an order exists if its caller was told so, and not if it was told otherwise', async () => {
  let told = 0;
  let withdrawn = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...ANYHOW), { maxLength: 12 }),
      // Orders that come together, and how long their callers wait.
      fc.array(fc.array(fc.constantFrom(4, 10_000), { minLength: 1, maxLength: 4 }), {
        minLength: 1,
        maxLength: 4,
      }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      async (fates, waves, landings) => {
        const store = new ScriptedStore(new MemoryStore(), accountStream(ACCOUNT));
        const lost: unknown[] = [];
        const open = () =>
          openAccount({
            store,
            codec: CODEC,
            account: ACCOUNT,
            snapshots: noSnapshots,
            policy: POLICY,
            now: () => new Date(),
            clock: HASTY_CLOCK,
            onLost: (error) => lost.push(error),
          });
        const writer = await open();
        const heard: string[] = [];
        writer.follow((events) => {
          const { orders } = writer.state;
          for (const { type, data } of events) {
            if (type === 'OrderSubmitted' && orders.has(data.order_id)) heard.push(data.order_id);
            if (type === 'OrderWithdrawn') withdrawn += 1;
          }
        });
        await writer.submit(
          { type: 'open', account: ACCOUNT, currency: 'USD', cash: 10n ** 24n },
          caller('open'),
        );
        await writer.submit({ type: 'start' }, caller('start'));

        store.fates.push(...fates);
        // An interrupted append lands, if at all, just before the next one or at the end.
        let turn = 0;
        const land = (): unknown =>
          landings[turn++ % landings.length] &&
          store.late
            .shift()?.()
            .catch(() => undefined);
        store.onAppend = () => void land();
        const exists: string[] = [];
        for (const [wave, timesMs] of waves.entries()) {
          await Promise.all(
            timesMs.map(async (timeMs, i) => {
              const id = `${wave}-${i}`;
              try {
                await writer.submit({ type: 'submit', order: order(id) }, caller(id, timeMs));
                exists.push(id);
              } catch (error) {
                if (isBelegError(error, 'STORE_UNAVAILABLE')) told += 1;
                // On a busy machine four milliseconds may be over before the call is made.
                else if (!isBelegError(error, 'DEADLINE_EXCEEDED')) throw error;
              }
            }),
          );
        }
        for (const late of store.late.splice(0)) await late().catch(() => undefined);
        store.fates.length = 0;
        // Whatever landed after all is met by the next append.
        await writer.submit({ type: 'submit', order: order('last') }, caller('last'));
        await writer.close();

        expect(lost).toEqual([]);
        expect([...writer.state.orders.keys()].toSorted()).toEqual([...exists, 'last'].toSorted());
        expect(heard.toSorted()).toEqual([...exists, 'last'].toSorted());
        expect(stateHash((await open()).state)).toBe(stateHash(writer.state));
      },
    ),
    {
      numRuns: 60,
      // The first attempt lands with two orders when the third one, with one of them, is on its way.
      examples: [
        [['late', 'late'], [[10_000, 4]], [false, false, true, ...Array.from({ length: 37 }, () => false)]],
      ],
    },
  );
  // The property says nothing unless both occur.
  expect(told).toBeGreaterThan(0);
  expect(withdrawn).toBeGreaterThan(0);
});
