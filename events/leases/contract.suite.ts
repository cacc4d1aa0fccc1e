import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Leases, OnWorkError } from './leases.ts';

/**
 * Two parts of one system that share the leases; work that ended is tried again within 50 ms. A lease that nobody gives
 * back lasts longer than a test.
 */
export interface LeasesFixture {
  a: Leases;
  b: Leases;
  close(): Promise<void>;
}

const ended = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });

/** Calls `run`, and returns promises for what happens in it. */
function compete(leases: Leases, name: string) {
  const stop = new AbortController();
  let started = Promise.withResolvers<void>();
  let held = false;
  const running = leases.run(
    name,
    async (signal) => {
      held = true;
      started.resolve();
      await ended(signal);
      held = false;
      started = Promise.withResolvers();
    },
    stop.signal,
  );
  return {
    isHolding: () => held,
    holding: () => started.promise,
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

/** What every adapter of the `Leases` port keeps to. */
export function leasesContract(
  adapter: string,
  open: (onWorkError: OnWorkError) => Promise<LeasesFixture>,
): void {
  describe(`leases: ${adapter}`, () => {
    let fixture: LeasesFixture;
    let a: Leases;
    let b: Leases;
    let workErrors: { error: unknown; lease: string }[];
    let stops: (() => Promise<void>)[];

    beforeEach(async () => {
      workErrors = [];
      stops = [];
      fixture = await open((error, lease) => workErrors.push({ error, lease }));
      ({ a, b } = fixture);
    });
    afterEach(async () => {
      await Promise.all(stops.map((stop) => stop()));
      await fixture.close();
    });

    const start = (leases: Leases, name: string): ReturnType<typeof compete> => {
      const competitor = compete(leases, name);
      stops.push(competitor.stop);
      return competitor;
    };

    test('names who holds what, here and everywhere', async () => {
      const one = start(a, 'audit');
      const two = start(a, 'knowledge.1f');
      const three = start(b, 'knowledge.0e');
      await Promise.all([one.holding(), two.holding(), three.holding()]);
      expect(a.held()).toEqual(expect.arrayContaining(['audit', 'knowledge.1f']));
      expect(await b.list('knowledge.')).toEqual(['knowledge.0e', 'knowledge.1f']);
      expect(await a.list('')).toEqual(['audit', 'knowledge.0e', 'knowledge.1f']);
      await two.stop();
      expect(a.held()).not.toContain('knowledge.1f');
      expect(await b.list('knowledge.')).toEqual(['knowledge.0e']);
    });

    test('lets one of many hold a name, and the next one at once when that one stops', async () => {
      const competitors = Array.from({ length: 6 }, (_, index) => start(index % 2 === 0 ? a : b, 'audit'));
      const waiting = new Set(competitors);
      while (waiting.size > 0) {
        const holder = await Promise.race([...waiting].map((one) => one.holding().then(() => one)));
        expect(competitors.filter((one) => one.isHolding())).toEqual([holder]);
        await holder.stop();
        waiting.delete(holder);
      }
    });

    test('gives a lease back only when the work has ended', async () => {
      const stop = new AbortController();
      const holding = Promise.withResolvers<void>();
      const finish = Promise.withResolvers<void>();
      const aborted = Promise.withResolvers<void>();
      let working = true;
      const running = a.run(
        'audit',
        async (signal) => {
          holding.resolve();
          await ended(signal);
          aborted.resolve();
          await finish.promise;
          working = false;
        },
        stop.signal,
      );
      await holding.promise;
      const next = start(b, 'audit');
      stop.abort();
      await aborted.promise;
      expect(await b.list('')).toEqual(['audit']);
      expect(next.isHolding()).toBe(false);
      finish.resolve();
      await next.holding();
      expect(working).toBe(false);
      await running;
    });

    test('lets one that waits give up at once', async () => {
      const holder = start(a, 'audit');
      await holder.holding();
      const next = start(b, 'audit');
      await next.stop();
      expect(holder.isHolding()).toBe(true);
    });

    test('does no work for a signal that has aborted', async () => {
      await a.run('audit', () => expect.unreachable(), AbortSignal.abort());
      expect(workErrors).toEqual([]);
    });

    test('runs work again that ended by itself or failed, and tells of the failure', async () => {
      const stop = new AbortController();
      const fault = new Error('fault');
      let runs = 0;
      await a.run(
        'audit',
        async () => {
          runs++;
          if (runs === 2) throw fault;
          if (runs === 3) stop.abort();
        },
        stop.signal,
      );
      expect(runs).toBe(3);
      expect(workErrors).toEqual([{ error: fault, lease: 'audit' }]);
      expect(a.held()).toEqual([]);
    });

    test('tells of work that throws before it has begun', async () => {
      const stop = new AbortController();
      const fault = new Error('fault');
      const work = (): Promise<void> => {
        stop.abort();
        throw fault;
      };
      await a.run('audit', work, stop.signal);
      expect(workErrors).toEqual([{ error: fault, lease: 'audit' }]);
    });

    test('refuses names that are none', async () => {
      for (const name of ['', 'Audit', 'a b', '.a', 'a.', 'a..b', 'a.*', '>', 'a\n', 'ä']) {
        const running = a.run(name, () => expect.unreachable(), AbortSignal.timeout(1000));
        await expect(running).rejects.toBeInstanceOf(TypeError);
      }
    });
  });
}
