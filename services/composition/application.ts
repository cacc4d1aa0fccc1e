import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { ListActors } from '../../events/messages/actors.ts';
import { ActorHost } from '../foundation/actor-host.ts';
import { Responder } from '../foundation/responder.ts';
import { askWriters } from '../foundation/streams/ask-writers.ts';
import { createAuditLines, noAuditLines } from '../foundation/audit-lines.ts';
import { serveAudit } from '../audit/serve-audit.ts';
import { closingOnFailure } from '../foundation/closers.ts';
import { makeDataDir } from '../foundation/data-dir.ts';
import type { Settings } from './settings.ts';
import { watchFollowers } from '../foundation/watch-followers.ts';
import { openDashboardGateway } from '../gateway/dashboard/dashboard.ts';
import { openKnowledgeGateway } from '../gateway/knowledge/knowledge.ts';
import { assertFree, keepListening, namingPort, urlOf, type ListenAt } from '../foundation/listening.ts';
import { countLeftOut, tellFiles } from '../../kb/base/load.ts';
import { openKnowledge, type Indexing } from '../knowledge/index-in-use.ts';
import { logLeftOut } from '../knowledge/index-swap.ts';
import { openModels } from '../knowledge/open-models.ts';
import { serveKnowledge } from '../knowledge/serve-knowledge.ts';
import { keepSnapshot } from '../knowledge/snapshot-in-place.ts';
import { checkFiles } from '../strategies/check-files.ts';
import { checkFolder } from '../market/sources/check-folder.ts';
import { serveMarket } from '../market/serve-market.ts';
import { serveModels } from '../models/serve-models.ts';
import { readStatus } from './operations/process-status.ts';
import { startRelay } from './relay.ts';
import { SERVICES, type ServiceName } from './service-names.ts';
import { openBusRuntime, openRuntime, type BusRuntime } from './runtime.ts';
import { serveTrading } from '../trading/serve-trading.ts';
import type { Services, Application } from './running.ts';

interface ApplicationOptions {
  /** The services to run; by default all. */
  services?: readonly ServiceName[];
  open?: typeof openRuntime;
  indexing?: Indexing;
}

const NOTHING: Services = { knowledge: null, audit: null, market: null, models: null, trading: null };

/**
 * Starts services in this process, on one bus.
 *
 * Rejects with `SettingsError` for a `TD_SOURCE` that was never read and cannot be read, and for a `TD_STRATEGY` whose
 * file is missing, with `KnowledgeBaseInvalid` for a knowledge base that cannot be used at all, with
 * `LocalModelInvalid` for a model that cannot be used, with `STORE_UNAVAILABLE` for a `DATA_DIR` that cannot be used,
 * or with the error of listening; nothing stays open then.
 */
export async function startApplication(
  settings: Settings,
  logger: Logger,
  { services = SERVICES, open = openRuntime, indexing = {} }: ApplicationOptions = {},
): Promise<Application> {
  return closingOnFailure(async (closers) => {
    const isDeciding = services.some((service) => service !== 'gateway');
    // Comes before the knowledge base and market data are read, which may take minutes.
    if (isDeciding) await makeDataDir(settings);
    if (services.includes('market')) await checkFolder(settings.market);
    if (services.includes('trading')) checkFiles(settings.trading.own?.sources ?? []);
    if (services.includes('gateway')) {
      await assertFree('PV_PORT', settings);
      await assertFree('TD_PORT', settings.dashboard);
    }
    const started = isDeciding
      ? await startDeciders(services, settings, logger, { open, indexing }, closers)
      : await startBus(settings, logger, closers);
    const { bus } = started.runtime;
    // The bus is drained after the gateway has closed and before the services close, so that handlers finish while they
    // can still write.
    closers.defer(() => bus.drain());
    closers.defer(async () => started.leave());

    const gateways: FastifyInstance[] = [];
    // All services leave together, so that none accepts work for which another would wait, and no caller of a reindex
    // or a session is waited for.
    closers.defer(async () => {
      await Promise.all([
        started.trading?.endSessions(),
        ...gateways.map((gateway) => gateway.close()),
        started.knowledge?.leave(),
      ]);
    });
    const listen = async (
      gateway: FastifyInstance,
      setting: 'PV_PORT' | 'TD_PORT',
      { host, port }: ListenAt,
    ): Promise<string> => {
      gateways.push(gateway);
      await namingPort(setting, () => gateway.listen({ host, port }));
      return urlOf(gateway.server);
    };
    let url: string | null = null;
    let dashboardUrl: string | null = null;
    if (services.includes('gateway')) {
      // A process with only the gateway has an endpoint of its own for readiness, like processes of other services.
      const isAlone = services.every((service) => service === 'gateway');
      const readiness = (port: 'knowledge' | 'trading') => {
        if (isAlone) return undefined;
        return () => {
          // Clients can reach this port, so of the status it shows only followers.
          const { ready, degraded } = readStatus('gateway', 'running', started, port);
          return { ready, degraded };
        };
      };
      url = await listen(
        await openKnowledgeGateway(bus, settings, logger, readiness('knowledge')),
        'PV_PORT',
        settings,
      );
      const dashboard = {
        ...settings.dashboard,
        model: settings.model,
        allowedHosts: settings.allowedHosts,
        rateLimit: settings.rateLimit,
      };
      dashboardUrl = await listen(
        await openDashboardGateway(bus, dashboard, logger, readiness('trading')),
        'TD_PORT',
        settings.dashboard,
      );
      if (settings.distributed === null) closers.defer(await keepListening(settings.dataDir, url, logger));
    }
    started.load();
    return { ...started, url, dashboardUrl, close: () => closers.disposeAsync() };
  });
}

