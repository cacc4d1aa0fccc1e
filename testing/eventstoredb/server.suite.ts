import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import type { EventStore } from '../../events/store/store.ts';
import { openEventStoreDb, type EventStoreDbOptions } from '../../events/store/eventstoredb/eventstoredb.ts';
import { startStandIn, type StandIn } from './stand-in/server.ts';

/** Silence is noticed soon, but calls are only given up late, because the machine may be busy. */
export const HASTY = { timeoutMs: 150, giveUpMs: 20_000, quietMs: 100 };

export interface ServerBench {
  server: StandIn;
  store: EventStore;
  /** Opens a further store, which is closed after the test. */
  open(options?: Partial<EventStoreDbOptions>): Promise<EventStore>;
  /** Starts a further server with a record of its own, which is closed after the test. */
  start(): Promise<StandIn>;
  /** Stops the server; `restart` brings it back on its port, with its file or another one. */
  stop(): Promise<void>;
  restart(over?: string): Promise<void>;
}

/** A server for each test, with a store that notices silence soon. */
export function useServer(): ServerBench {
  const bench = {} as ServerBench;
  let folder: string;
  let others: StandIn[];
  let stores: EventStore[];
  let running: boolean;

  bench.open = async (options = {}) => {
    const store = await openEventStoreDb({ url: bench.server.url, ...HASTY, ...options });
    stores.push(store);
    return store;
  };
  bench.start = async () => {
    const server = await startStandIn({ file: join(folder, `other-${others.length}.db`) });
    others.push(server);
    return server;
  };
  bench.stop = async () => {
    running = false;
    await bench.server.close();
  };
  bench.restart = async (over = 'events.db') => {
    bench.server = await startStandIn({ file: join(folder, over), port: bench.server.port });
    running = true;
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'eventstoredb-'));
    [others, stores] = [[], []];
    bench.server = await startStandIn({ file: join(folder, 'events.db') });
    running = true;
    bench.store = await bench.open();
  });

  afterEach(async () => {
    for (const store of stores) await store.close();
    for (const server of others) await server.close();
    if (running) await bench.server.close();
    rmSync(folder, { recursive: true });
  });
  return bench;
}
