import { join } from 'node:path';
import type { ServerProcess } from '../events/store/eventstoredb/server-process.suite.ts';
import { spawnEventStore } from '../events/store/eventstoredb/served.suite.ts';
import { startNatsServer, type NatsServer } from '../events/nats/server.suite.ts';
import { Client } from './application.suite.ts';
import { readSettings, type Environment, type Settings } from './config.ts';
import { BelegProcess } from './process.suite.ts';

/** The system as it runs for real: NATS, an event store, and each service in processes of its own. */
export class Cluster {
  readonly nats: NatsServer;
  readonly store: ServerProcess;
  readonly environment: Environment;
  gateway!: BelegProcess;
  client!: Client;
  readonly knowledge: BelegProcess[] = [];
  readonly audit: BelegProcess[] = [];
  /** Market, models, and as many that trade: of these one holds the account. */
  readonly market: BelegProcess[] = [];
  readonly trading: BelegProcess[] = [];

  private constructor(nats: NatsServer, store: ServerProcess, environment: Environment) {
    this.nats = nats;
    this.store = store;
    this.environment = { ...environment, NATS_URL: nats.url, EVENTSTORE_URL: store.url };
  }

  /** As an operator has them who works beside the processes. */
  get settings(): Settings {
    return readSettings(this.environment);
  }

  /** Resolves when all are ready. `environment` says where the knowledge base and `DATA_DIR` are. */
  static async start(
    folder: string,
    environment: Environment,
    { knowledge = 2, audit = 1, trading = 0 }: { knowledge?: number; audit?: number; trading?: number } = {},
  ): Promise<Cluster> {
    const [nats, store] = await Promise.all([
      startNatsServer(),
      spawnEventStore({ file: join(folder, 'stand-in.db') }),
    ]);
    const cluster = new Cluster(nats, store, environment);
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

  /** One more process of a service; the caller keeps it, and waits until it is `ready`. */
  run(service: string, environment: Environment = {}): BelegProcess {
    return new BelegProcess(['service', service], { ...this.environment, ...environment });
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
