import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAuditLines, noAuditLines } from './audit/lines.ts';
import { serveAudit, type AuditService } from './audit/service.ts';
import { Closers } from './closers.ts';
import type { Settings } from './config.ts';
import { createKnowledgeGateway } from './gateway/knowledge.ts';
import { openKnowledge } from './knowledge/knowledge.ts';
import { serveKnowledge, type KnowledgeService } from './knowledge/service.ts';
import { openBusRuntime, openRuntime, type BusRuntime, type Runtime } from './runtime.ts';

/** The services of this system. One process runs all of them, or each runs in processes of its own. */
export const SERVICES = ['gateway', 'knowledge', 'audit', 'market', 'trading', 'models'] as const;
export type ServiceName = (typeof SERVICES)[number];

export interface Application {
  /** Where the gateway listens; `null` where it does not run here. */
  readonly url: string | null;
  readonly runtime: BusRuntime;
  readonly knowledge: KnowledgeService | null;
  readonly audit: AuditService | null;
  /** Stops accepting, finishes what it took, closes the record last. */
  close(): Promise<void>;
}

export interface ApplicationOptions {
  /** Default: all. */
  services?: readonly ServiceName[];
  open?: typeof openRuntime;
}

/**
 * Starts services in this process, on one bus.
 *
 * Rejects with `KnowledgeBaseInvalid` for a broken knowledge base, `STORE_UNAVAILABLE` for a `DATA_DIR` that cannot
 * be used, or the fault of listening; nothing stays open then.
 */
export async function startApplication(
  settings: Settings,
  logger: Logger,
  { services = SERVICES, open = openRuntime }: ApplicationOptions = {},
): Promise<Application> {
  const closers = new Closers();
  try {
    const started = services.some((service) => service !== 'gateway')
      ? await startDeciders(services, settings, logger, open, closers)
      : await startBus(settings, logger, closers);
    // Between the services and the gateway: handlers finish while what they write to is still open.
    closers.add(() => started.runtime.bus.drain());
    closers.add(async () => started.audit?.leave());

    let url: string | null = null;
    if (services.includes('gateway')) {
      const gateway = await createKnowledgeGateway(started.runtime.bus, settings, logger);
      closers.add(() => gateway.close());
      await gateway.listen({ host: settings.host, port: settings.port });
      url = urlOf(gateway.server.address() as AddressInfo);
    }
    // First of all: whoever waits for a reindex would hold up the stop.
    closers.add(async () => started.knowledge?.leave());
    return { ...started, url, close: () => closers.close() };
  } catch (error) {
    await closers.close();
    throw error;
  }
}

interface Started {
  runtime: BusRuntime;
  knowledge: KnowledgeService | null;
  audit: AuditService | null;
}

async function startBus(settings: Settings, logger: Logger, closers: Closers): Promise<Started> {
  const runtime = await openBusRuntime(settings, logger);
  closers.add(() => runtime.close());
  return { runtime, knowledge: null, audit: null };
}

async function startDeciders(
  services: readonly ServiceName[],
  settings: Settings,
  logger: Logger,
  open: (settings: Settings, logger: Logger) => Promise<Runtime>,
  closers: Closers,
): Promise<Started> {
  // The knowledge base first: it is what an operator can break, and its faults need no open store.
  const index = services.includes('knowledge') ? await openKnowledge(settings) : null;
  if (index !== null && index.warnings.length > 0) {
    logger.info({ warnings: index.warnings.length }, 'knowledge base: `beleg kb check` lists its warnings');
  }
  const runtime = await open(settings, logger);
  closers.add(() => runtime.close());

  const lines = settings.audit.stdout ? createAuditLines((line) => process.stdout.write(line)) : noAuditLines;
  const shared = { ...runtime, lines, logger, settings, now: () => new Date() };
  const audit = services.includes('audit') ? serveAudit({ ...shared, settings: settings.audit }) : null;
  if (audit !== null) {
    closers.add(() => audit.leave());
    // Alone there is nobody to stand by for: what only one process may run, runs here once the start is done.
    if (settings.distributed === null) await audit.allHeld;
  }
  const knowledge = index === null ? null : serveKnowledge({ ...shared, knowledge: index });
  if (knowledge !== null) {
    closers.add(() => knowledge.close());
    closers.add(() => knowledge.leave());
    if (settings.distributed === null) await knowledge.allHeld;
  }
  return { runtime, knowledge, audit };
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
