import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import { call, type CallContext } from '../../events/messages/define.ts';
import { KnowledgeHealth } from '../../events/messages/knowledge.ts';

/** Seconds after which another try makes sense, because the election of a leader takes 1 to 9. */
const RETRY_AFTER = 2;

/**
 * Runs `work` on a recorded answer. If none is found, the answer may still wait in the spool of the process that gave
 * it, because the store was away. Nobody can then say that there is no answer, so the error is `AUDIT_UNAVAILABLE`
 * instead of `UNKNOWN_REQUEST_ID`. A knowledge service that does not run has nothing waiting.
 */
export async function unlessItWaits<T>(
  bus: MessageBus,
  context: CallContext,
  attempt: () => Promise<T>,
): Promise<T> {
  try {
    return await attempt();
  } catch (error) {
    if (!isBelegError(error, 'UNKNOWN_REQUEST_ID')) throw error;
    if ((await waiting(bus, context)) === 0) return attempt();
    throw new BelegError('AUDIT_UNAVAILABLE', {
      detail: 'some answers are still waiting to be recorded; this may be one of them',
      retryAfter: RETRY_AFTER,
      cause: error,
    });
  }
}

/** The number of events in the spools of all knowledge processes. */
async function waiting(bus: MessageBus, { correlationId, callId, trace }: CallContext): Promise<number> {
  try {
    return (await call(bus, KnowledgeHealth, {}, { correlationId, callId, trace })).spooled;
  } catch (error) {
    if (isBelegError(error, 'NO_RESPONDERS')) return 0;
    throw error;
  }
}
