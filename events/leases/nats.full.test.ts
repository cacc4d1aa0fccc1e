import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import * as fc from 'fast-check';
import { connect, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { damageFile, filesBelow } from '../../testing/crash/process/chaos/files.ts';
import { hasNatsServer, startNatsServer, type NatsServer } from '../../testing/nats/server.suite.ts';
import { openStallingLink } from '../../testing/nats/stalling-link.suite.ts';
import { BelegError } from '../errors.ts';
import { bindBucket, LEASES_BUCKET } from '../nats/bucket.ts';
import { PATIENT } from '../patient.suite.ts';
import { leasesContract } from './contract.suite.ts';
import type { Leases } from './leases.ts';
import { openNatsLeases } from './nats.ts';

/** Entries of that bucket outlast a restart of the server. */
const LONG_MS = 12_000;

/** Where a file is damaged. */
const inTheMiddle = (): number => 0.5;

const throwOn = (error: unknown): never => {
  throw error;
};

/** A competitor with a connection of its own. A busy machine may not answer within the time of a short lease: it tries again. */
async function join(url: string, options: { ttlMs?: number; onWorkError?: (error: unknown) => void } = {}) {
  const connection = await connect({ servers: url, reconnectTimeWait: 50, maxReconnectAttempts: -1 });
  for (;;) {
    try {
      const leases = await openNatsLeases(connection, {
        holder: 'test',
        onWorkError: throwOn,
        retryMs: 10,
        ...options,
      });
      return { connection, leases };
    } catch (error) {
      if (!(error instanceof BelegError && error.code === 'SERVICE_UNAVAILABLE')) throw error;
    }
  }
}

/** Whether it has a lease, or has lost it; either can be waited for. On a busy machine it may lose it in between, too. */
function compete(leases: Leases, name: string) {
  const stop = new AbortController();
  let state: 'waiting' | 'held' | 'lost' = 'waiting';
  const now = () => state;
  let changed = Promise.withResolvers<void>();
  const note = (what: 'held' | 'lost'): void => {
    state = what;
    changed.resolve();
    changed = Promise.withResolvers();
  };
  const running = leases.run(
    name,
    async (held) => {
      note('held');
      await new Promise((resolve) => held.addEventListener('abort', resolve));
      note('lost');
    },
    stop.signal,
  );
  return {
    now,
    async until(what: 'held' | 'lost') {
      while (now() !== what) await changed.promise;
    },
    stop: () => {
      stop.abort();
      return running;
    },
  };
}

describe.skipIf(!hasNatsServer)('on one server', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());

  leasesContract('NATS', async (onWorkError) => {
    const connections: NatsConnection[] = [];
    const open = async (): Promise<Leases> => {
      const { connection, leases } = await join(server.url, {
        ttlMs: 10 * PATIENT.timeoutMs,
        onWorkError: (error) => onWorkError(error, 'audit'),
      });
      connections.push(connection);
      return leases;
    };
    return {
      a: await open(),
      b: await open(),
      close: async () => {
        for (const connection of connections) await connection.close();
      },
    };
  });
});

describe.skipIf(!hasNatsServer)('the clock of the server', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());
  afterEach(() => void vi.useRealTimers());

  test.each([3_600_000, -3_600_000])('is compared with one that is %d ms ahead', async (ms) => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
    const { connection, leases } = await join(server.url);
    expect(await leases.clockAhead()).toBe(0);
    const holder = compete(leases, 'clock');
    await holder.until('held');
    const ahead = await leases.clockAhead();
    await holder.stop();
    await connection.close();
    // The faked clock stands still, so some seconds more may have passed since.
    expect(Math.round(ahead / 3_600_000)).toBe(Math.sign(ms));
  });
});

