import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from 'pino';
import type { MessageBus } from '../events/bus/bus.ts';
import { InProcessBroker } from '../events/bus/in-process.ts';
import { CATALOG } from '../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../events/catalog/feedback.ts';
import { askStream } from '../events/catalog/knowledge.ts';
import { createCodec, type Codec } from '../events/define.ts';
import { InProcessLeases } from '../events/leases/in-process.ts';
import type { Leases } from '../events/leases/leases.ts';
import { InProcessOutlet } from '../events/relay/in-process.ts';
import type { Outlet } from '../events/relay/outlet.ts';
import { openEmbeddedStore } from '../events/store/embedded/embedded.ts';
import type { EventStore } from '../events/store/store.ts';
import { traceAppends } from '../events/store/traced.ts';
import { openSqliteVault } from '../events/vault/sqlite.ts';
import type { Vault } from '../events/vault/vault.ts';
import type { Settings } from './config.ts';
import { Closers } from './closers.ts';
import { makeDataDir } from './data-dir.ts';
import { Spool } from './knowledge/spool.ts';
import { Turns } from '../events/turns.ts';

/** What the local spool may hold while the store is away. */
const MAX_SPOOL_BYTES = 64 * 1024 * 1024;

/** What every process has, whatever the mode. */
export interface BusRuntime {
  /** Of this process among its kind, also in subjects: lower-case letters and digits. Another one after each start. */
  readonly instance: string;
  readonly bus: MessageBus;
  /** Lets handlers finish, then closes what they use. Call it when nothing new arrives any more. */
  close(): Promise<void>;
}

/** What services that decide and record stand on. */
export interface Runtime extends BusRuntime {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly codec: Codec;
  readonly spool: Spool;
  readonly leases: Leases;
  readonly outlet: Outlet;
  /** Writers of one stream in this process, one after the other: at once they would only collide. */
  readonly turns: Turns;
}

/**
 * The only place that knows which adapters serve: here the embedded ones, all below `DATA_DIR`.
 * Rejects with `STORE_UNAVAILABLE` where that cannot be written, or another process uses it; nothing stays open then.
 */
export async function openRuntime(settings: Settings, logger: Logger): Promise<Runtime> {
  const closers = new Closers();
  try {
    await makeDataDir(settings);
    const vault = await openSqliteVault({ file: join(settings.dataDir, 'keys.db') });
    closers.add(() => vault.close());
    const store = await openEmbeddedStore({ file: join(settings.dataDir, 'events.db') });
    closers.add(() => store.close());
    const spool = await Spool.open(join(settings.dataDir, 'spool'), { maxBytes: MAX_SPOOL_BYTES });
    closers.add(() => spool.close());
    const bus = new InProcessBroker().connect((error, subject) =>
      logger.error({ err: error, subject }, 'a message handler failed'),
    );
    closers.add(() => bus.drain());
    const leases = new InProcessLeases((error, lease) => logger.error({ err: error, lease }, 'work failed'));
    const swept = await vault.sweep(createKeyCheck(store, spool));
    if (swept > 0) logger.info({ swept }, 'keys without text removed');
    return {
      instance: randomBytes(8).toString('hex'),
      store: traceAppends(store),
      vault,
      codec: createCodec(CATALOG, vault),
      bus,
      spool,
      leases,
      outlet: new InProcessOutlet(bus, store),
      turns: new Turns(),
      close: () => closers.close(),
    };
  } catch (error) {
    // A thread left open would keep a process alive that could not start.
    await closers.close();
    throw error;
  }
}

/** The bus alone, for a process that keeps no record. It is worth something on a shared bus only. */
export async function openBusRuntime(_settings: Settings, _logger: Logger): Promise<BusRuntime> {
  throw new Error('distributed mode comes with the adapters');
}

/**
 * Whether text under a key is on record. A key has the name of its request: its text is in that ask's stream, in
 * comments on it, or still in the spool.
 */
function createKeyCheck(store: EventStore, spool: Spool): (key: string) => Promise<boolean> {
  let commented: Promise<ReadonlySet<string>> | undefined;
  return async (key) => {
    if (spool.usesKey(key)) return true;
    for await (const event of store.readStream(askStream(key))) if (event.metadata.key === key) return true;
    commented ??= keysOf(store, COMMENTS_STREAM);
    return (await commented).has(key);
  };
}

async function keysOf(store: EventStore, stream: string): Promise<ReadonlySet<string>> {
  const keys = new Set<string>();
  for await (const event of store.readStream(stream)) {
    if (event.metadata.key !== undefined) keys.add(event.metadata.key);
  }
  return keys;
}
