import { createActor, fromPromise, SimulatedClock, waitFor } from 'xstate';
import { describe, expect, it } from 'vitest';
import { BelegError } from '../../events/errors.ts';
import type { EngineStatus } from './engine-lifecycle.ts';
import { engineMachine, type EngineNotice } from './engine-machine.ts';

function start(status: EngineStatus, answers: readonly (() => Promise<void>)[]) {
  let turn = 0;
  const clock = new SimulatedClock();
  const notices: EngineNotice[] = [];
  const actor = createActor(
    engineMachine.provide({ actors: { reconcile: fromPromise(() => answers[turn++]!()) } }),
    { input: { status }, clock },
  );
  actor.on('reconcile-failed', (notice) => notices.push(notice));
  // A fault is the machine's output; without a listener it would be thrown as well.
  actor.subscribe({ error: () => undefined });
  actor.start();
  const is = (state: string) => waitFor(actor, (snapshot) => JSON.stringify(snapshot.value).includes(state));
  return { actor, clock, notices, is, turns: () => turn };
}

const well = (): Promise<void> => Promise.resolve();
const failing = (code: 'BROKER_UNAVAILABLE' | 'STORE_UNAVAILABLE' | 'STREAM_CORRUPT') => () =>
  Promise.reject(new BelegError(code));

describe('the engine', () => {
  it.each(['stopped', 'running', 'halted'] as const)('reconciles first, then is %s again', async (status) => {
    const { actor, is } = start(status, [well]);
    expect(actor.getSnapshot().matches('reconciling')).toBe(true);
    await is(status);
  });

  it('takes in what the account decides while it reconciles', async () => {
    const { actor, is } = start('running', [well]);
    actor.send({ type: 'TradingHalted' });
    expect(actor.getSnapshot().matches('reconciling')).toBe(true);
    await is('halted');
  });

  it('tries again, less and less often, while the broker or the store is away', async () => {
    const { clock, notices, is, turns } = start('running', [
      failing('BROKER_UNAVAILABLE'),
      failing('STORE_UNAVAILABLE'),
      well,
    ]);
    await is('waiting');
    clock.increment(50);
    await is('asking');
    await is('waiting');
    clock.increment(99);
    expect(turns()).toBe(2);
    clock.increment(1);
    await is('running');
    expect(notices.map(({ retryMs }) => retryMs)).toEqual([50, 100]);
  });

  it('ends with the fault where another try would mend nothing', async () => {
    const { actor, is } = start('running', [failing('STREAM_CORRUPT')]);
    await is('failed');
    expect(actor.getSnapshot().output?.error.code).toBe('STREAM_CORRUPT');
  });

  it('follows the account, by the lifecycle that the account has', async () => {
    const { actor, is } = start('stopped', [well]);
    await is('stopped');
    actor.send({ type: 'TradingStarted' });
    expect(actor.getSnapshot().value).toBe('running');
    actor.send({ type: 'TradingHalted' });
    expect(actor.getSnapshot().value).toBe('halted');
    actor.send({ type: 'TradingStopped' });
    expect(actor.getSnapshot().value).toBe('stopped');
  });
});