describe.skipIf(!hasNatsServer)('leases of processes that fail', () => {
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());

  function startChild(name: string): { child: ChildProcess; next: () => Promise<string> } {
    const file = fileURLToPath(new URL('./holder.fixture.ts', import.meta.url));
    const child = spawn(process.execPath, [file, server.url, name], { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    return { child, next: async () => (await lines.next()).value as string };
  }

  test.concurrent('go to another soon after a kill', async () => {
    const { child, next } = startChild('killed');
    const { connection, leases } = await join(server.url);
    expect(await next()).toBe('held');
    expect(await leases.list('killed')).toEqual(['killed']);
    const heir = compete(leases, 'killed');
    const exited = once(child, 'exit');
    child.kill('SIGKILL');
    await exited;
    await heir.until('held');
    await heir.stop();
    await connection.close();
  });

  test.concurrent('are lost for one that was suspended, as soon as it goes on', async () => {
    const { child, next } = startChild('suspended');
    const { connection, leases } = await join(server.url);
    expect(await next()).toBe('held');
    const heir = compete(leases, 'suspended');
    child.kill('SIGSTOP');
    await heir.until('held');
    child.kill('SIGCONT');
    expect(await next()).toBe('lost');
    expect(heir.now()).toBe('held');
    await heir.stop();
    expect(await next()).toBe('held');
    child.kill('SIGKILL');
    await connection.close();
  });
});

describe.skipIf(!hasNatsServer)('leases while NATS fails', () => {
  const ttlMs = 800;
  let server: NatsServer;
  beforeEach(async () => {
    server = await startNatsServer();
  });
  afterEach(() => server.remove());

  test('are lost while it is away, and won again without a new start', async () => {
    const { connection, leases } = await join(server.url, { ttlMs });
    const competitor = compete(leases, 'audit');
    await competitor.until('held');
    await server.kill();
    await competitor.until('lost');
    expect(leases.held()).toEqual([]);
    await expect(leases.list('')).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await server.restart();
    await competitor.until('held');
    await competitor.stop();
    await connection.close();
  });

  test('are won again in a new bucket where the old one is gone', async () => {
    const { connection, leases } = await join(server.url, { ttlMs });
    const competitor = compete(leases, 'audit');
    await competitor.until('held');
    const manager = await connection.jetstreamManager();
    await manager.streams.delete('KV_beleg_leases');
    await competitor.until('lost');
    await competitor.until('held');
    expect((await manager.streams.info('KV_beleg_leases')).config.max_age).toBe(ttlMs * 1_000_000);
    await competitor.stop();
    await connection.close();
  });

  test('have one holder again where the files of the bucket came back damaged', async () => {
    const before = await join(server.url, { ttlMs: LONG_MS });
    const { kv } = await bindBucket(before.connection, {
      name: LEASES_BUCKET,
      timeoutMs: PATIENT.timeoutMs,
    });
    for (let n = 0; n < 100; n++) await kv.put(`other.${n % 3}`, 'held by a process that is gone');
    await before.connection.close();
    await server.kill();
    const [block] = (await filesBelow(server.store)).filter((file) => /KV_beleg_leases.*\.blk$/u.test(file));
    await damageFile(block!, inTheMiddle);
    await server.restart();
    const { connection, leases } = await join(server.url, { ttlMs: LONG_MS });
    const competitor = compete(leases, 'audit');
    await competitor.until('held');
    // Who looks for it sees that it is held, and so does who would take it.
    expect(await leases.list('audit')).toEqual(['audit']);
    await competitor.stop();
    await connection.close();
  });

  test('are lost, before another can have them, by one to whom it no longer answers', async () => {
    const link = await openStallingLink(server.port);
    const near = await join(link.url, { ttlMs });
    const far = await join(server.url, { ttlMs });
    const holder = compete(near.leases, 'audit');
    await holder.until('held');
    const heir = compete(far.leases, 'audit');
    link.stall();
    await heir.until('held');
    expect(holder.now()).toBe('lost');
    expect(near.leases.held()).toEqual([]);
    link.resume();
    await heir.stop();
    await holder.until('held');
    await holder.stop();
    await Promise.all([near.connection.close(), far.connection.close()]);
    await link.close();
  });

  test('take the settings that this version has, also in a bucket made with others', async () => {
    const first = await join(server.url, { ttlMs: 5000 });
    const second = await join(server.url, { ttlMs });
    const manager = await first.connection.jetstreamManager();
    expect((await manager.streams.info('KV_beleg_leases')).config.max_age).toBe(ttlMs * 1_000_000);
    await Promise.all([first.connection.close(), second.connection.close()]);
  });

  test('cannot be opened while it is away', async () => {
    const connection = await connect({ servers: server.url });
    await server.kill();
    const opening = openNatsLeases(connection, { holder: 'test', onWorkError: throwOn, ttlMs });
    await expect(opening).rejects.toMatchObject({ code: 'SERVICE_UNAVAILABLE' });
    await connection.close();
  });
});

describe.skipIf(!hasNatsServer)('leases whatever happens', () => {
  const ttlMs = 500;
  const COMPETITORS = 3;
  let server: NatsServer;
  beforeAll(async () => {
    server = await startNatsServer();
  });
  afterAll(() => server.remove());

  type Act = { kind: 'start' | 'stop' | 'cut'; who: number };

  /** Plays one history of one lease; true when somebody held it beside another, by their own account. */
  async function everTwo(name: string, acts: readonly Act[]): Promise<boolean> {
    const holding = new Set<number>();
    const competing = new Map<
      number,
      { cut: boolean; stop: () => Promise<void>; close: () => Promise<void> }
    >();
    let two = false;
    let changed = Promise.withResolvers<void>();
    const start = async (who: number): Promise<void> => {
      const { connection, leases } = await join(server.url, { ttlMs });
      const stop = new AbortController();
      const running = leases.run(
        name,
        async (held) => {
          if (held.aborted) return;
          two ||= holding.size > 0;
          holding.add(who);
          changed.resolve();
          changed = Promise.withResolvers();
          held.addEventListener('abort', () => holding.delete(who));
          await new Promise((resolve) => held.addEventListener('abort', resolve));
        },
        stop.signal,
      );
      competing.set(who, {
        cut: false,
        stop: () => {
          stop.abort();
          return running;
        },
        close: () => connection.close(),
      });
    };
    const stop = async (who: number): Promise<void> => {
      await competing.get(who)?.stop();
      await competing.get(who)?.close();
      competing.delete(who);
    };
    for (const { kind, who } of acts) {
      if (kind === 'start' && !competing.has(who)) await start(who);
      if (kind === 'stop') await stop(who);
      const one = competing.get(who);
      if (kind === 'cut' && one !== undefined) {
        one.cut = true;
        await one.close();
      }
      const alive = [...competing].filter(([, one]) => !one.cut).map(([who]) => who);
      while (alive.length > 0 && !alive.some((who) => holding.has(who))) await changed.promise;
    }
    await Promise.all([...competing.keys()].map(stop));
    return two;
  }

  test('are never held by two at once, by their own account', async () => {
    const act = fc.record({
      kind: fc.constantFrom('start' as const, 'start' as const, 'stop' as const, 'cut' as const),
      who: fc.nat(COMPETITORS - 1),
    });
    const histories = fc.array(fc.array(act, { minLength: 8, maxLength: 12 }), {
      minLength: 12,
      maxLength: 12,
    });
    let run = 0;
    await fc.assert(
      // Many histories at the same time, because most of the time is spent waiting for leases to expire.
      fc.asyncProperty(histories, async (histories) => {
        run++;
        const two = await Promise.all(
          histories.map((acts, index) => everTwo(`history.${run}-${index}`, acts)),
        );
        expect(two).not.toContain(true);
      }),
      { numRuns: 3, endOnFailure: true },
    );
  });
});
