import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino, type Logger } from 'pino';
import type { MessageBus } from '../../events/bus/bus.ts';
import { InProcessBus } from '../../events/bus/in-process.ts';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { createCodec, type Codec } from '../../events/define.ts';
import { InProcessLeases } from '../../events/leases/in-process.ts';
import type { Leases } from '../../events/leases/leases.ts';
import { createInProcessOutlet } from '../../events/relay/in-process-outlet.ts';
import type { Outlet } from '../../events/relay/outlet.ts';
import { openEmbeddedStore } from '../../events/store/embedded/embedded.ts';
import type { EventStore } from '../../events/store/store.ts';
import { openSqliteVault } from '../../events/vault/sqlite.ts';
import type { Vault } from '../../events/vault/vault.ts';
import { ActorHost } from '../../services/foundation/actor-host.ts';
import { noAuditLines } from '../../services/foundation/audit-lines.ts';
import { FaultyStore } from '../faults/faulty-store.suite.ts';
import type { ASK } from '../../actors/streams/knowledge.ts';
import { askWriters } from '../../services/foundation/streams/ask-writers.ts';
import type { WritersOf } from '../../services/foundation/streams/writers.ts';
import { openSpool, type Spool } from '../../services/foundation/spool.ts';

/** The leases of one process among several, which a test can take from it. */
export class LosableLeases implements Leases {
  readonly #shared: Leases;
  readonly #held = new Map<string, AbortController>();

  constructor(shared: Leases) {
    this.#shared = shared;
  }

  run(name: string, work: (held: AbortSignal) => Promise<void>, signal: AbortSignal): Promise<void> {
    return this.#shared.run(
      name,
      async (held) => {
        const lost = new AbortController();
        this.#held.set(name, lost);
        try {
          await work(AbortSignal.any([held, lost.signal]));
        } finally {
          this.#held.delete(name);
        }
      },
      signal,
    );
  }

  list(prefix: string): Promise<string[]> {
    return this.#shared.list(prefix);
  }

  held(): string[] {
    return [...this.#held.keys()].sort();
  }

  clockAhead(): Promise<number> {
    return this.#shared.clockAhead();
  }

  /** Loses a lease as after a long network failure: the process continues, and another one may get the lease. */
  lose(name: string): void {
    this.#held.get(name)!.abort();
  }
}

/** The parts of one of several processes. */
export interface TestProcess {
  readonly instance: string;
  readonly bus: MessageBus;
  readonly leases: LosableLeases;
  readonly store: EventStore;
  readonly vault: Vault;
  readonly codec: Codec;
  readonly outlet: Outlet;
  readonly spool: Spool;
  readonly asks: WritersOf<typeof ASK>;
  readonly logger: Logger;
  readonly lines: typeof noAuditLines;
  readonly now: () => Date;
  readonly actors: ActorHost;
}

/** Several processes in one: each has a connection, leases and a spool, and all share one broker, store and vault. */
export class Processes {
  readonly folder: string;
  readonly store: FaultyStore;
  readonly vault: Vault;
  /** The messages of all log lines from `warn` on. */
  readonly logged: string[] = [];
  readonly #broker = new InProcessBus();
  readonly #leases = new InProcessLeases((error) => this.logged.push(String(error)), { retryMs: 10 });
  /** Published events are in a stream of the server, whoever publishes them. */
  readonly #outlet: Outlet;
  #count = 0;

  private constructor(folder: string, store: FaultyStore, vault: Vault) {
    this.folder = folder;
    this.store = store;
    this.vault = vault;
    this.#outlet = createInProcessOutlet(this.connect(), store);
  }

  static async create(): Promise<Processes> {
    const folder = await mkdtemp(join(tmpdir(), 'beleg-processes-'));
    const store = new FaultyStore(await openEmbeddedStore({ file: join(folder, 'events.db') }));
    return new Processes(folder, store, await openSqliteVault({ file: join(folder, 'keys.db') }));
  }

  connect(): MessageBus {
    return this.#broker.connect((error) => this.logged.push(String(error)));
  }

  /** Holds a lease for a dead process that answers nothing, because a lease outlives its holder for a moment. */
  haunt(lease: string, signal: AbortSignal): void {
    void this.#leases.run(
      lease,
      () => new Promise((resolve) => signal.addEventListener('abort', () => resolve())),
      signal,
    );
  }

  async open(): Promise<TestProcess> {
    const instance = `p${++this.#count}`;
    const { store } = this;
    const codec = createCodec(CATALOG, this.vault);
    const logger = pino(
      { level: 'warn' },
      { write: (line: string) => this.logged.push((JSON.parse(line) as { msg: string }).msg) },
    );
    return {
      instance,
      bus: this.connect(),
      leases: new LosableLeases(this.#leases),
      store: this.store,
      vault: this.vault,
      codec,
      outlet: this.#outlet,
      spool: await openSpool(join(this.folder, `spool-${instance}`), { maxBytes: 1_000_000 }),
      asks: askWriters({ store, codec, now: () => new Date() }),
      logger,
      lines: noAuditLines,
      now: () => new Date(),
      actors: new ActorHost({ logger, process: instance }),
    };
  }

  /** The types of the events in one stream. */
  async types(stream: string): Promise<string[]> {
    const types: string[] = [];
    for await (const event of this.store.readStream(stream)) types.push(event.type);
    return types;
  }

  async close(): Promise<void> {
    await Promise.all([this.store.close(), this.vault.close()]);
    // An abandoned build may still write its snapshot.
    await rm(this.folder, { recursive: true, force: true, maxRetries: 10 });
  }
}
