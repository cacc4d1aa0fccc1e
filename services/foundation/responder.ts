import type { Logger } from 'pino';
import type { z } from 'zod';
import type { MessageBus } from '../../events/bus/bus.ts';
import { BelegError, isBelegError } from '../../events/errors.ts';
import {
  serve,
  type CallContext,
  type RequestDefinition,
  type RequestHandler,
} from '../../events/messages/define.ts';

/**
 * Answers requests as a member of a queue group, until it leaves. `handsOn`: only the holder of a lease answers. One that
 * another holder has overtaken says so as one that has stopped does, so that a query is asked again, of the other one.
 */
export class Responder {
  readonly #bus: MessageBus;
  readonly #queue: string;
  readonly #onError: ReturnType<typeof logFailure>;
  readonly #handsOn: boolean;
  readonly #serving: ReturnType<typeof serve>[] = [];

  constructor(
    { bus, logger }: { bus: MessageBus; logger: Logger },
    queue: string,
    { handsOn = false }: { handsOn?: boolean } = {},
  ) {
    this.#bus = bus;
    this.#handsOn = handsOn;
    this.#queue = queue;
    this.#onError = logFailure(logger);
  }

  /** See `serve`. */
  answer<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    handler: RequestHandler<Req, Rep>,
  ): void {
    const answer = this.#handsOn ? handedOn(handler) : handler;
    this.#serving.push(serve(this.#bus, definition, this.#queue, answer, this.#onError));
  }

  /** From here on no request arrives. */
  async leave(): Promise<void> {
    await Promise.all(this.#serving.map((serving) => serving.unsubscribe()));
  }

  /** Resolves when every accepted request is answered. */
  async rest(): Promise<void> {
    await Promise.all(this.#serving.map((serving) => serving.rest()));
  }
}

const handedOn =
  <Req extends z.ZodType, Rep extends z.ZodType>(
    handler: RequestHandler<Req, Rep>,
  ): RequestHandler<Req, Rep> =>
  async (request, call) => {
    try {
      return await handler(request, call);
    } catch (error) {
      if (!isBelegError(error, 'WRONG_EXPECTED_REVISION')) throw error;
      throw new BelegError('RESPONDER_LOST', {
        detail: 'Another process has taken over; nothing was recorded by this one',
        retryAfter: 1,
      });
    }
  };

/** Logs a refusal (busy, disabled, running already) in one line, and a fault with its cause. */
function logFailure(logger: Logger): (error: unknown, call: CallContext) => void {
  return (error, call) => {
    const request_id = call.correlationId;
    if (isBelegError(error) && error.cause === undefined && error.status === 503) {
      logger.warn({ request_id, code: error.code }, 'a request was refused');
    } else {
      logger.error({ request_id, err: error }, 'a request failed');
    }
  };
}
