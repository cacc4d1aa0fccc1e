import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import { PATIENT } from '../../events/patient.suite.ts';
import { MemoryStore } from '../../events/store/memory-store.suite.ts';
import { NO_STREAM } from '../../events/store/store.ts';
import { FaultyStore } from '../../testing/faults/faulty-store.suite.ts';
import { watchFollowers } from './watch-followers.ts';

const DAY_MS = 86_400_000;

test('a start whose clock is before the newest event on record says so, once the record can be read', async () => {
  const store = new FaultyStore(new MemoryStore());
  const at = new Date(Date.now() + DAY_MS).toISOString();
  const metadata = { at, version: 1, $correlationId: 'c', $causationId: 'c' };
  await store.append('s-1', NO_STREAM, [{ id: randomUUID(), type: 'Happened', data: {}, metadata }]);
  store.mode = 'down';
  const logged: object[] = [];
  const watch = watchFollowers({
    bus: new InProcessBus().connect(() => undefined),
    store,
    leases: new InProcessLeases(() => undefined),
    logger: pino({}, { write: (line: string) => logged.push(JSON.parse(line) as object) }),
  });
  expect(watch.degraded()).toEqual([]);
  store.mode = 'up';
  await vi.waitFor(() => expect(watch.degraded()).toEqual(['clock']), PATIENT);
  await watch.end();
  expect(logged).toMatchObject([
    {
      level: 50,
      newest: at,
      msg: expect.stringMatching(/^the clock of this machine is before the newest event/u),
    },
  ]);
});

test('a clock that differs from that of the bus is said once, until it agrees again', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let ahead = 30_000;
  const leases = new InProcessLeases(() => undefined);
  leases.clockAhead = async () => ahead;
  const logged: object[] = [];
  const watch = watchFollowers({
    bus: new InProcessBus().connect(() => undefined),
    store: new MemoryStore(),
    leases,
    logger: pino({}, { write: (line: string) => logged.push(JSON.parse(line) as object) }),
  });
  await vi.advanceTimersByTimeAsync(4_000);
  expect(watch.degraded()).toEqual(['clock']);
  ahead = -900;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watch.degraded()).toEqual([]);
  ahead = -5_000;
  await vi.advanceTimersByTimeAsync(2_000);
  expect(watch.degraded()).toEqual(['clock']);
  await watch.end();
  expect(logged).toMatchObject([
    { level: 50, seconds: 30, msg: expect.stringMatching(/^the clock of this machine is ahead of that/u) },
    { level: 50, seconds: -5, msg: expect.stringMatching(/^the clock of this machine is behind that/u) },
  ]);
});
