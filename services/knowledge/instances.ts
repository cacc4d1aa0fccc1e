import type { z } from 'zod';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { call, toInstance, type CallContext } from '../../events/messages/define.ts';
import { InstanceHealth, PrepareIndex, SwapIndex } from '../../events/messages/knowledge.ts';
import type { ServiceParts } from '../foundation/service-parts.ts';

/** Each knowledge process holds a lease with its own name, so the leases list the processes. */
export const INSTANCE_LEASES = 'knowledge-instance.';

interface InstancesOptions extends Pick<ServiceParts, 'bus' | 'leases' | 'logger'> {
  /** The name of this process. */
  instance: string;
}

/** Calls the other knowledge processes by name. A process that is gone is left out; it catches up when it is back. */
export function otherInstances({ bus, leases, logger, instance }: InstancesOptions) {
  /** Whether the process is gone. Its lease may last some seconds longer than the process. */
  function isGone(name: string, error: unknown): boolean {
    const gone = isBelegError(error, 'NO_RESPONDERS', 'RESPONDER_LOST', 'DEADLINE_EXCEEDED');
    if (gone) logger.warn({ instance: name, code: error.code }, 'a process does not answer');
    return gone;
  }

  /** The names of the other processes. Rejects with `SERVICE_UNAVAILABLE`. */
  async function others(): Promise<string[]> {
    const names = await leases.list(INSTANCE_LEASES);
    return names.map((name) => name.slice(INSTANCE_LEASES.length)).filter((name) => name !== instance);
  }

  /** Prepares one process. Returns its name; `null` if it is gone. */
  async function prepareOne(
    name: string,
    index: string,
    context: CallContext,
    signal: AbortSignal,
  ): Promise<string | null> {
    try {
      const request = { request_id: context.correlationId, index };
      const reply = await call(bus, toInstance(PrepareIndex, name), request, context, { signal });
      if (reply.index === index) return name;
      logger.error(
        { instance: name, index, theirs: reply.index },
        'a process uses a different knowledge base',
      );
      throw new BelegError('SERVICE_UNAVAILABLE', {
        detail: 'The files of the knowledge base differ between processes; the old index stays in use',
      });
    } catch (error) {
      if (isGone(name, error)) return null;
      if (isBelegError(error, 'SERVICE_UNAVAILABLE')) throw error;
      throw new BelegError('SERVICE_UNAVAILABLE', {
        detail: 'Another process could not build the index; the old one stays in use',
        cause: error,
      });
    }
  }

  return {
    others,

    /**
     * Has each process prepare the index; resolves with the names of those that have prepared it. Rejects with
     * `SERVICE_UNAVAILABLE` if one of them builds another index or none: then no process may swap, or one question
     * would get different answers.
     */
    async prepare(
      names: readonly string[],
      index: string,
      context: CallContext,
      signal: AbortSignal,
    ): Promise<string[]> {
      const prepared = await Promise.all(names.map((name) => prepareOne(name, index, context, signal)));
      return prepared.filter((name) => name !== null);
    },

    /**
     * Swaps the index in all processes. Never rejects, because after the first swap there is no way back; a process
     * that fails is logged.
     */
    async swap(names: readonly string[], index: string, context: CallContext): Promise<void> {
      const swaps = names.map((name) =>
        call(bus, toInstance(SwapIndex, name), { index }, context).catch((error: unknown) => {
          if (isGone(name, error)) return;
          logger.error({ err: error, instance: name, index }, 'a process could not switch to the new index');
        }),
      );
      await Promise.all(swaps);
    },

    /** The replies of the processes that answer in time. */
    async health(context: CallContext): Promise<z.output<typeof InstanceHealth.reply>[]> {
      const names = await others().catch((error: unknown) => {
        logger.warn({ err: error }, 'the other processes cannot be listed');
        return [];
      });
      const answers = names.map((name) =>
        call(bus, toInstance(InstanceHealth, name), {}, context).catch((error: unknown) => {
          if (!isGone(name, error))
            logger.warn({ err: error, instance: name }, 'a process could not report its health');
          return null;
        }),
      );
      return (await Promise.all(answers)).filter((answer) => answer !== null);
    },
  };
}

export type Instances = ReturnType<typeof otherInstances>;
