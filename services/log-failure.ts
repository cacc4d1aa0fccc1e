import type { Logger } from 'pino';
import { isBelegError } from '../events/errors.ts';
import type { CallContext } from '../events/messages/define.ts';

/** For `serve`: a refusal (busy, disabled, running already) is a line, a fault comes with its cause. */
export function logFailure(logger: Logger): (error: unknown, call: CallContext) => void {
  return (error, call) => {
    const request_id = call.correlationId;
    if (isBelegError(error) && error.cause === undefined && error.status === 503) {
      logger.warn({ request_id, code: error.code }, 'a request was refused');
    } else {
      logger.error({ request_id, err: error }, 'a request failed');
    }
  };
}
