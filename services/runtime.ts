import { join } from 'node:path';
import type { Logger } from 'pino';
import type { MessageBus } from '../events/bus/bus.ts';
import { InProcessBroker } from '../events/bus/in-process.ts';
import { CATALOG } from '../events/catalog/catalog.ts';
import { COMMENTS_STREAM } from '../events/catalog/feedback.ts';
import { askStream } from '../events/catalog/knowledge.ts';
import { createCodec, type Codec } from '../events/define.ts';
import { openEmbeddedStore } from '../events/store/embedded/embedded.ts';
import type { EventStore } from '../events/store/store.ts';
import { openSqliteVault } from '../events/vault/sqlite.ts';
import type { Vault } from '../events/vault/vault.ts';
import type { Settings } from './config.ts';
import { makeDataDir } from './data-dir.ts';
import { Spool } from './knowledge/spool.ts';
import { Turns } from './turns.ts';

/** What the local spool may hold while the store is away. */
const MAX_SPOOL_BYTES = 64 * 1024 * 1024;

/** What services stand on, whatever the mode. */
export interface Runtime {
  readonly store: EventStore;
  readonly vault: Vault;
  readonly codec: Codec;
  readonly bus: MessageBus;
  readonly spool: Spool;
  /** Writers of one stream in this process, one after the other: at once they would only collide. */
  readonly turns: Turns;
  /** Lets handlers finish, then closes what they use. Call it when nothing new arrives any more. */
  close(): Promise<void>;
}

/**
 * The only place that knows which adapters serve: here the embedded ones, all below `DATA_DIR`.
 * Rejects with `STORE_UNAVAILABLE` where that cannot be written, or another process uses it; nothing stays open then.
 */
export async function openRuntime(settings: Settings, logger: Logger): Promise<Runtime> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    await makeDataDir(settings);
    const vault = await openSqliteVault({ file: join(settings.dataDir, 'keys.db') });
    closers.push(() => vault.close());
    const store = await openEmbeddedStore({ file: join(settings.dataDir, 'events.db') });
    closers.push(() => store.close());
    const spool = await Spool.open(join(settings.dataDir, 'spool'), { maxBytes: MAX_SPOOL_BYTES });
    closers.push(() => spool.close());
    const bus = new InProcessBroker().connect((error, subject) =>
      logger.error({ err: error, subject }, 'a message handler failed'),
    );
    closers.push(() => bus.drain());
    const swept = await vault.sweep(createKeyCheck(store, spool));
    if (swept > 0) logger.info({ swept }, 'keys without text removed');
    return { store, vault, codec: createCodec(CATALOG, vault), bus, spool, turns: new Turns(), close };
  } catch (error) {
    // A thread left open would keep a process alive that could not start.
    await close();
    throw error;
  }
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
