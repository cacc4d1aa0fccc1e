import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { IndexEvent } from '../../events/catalog/catalog.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import { BelegError } from '../../events/errors.ts';
import { formatFault, KnowledgeBaseInvalid, type Fault } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import type { Knowledge } from './index-in-use.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

interface IndexSwapOptions extends Pick<ServiceParts, 'store' | 'codec' | 'logger'> {
  knowledge: Knowledge;
}

/** Milliseconds between attempts to read what index was built last. */
const RETRY_MS = 5_000;

/** The index of one process that serves the knowledge base: it takes over the index that a reindex anywhere has built. */
export function indexSwap({ store, codec, knowledge, logger }: IndexSwapOptions) {
  let prepared: KnowledgeIndex | null = null;

  /** `null` where none was, or `signal` has aborted. */
  async function lastBuilt(signal: AbortSignal): Promise<string | null> {
    while (!signal.aborted) {
      try {
        return await readLastBuilt();
      } catch (error) {
        if (signal.aborted) return null;
        logger.warn({ err: error }, 'it is not known yet whether the index in use is the newest one');
        await pause(RETRY_MS, undefined, { signal }).catch(() => undefined);
      }
    }
    return null;
  }

  async function readLastBuilt(): Promise<string | null> {
    for await (const recorded of store.readStream(INDEX_STREAM, { direction: 'backwards' })) {
      if (recorded.type !== 'IndexBuilt') continue;
      const event = (await codec.decode(recorded)) as IndexEvent | undefined;
      if (event?.type === 'IndexBuilt') return event.data.index;
    }
    return null;
  }

  /** A network drive may show for a while how files looked before: then only their bytes tell. */
  async function buildLike(hash: string): Promise<KnowledgeIndex> {
    const built = await knowledge.build();
    if (built.hash === hash) return built;
    await built.close();
    return knowledge.build({ readAll: true });
  }

  return {
    /** Gets the index of the files as they are now ready; resolves with its hash. Rejects with `KB_INVALID`. */
    async prepare(index: string, requestId: string): Promise<string> {
      const left = prepared;
      prepared = null;
      await left?.close();
      if (knowledge.index.hash === index) return index;
      try {
        const built = await buildLike(index);
        // Kept only where it is the one: another is never swapped in.
        if (built.hash === index) prepared = built;
        else await built.close();
        return built.hash;
      } catch (error) {
        logFaults(logger, requestId, error);
        throw new BelegError('KB_INVALID', { cause: error });
      }
    },

    /** Rejects with `INDEX_NOT_READY` where this index was not prepared. */
    swap(index: string): void {
      if (knowledge.index.hash === index) return;
      if (prepared?.hash !== index) throw new BelegError('INDEX_NOT_READY');
      knowledge.swap(prepared);
      prepared = null;
    },

    /**
     * Comes to the index that was built last, in case this process was away when the others swapped. Asks go on meanwhile,
     * on the index in service; so they do where the store is away, which is tried again until `signal` aborts.
     */
    async catchUp(signal: AbortSignal): Promise<void> {
      const built = await lastBuilt(signal);
      const before = knowledge.index;
      if (built === null || built === before.hash) return;
      try {
        const index = await buildLike(built);
        if (index.hash === built && !signal.aborted && knowledge.index === before) {
          knowledge.swap(index);
          logger.info({ index: built }, 'switched to the newest index');
          return;
        }
        await index.close();
        if (index.hash !== built) {
          logger.warn(
            { index: before.hash, built },
            'the files have changed since the newest index was built; run a reindex',
          );
        }
      } catch (error) {
        logger.warn(
          { err: error, index: before.hash, built },
          'the newest index cannot be built in this process',
        );
      }
    },
  };
}

/** Files that the log names, of those that were left out. */
const MAX_LOGGED = 100;

/** Logs why files were left out of an index, and that `beleg kb check` lists all of them. */
export function logLeftOut(logger: Logger, leftOut: readonly Fault[], requestId?: string): void {
  for (const fault of leftOut.slice(0, MAX_LOGGED))
    logger.warn(
      { request_id: requestId, fault: formatFault(fault) },
      'a file of the knowledge base is left out',
    );
  if (leftOut.length > MAX_LOGGED)
    logger.warn({ faults: leftOut.length }, 'more files are left out; `beleg kb check` lists them');
}

/** The caller of a reindex learns how many; which files they are in is the operator's to know. */
export function logFaults(logger: Logger, requestId: string, error: unknown): void {
  if (!(error instanceof KnowledgeBaseInvalid)) return;
  for (const fault of error.faults) {
    logger.error({ request_id: requestId, fault: formatFault(fault) }, 'fault in the knowledge base');
  }
}
