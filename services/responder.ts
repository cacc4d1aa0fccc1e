import type { Logger } from 'pino';
import type { z } from 'zod';
import type { MessageBus, Subscription } from '../events/bus/bus.ts';
import { isBelegError } from '../events/errors.ts';
import { serve, type CallContext, type RequestDefinition } from '../events/messages/define.ts';

/** Answers requests as one of a queue group, until it leaves. */
export class Responder {
  readonly #bus: MessageBus;
  readonly #queue: string;
  readonly #onError: ReturnType<typeof logFailure>;
  readonly #subscriptions: Subscription[] = [];
  readonly #taken = new Set<Promise<unknown>>();

  constructor({ bus, logger }: { bus: MessageBus; logger: Logger }, queue: string) {
    this.#bus = bus;
    this.#queue = queue;
    this.#onError = logFailure(logger);
  }

  /** See `serve`. */
  answer<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    handler: (
      request: z.output<Req>,
      call: CallContext & { deadline: Date; left: AbortSignal },
    ) => Promise<z.input<Rep>>,
  ): void {
    const counted: typeof handler = (request, call) => {
      const answering = handler(request, call).finally(() => this.#taken.delete(answering));
      this.#taken.add(answering);
      return answering;
    };
    this.#subscriptions.push(serve(this.#bus, definition, this.#queue, counted, this.#onError));
  }

  /** No request comes any more. */
  async leave(): Promise<void> {
    await Promise.all(this.#subscriptions.map((subscription) => subscription.unsubscribe()));
  }

  /** All that was taken is answered. */
  async rest(): Promise<void> {
    await Promise.allSettled(this.#taken);
  }
}

/** A refusal (busy, disabled, running already) is a line, a fault comes with its cause. */
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
