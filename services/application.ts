import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import { createAuditLines, noAuditLines } from './audit/lines.ts';
import { serveAudit, type AuditService } from './audit/service.ts';
import type { Settings } from './config.ts';
import { createKnowledgeGateway } from './gateway/knowledge.ts';
import { openKnowledge } from './knowledge/knowledge.ts';
import { serveKnowledge } from './knowledge/service.ts';
import { openRuntime, type Runtime } from './runtime.ts';

export interface Application {
  /** Where it listens. */
  readonly url: string;
  readonly runtime: Runtime;
  readonly audit: AuditService;
  /** Stops accepting, finishes what it took, closes the record last. */
  close(): Promise<void>;
}

/**
 * The whole system in one process: knowledge service, audit service and gateway on one bus.
 *
 * Rejects with `KnowledgeBaseInvalid` for a broken knowledge base, `STORE_UNAVAILABLE` for a `DATA_DIR` that cannot
 * be used, or the fault of listening; nothing stays open then.
 */
export async function startApplication(
  settings: Settings,
  logger: Logger,
  open: typeof openRuntime = openRuntime,
): Promise<Application> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    // The knowledge base first: it is what an operator can break, and its faults need no open store.
    const knowledge = await openKnowledge(settings);
    if (knowledge.warnings.length > 0) {
      logger.info(
        { warnings: knowledge.warnings.length },
        'knowledge base: `beleg kb check` lists its warnings',
      );
    }
    const runtime = await open(settings, logger);
    closers.push(() => runtime.close());

    const lines = settings.audit.stdout
      ? createAuditLines((line) => process.stdout.write(line))
      : noAuditLines;
    const shared = { ...runtime, lines, logger, settings, now: () => new Date() };
    const audit = serveAudit({ ...shared, settings: settings.audit });
    closers.push(() => audit.close());
    const service = await serveKnowledge({ ...shared, knowledge });
    closers.push(() => service.close());
    // Between the services and the gateway: handlers finish while what they write to is still open.
    closers.push(() => runtime.bus.drain());

    const gateway = await createKnowledgeGateway(runtime.bus, settings, logger);
    closers.push(() => gateway.close());
    closers.push(async () => service.stopReindex());
    await gateway.listen({ host: settings.host, port: settings.port });
    return { url: urlOf(gateway.server.address() as AddressInfo), runtime, audit, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function urlOf({ address, family, port }: AddressInfo): string {
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`;
}
