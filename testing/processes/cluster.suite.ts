import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ServerProcess } from '../eventstoredb/server-process.suite.ts';
import { spawnEventStore } from '../eventstoredb/served.suite.ts';
import type { NatsConnection } from 'nats';
import { connectNats } from '../../events/nats/connection.ts';
import { startNatsServer, type NatsServer } from '../nats/server.suite.ts';
import { Client } from './application.suite.ts';
import { readSettings, type Settings } from '../../services/composition/settings.ts';
import type { Environment } from '../../services/foundation/settings-error.ts';
import { BelegProcess } from './process.suite.ts';
import type { ServiceName } from '../../services/composition/service-names.ts';

const CONFIGURATION = join(import.meta.dirname, '..', '..', 'nats.conf');
const USERS = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models', 'operator'] as const;
export type NatsUser = (typeof USERS)[number];

/**
 * The whole system: NATS with the permissions of `nats.conf`, an event store, and each service in processes of its own.
 */
export class Cluster {
  readonly nats: NatsServer;
  readonly store: ServerProcess;
  readonly #environment: Environment;
  readonly #passwords: Readonly<Record<string, string>>;
  gateway!: BelegProcess;
  client!: Client;
  readonly knowledge: BelegProcess[] = [];
  readonly audit: BelegProcess[] = [];
  /** One process for market and models each, and several for trading, one of which holds the account. */
  readonly market: BelegProcess[] = [];
  readonly trading: BelegProcess[] = [];

  private constructor(
    nats: NatsServer,
    store: ServerProcess,
    environment: Environment,
    passwords: Readonly<Record<string, string>>,
  ) {
    this.nats = nats;
    this.store = store;
    this.#environment = { ...environment, NATS_URL: nats.url, EVENTSTORE_URL: store.url };
    this.#passwords = passwords;
  }

  environment(user: NatsUser): Environment {
    return { ...this.#environment, NATS_USER: user, NATS_PASSWORD: this.#passwords[passwordOf(user)] };
  }

  /** The settings of commands that run beside the processes of `audit`. */
  get settings(): Settings {
    return readSettings(this.environment('audit'));
  }

  /** The permission violations at NATS, except for an expected one: everybody tries to create the leases. */
  get violations(): readonly string[] {
    return this.nats.violations.filter((line) => !line.includes('STREAM.CREATE.KV_beleg_leases'));
  }

  connect(user: NatsUser): Promise<NatsConnection> {
    return connectNats(readSettings(this.environment(user)).distributed!.nats, { name: `test-${user}` });
  }

  /** Resolves when all are ready. `environment` names the knowledge base and `DATA_DIR`. */
  static async start(
    folder: string,
    environment: Environment,
    { knowledge = 2, audit = 1, trading = 0 }: { knowledge?: number; audit?: number; trading?: number } = {},
  ): Promise<Cluster> {
    const passwords = Object.fromEntries(USERS.map((user) => [passwordOf(user), `p${randomUUID()}`]));
    const [nats, store] = await Promise.all([
      startNatsServer(['-c', CONFIGURATION, '-m', '-1'], passwords),
      spawnEventStore({ file: join(folder, 'stand-in.db') }),
    ]);
    const cluster = new Cluster(nats, store, environment, passwords);
    try {
      cluster.gateway = cluster.run('gateway');
      for (let n = 0; n < knowledge; n++) cluster.knowledge.push(cluster.run('knowledge'));
      for (let n = 0; n < audit; n++) cluster.audit.push(cluster.run('audit'));
      if (trading > 0) cluster.market.push(cluster.run('market'), cluster.run('models'));
      for (let n = 0; n < trading; n++) cluster.trading.push(cluster.run('trading'));
      await Promise.all(cluster.#services().map((service) => service.ready));
      cluster.client = new Client(await cluster.gateway.listening);
      return cluster;
    } catch (error) {
      await cluster.stop();
      throw error;
    }
  }

  /** Starts one more process of a service; the caller waits until it is `ready`. */
  run(service: ServiceName, environment: Environment = {}): BelegProcess {
    return new BelegProcess(['service', service], { ...this.environment(service), ...environment });
  }

  /** Stops everything in order; resolves with the exit codes of the services. */
  async stop(): Promise<(number | null)[]> {
    const codes = await Promise.all(this.#services().map((service) => service.stop()));
    await this.store.remove();
    await this.nats.remove();
    return codes;
  }

  #services(): BelegProcess[] {
    return [this.gateway, ...this.knowledge, ...this.audit, ...this.market, ...this.trading].filter(
      (service) => service !== undefined,
    );
  }
}

const passwordOf = (user: NatsUser): string => `NATS_${user.toUpperCase()}_PASSWORD`;
