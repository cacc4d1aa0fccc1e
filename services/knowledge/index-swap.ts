import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { IndexEvent } from '../../events/catalog/catalog.ts';
import { INDEX_STREAM } from '../../events/catalog/knowledge.ts';
import { BelegError } from '../../events/errors.ts';
import { newCall } from '../../events/messages/define.ts';
import { formatFault, KnowledgeBaseInvalid, type Fault } from '../../kb/base/faults.ts';
import type { KnowledgeIndex } from '../../kb/knowledge.ts';
import type { Knowledge } from './index-in-use.ts';
import type { Instances } from './instances.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

interface IndexSwapOptions extends Pick<ServiceParts, 'store' | 'codec' | 'logger'> {
  knowledge: Knowledge;
  instances: Pick<Instances, 'health'>;
}

/** Milliseconds between two attempts to read which index was built last. */
const RETRY_MS = 5_000;

/** Swaps the index of one knowledge process when any process has built a new one. */
export function indexSwap({ store, codec, knowledge, instances, logger }: IndexSwapOptions) {
  let prepared: KnowledgeIndex | null = null;

  /** The index that was built last; `null` if none was, or `signal` has aborted. */
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

  /**
   * Builds an index that should have this hash. A network drive may report the old state of files for a while; then
   * every file is read again.
   */
  async function buildLike(hash: string): Promise<KnowledgeIndex> {
    const built = await knowledge.build();
    if (built.hash === hash) return built;
    await built.close();
    return knowledge.build({ readAll: true });
  }

  return {
    /** Prepares the index of the present files; resolves with its hash. Rejects with `KB_INVALID`. */
    async prepare(index: string, requestId: string): Promise<string> {
      const left = prepared;
      prepared = null;
      await left?.close();
      if (knowledge.index.hash === index) return index;
      try {
        const built = await buildLike(index);
        // The index is kept only if it is the expected one; another is never swapped in.
        if (built.hash === index) prepared = built;
        else await built.close();
        return built.hash;
      } catch (error) {
        logFaults(logger, requestId, error);
        throw new BelegError('KB_INVALID', { cause: error });
      }
    },

    /** Swaps to the prepared index. Throws `INDEX_NOT_READY` if this index was not prepared. */
    swap(index: string): void {
      if (knowledge.index.hash === index) return;
      if (prepared?.hash !== index) throw new BelegError('INDEX_NOT_READY');
      knowledge.swap(prepared);
      prepared = null;
    },

    /**
     * Swaps to the index that was built last, in case this process was away when others did. Asks continue on the index
     * in service. While the store is away this is retried until `signal` aborts. If no other process uses that index,
     * nothing is done: each start takes changed files in.
     */
    async catchUp(signal: AbortSignal): Promise<void> {
      const built = await lastBuilt(signal);
      const before = knowledge.index;
      if (built === null || built === before.hash) return;
      const others = await instances.health(newCall(randomUUID()));
      if (!others.some(({ index }) => index === built)) return;
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

/** The most left-out files that the log names. */
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

/**
 * Logs the faults of a base. The caller of a reindex only gets their number; which files they are is for the operator.
 */
export function logFaults(logger: Logger, requestId: string, error: unknown): void {
  if (!(error instanceof KnowledgeBaseInvalid)) return;
  for (const fault of error.faults) {
    logger.error({ request_id: requestId, fault: formatFault(fault) }, 'fault in the knowledge base');
  }
}
