import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { isBelegError } from '../../../events/errors.ts';
import { call, type CallContext, type RequestDefinition } from '../../../events/messages/define.ts';

interface RetryOptions {
  /**
   * `same call`, which is the default: the service knows the call by its id and does its work once, however often it is asked.
   * `another call`: the work is done anew, and both attempts are on record.
   */
  as?: 'same call' | 'another call';
  signal?: AbortSignal;
}

/**
 * `call`, once more within the same time where whoever took it is gone (`RESPONDER_LOST`): it may have been carried out,
 * so only for what may be asked twice.
 */
export async function callAgainIfLost<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  context: CallContext,
  { as = 'same call', ...options }: RetryOptions = {},
): Promise<z.output<Rep>> {
  const start = performance.now();
  try {
    return await call(bus, definition, payload, context, options);
  } catch (error) {
    const timeoutMs = Math.floor(definition.timeoutMs - (performance.now() - start));
    if (!isBelegError(error, 'RESPONDER_LOST') || timeoutMs <= 0) throw error;
    const callId = as === 'same call' ? context.callId : randomUUID();
    return call(bus, definition, payload, { ...context, callId }, { ...options, timeoutMs });
  }
}
