import { ActorHost } from '../../services/foundation/actor-host.ts';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { CATALOG } from '../../events/catalog/catalog.ts';
import { createCodec } from '../../events/define.ts';
import { askWriters } from '../../services/foundation/streams/ask-writers.ts';
import { noAuditLines } from '../../services/foundation/audit-lines.ts';
import { serveAudit, type AuditService } from '../../services/audit/serve-audit.ts';
import { heedErasures } from '../../services/audit/erasure/restored-keys.ts';
import { watchFollowers } from '../../services/foundation/watch-followers.ts';
import { noModels } from '../../services/knowledge/no-models.suite.ts';
import { serveKnowledge, type KnowledgeService } from '../../services/knowledge/serve-knowledge.ts';
import { openSpool } from '../../services/foundation/spool.ts';
import { serveMarket, type MarketService } from '../../services/market/serve-market.ts';
import { serveModels, type ModelService } from '../../services/models/serve-models.ts';
import type { StateHashes } from '../../services/foundation/streams/state-hashes.ts';
import { tidyKeys } from '../../services/composition/tidy-keys.ts';
import type { BrokerOpener } from '../../services/trading/open-broker.ts';
import { openPaperBroker } from '../../services/trading/paper-broker/paper-broker.ts';
import { serveTrading, type TradingService } from '../../services/trading/serve-trading.ts';
import { SimulatedLeases } from './leases.ts';
import type { Process } from './simulated-process.ts';
import type { Simulation } from './simulation.ts';
import { SimulatedStore } from './store.ts';
import { simulatedTrainer } from './trainer.ts';
import { openSimulatedVault } from './vault.ts';
import type { Machine, World } from './world.ts';

export type Role = 'knowledge' | 'audit' | 'trading' | 'market' | 'models';

/** A running service. */
export interface Running {
  readonly process: Process;
  readonly knowledge?: KnowledgeService;
  readonly audit?: AuditService;
  readonly trading?: TradingService;
  readonly market?: MarketService;
  readonly models?: ModelService;
  readonly losses: { readonly stream: string; readonly count: number }[];
  stateHashes(): Promise<StateHashes>;
  /** Stops in order: finishes what it has accepted. */
  stop(): Promise<void>;
}

const SPOOL_BYTES = 256 * 1024;

const silent = (): void => undefined;

/**
 * Starts the real service with simulated parts, like `openRuntime` and `startApplication` for a process of its own. It
 * must be called in the name of its process.
 */
export async function startService(world: World, machine: Machine, process: Process): Promise<Running> {
  const { role, settings } = machine;
  const { simulation, network } = world;
  const losses: { stream: string; count: number }[] = [];
  const logger = tellingLogger(simulation, process, losses);
  const bus = network.connect(process, (error, subject) =>
    simulation.fault(`${process.name}: a handler of ${subject} threw: ${String((error as Error).stack)}`),
  );
  const store = new SimulatedStore(process, world);
  const spool = await openSpool(join(settings.dataDir, 'spool'), { maxBytes: SPOOL_BYTES });
  const leases = new SimulatedLeases(world.leases, process, (error, lease) =>
    logger.error({ err: error, lease }, 'work under a lease failed'),
  );
  const vault = heedErasures(await openSimulatedVault(process, world, machine.name), store);
  if (role === 'knowledge' || role === 'audit') {
    await tidyKeys(vault, store, spool, logger).catch((error: unknown) =>
      logger.warn({ err: error }, 'keys of an earlier run were not looked at'),
    );
  }
  const watch = watchFollowers({ bus, store, leases, logger });
  const codec = createCodec(CATALOG, vault);
  const asks = askWriters({ store, codec, now: () => new Date(), redact: !settings.audit.logContent });
  const options = {
    instance: process.name.replace('.', ''),
    bus,
    store,
    vault,
    codec,
    spool,
    leases,
    asks,
    watch,
    lines: noAuditLines,
    logger,
    dataDir: settings.dataDir,
    now: () => new Date(),
    actors: new ActorHost({ logger, process: process.name }),
  };
  /** The end of every service: it finishes what it has accepted. */
  const running = (
    service: Pick<Running, Role>,
    serving: Serving,
    close = (): Promise<void> => Promise.resolve(),
  ): Running => ({
    ...service,
    process,
    losses,
    stateHashes: async () => serving.stateHashes(),
    stop: async () => {
      await serving.leave();
      await bus.drain();
      await close();
      await watch.end();
      await asks.close();
      await vault.close();
      await spool.close();
      await store.close();
    },
  });
  switch (role) {
    case 'trading': {
      const { rules } = settings.trading;
      const openBroker: BrokerOpener = (of) => openPaperBroker({ ...of, store, codec, rules });
      // The replay runs to its last bar even while trading is not active: a story is over when it waits there.
      const trading = serveTrading({
        ...options,
        settings: { ...settings.trading, feedRests: false },
        openBroker,
      });
      return running({ trading }, trading);
    }
    case 'market': {
      const market = serveMarket({ ...options, settings: settings.market, open: () => world.source });
      return running({ market }, market);
    }
    case 'models': {
      const trainer = simulatedTrainer(simulation);
      const models = serveModels({ ...options, settings: settings.model, trainer });
      return running({ models }, models);
    }
    case 'knowledge': {
      const knowledge = await world.knowledge(machine, process);
      const serving = serveKnowledge({ ...options, settings, knowledge, models: noModels() });
      return running({ knowledge: serving }, serving, async () => {
        await serving.close();
        await knowledge.close();
      });
    }
    case 'audit': {
      const audit = serveAudit({ ...options, settings: settings.audit });
      return running({ audit }, audit);
    }
  }
}

/** The common part of all services. */
interface Serving {
  stateHashes(): StateHashes | Promise<StateHashes>;
  leave(): Promise<void>;
}

/** The log of services is part of the story. */
function tellingLogger(
  simulation: Simulation,
  { name }: Process,
  losses: { stream: string; count: number }[],
): Logger {
  const at =
    (level: string) =>
    (fields: object | string, message = ''): void => {
      const { err, ...rest } = (typeof fields === 'string' ? { message: fields } : fields) as Record<
        string,
        unknown
      >;
      const text = `${level} ${message} ${JSON.stringify(rest)} ${err === undefined ? '' : textOf(err)}`;
      simulation.tell(name, text);
      // The losses that the recorder logs.
      if (typeof rest['lost'] === 'number' && typeof rest['count'] === 'number') {
        losses.push({ stream: String(rest['stream']), count: rest['count'] });
      }
    };
  const logger: Record<string, unknown> = {
    debug: silent,
    trace: silent,
    info: at('info'),
    warn: at('WARN'),
    error: at('ERROR'),
    fatal: at('FATAL'),
    child: () => logger,
  };
  return logger as unknown as Logger;
}

/** The code and causes of an error, but not its stack, which differs between machines. */
function textOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? `${String(error.code)} ` : '';
  const cause = error.cause === undefined ? '' : ` <- ${textOf(error.cause)}`;
  return `${code}${error.message}${cause}`;
}