interface Started extends Omit<Application, 'url' | 'dashboardUrl' | 'close'> {
  /** Reads data in the background for which requests would otherwise wait. */
  load(): void;
  /** Finishes what must not be interrupted and releases the leases; requests are still answered. */
  leave(): Promise<void>;
}

async function startBus(settings: Settings, logger: Logger, closers: AsyncDisposableStack): Promise<Started> {
  const runtime = await openBusRuntime(settings, logger);
  closers.defer(() => runtime.close());
  hostActors(runtime, logger);
  return { ...NOTHING, runtime, watch: null, load: () => undefined, leave: () => Promise.resolve() };
}

/** Hosts the actors of this process, and lists them for callers that query all processes. */
function hostActors({ bus, instance }: BusRuntime, logger: Logger): ActorHost {
  const actors = new ActorHost({ logger, process: instance });
  new Responder({ bus, logger }, 'actors').answer(ListActors, async () => actors.list());
  return actors;
}

interface Begun {
  readonly allHeld: Promise<void>;
  leave(): Promise<void>;
}

const now = (): Date => new Date();

async function startDeciders(
  services: readonly ServiceName[],
  settings: Settings,
  logger: Logger,
  { open, indexing }: Required<Pick<ApplicationOptions, 'open' | 'indexing'>>,
  closers: AsyncDisposableStack,
): Promise<Started> {
  // The knowledge base comes first: an operator can break it, and its faults are found without an open store.
  if (services.includes('knowledge')) {
    const { kbPath: folder } = settings;
    logger.info(
      { folder },
      'the knowledge base is being read; what else this process needs comes after that',
    );
  }
  const index = services.includes('knowledge') ? await openKnowledge(settings, indexing) : null;
  if (index !== null) closers.defer(() => index.close());
  if (index !== null && index.warnings.length > 0) {
    logger.info(
      { warnings: index.warnings.length },
      'the knowledge base has warnings; `beleg kb check` lists them',
    );
  }
  if (index !== null) {
    const { files } = index.index;
    logger.info(
      { files: files.read, left_out: countLeftOut(files) },
      `the knowledge base is read: ${tellFiles(files)}`,
    );
    logLeftOut(logger, files.leftOut);
    closers.defer(keepSnapshot(index, logger));
  }
  const answering = index === null ? null : await openModels(settings, logger);
  if (answering !== null) closers.defer(() => answering.close());
  const runtime = await open(settings, logger, services);
  closers.defer(() => runtime.close());

  const lines = settings.audit.stdout ? createAuditLines((line) => process.stdout.write(line)) : noAuditLines;
  const { store, codec } = runtime;
  // The writers of asks' streams, shared by all services in this process.
  const asks = askWriters({ store, codec, now, redact: !settings.audit.logContent });
  closers.defer(() => asks.close());
  const watch = watchFollowers({ ...runtime, logger });
  closers.defer(() => watch.end());
  const shared = {
    ...runtime,
    asks,
    watch,
    lines,
    logger,
    settings,
    dataDir: settings.dataDir,
    now,
    actors: hostActors(runtime, logger),
  };
  const leaving = new AsyncDisposableStack();
  closers.defer(() => leaving.disposeAsync());
  // A single process is never on standby: its start waits until it holds the leases of all services.
  const begun = async (service: Begun): Promise<void> => {
    if (settings.distributed === null) await service.allHeld;
  };
  const begin = async <Service extends Begun>(name: ServiceName, serve: () => Service) => {
    if (!services.includes(name)) return null;
    const service = serve();
    leaving.defer(() => service.leave());
    await begun(service);
    return service;
  };
  const { outlet } = runtime;
  if (outlet !== null) leaving.defer(startRelay({ ...shared, outlet }));
  const audit = await begin('audit', () =>
    serveAudit({ ...shared, settings: settings.audit, hasOthers: settings.distributed !== null }),
  );
  const knowledge =
    index === null || answering === null
      ? null
      : serveKnowledge({
          ...shared,
          knowledge: index,
          models: answering,
          watchFiles: true,
          hasOthers: settings.distributed !== null,
        });
  if (knowledge !== null) {
    closers.defer(() => knowledge.close());
    closers.defer(() => knowledge.leave());
    await begun(knowledge);
  }
  const market = await begin('market', () => serveMarket({ ...shared, settings: settings.market }));
  const models = await begin('models', () => serveModels({ ...shared, settings: settings.model }));
  const trading = await begin('trading', () => serveTrading({ ...shared, settings: settings.trading }));
  const load = (): void => index?.load();
  const leave = (): Promise<void> => leaving.disposeAsync();
  return { runtime, watch, knowledge, audit, market, models, trading, load, leave };
}
