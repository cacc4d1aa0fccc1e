import type { Logger } from 'pino';
import type { z } from 'zod';
import { BelegError, isBelegError } from '../../events/errors.ts';
import {
  serve,
  type CallContext,
  type RequestDefinition,
  type RequestHandler,
} from '../../events/messages/define.ts';
import { failureLevel } from './late.ts';
import type { LeaseName } from './lease-names.ts';
import type { ServiceParts } from './service-parts.ts';

type Parts = Pick<ServiceParts, 'bus' | 'logger'>;
/** Tells which leases this process holds. */
export interface Holder {
  readonly leases: Pick<ServiceParts['leases'], 'held'>;
}

/**
 * Answers requests as a member of a queue group, until it leaves. If a lease is named, only its holder answers. A
 * process that stands still remains a member after another one has taken over; it must not get requests in place of the
 * holder, and does not begin waiting requests when it goes on. If it loses the lease while it works on a request, it
 * replies like a process that has stopped, so that a query is sent again, to the new holder.
 */
export class Responder {
  readonly #bus: ServiceParts['bus'];
  readonly #queue: string;
  readonly #onError: ReturnType<typeof logFailure>;
  readonly #holds: (() => boolean) | undefined;
  readonly #serving: ReturnType<typeof serve>[] = [];

  constructor(parts: Parts, queue: string);
  constructor(parts: Parts & Holder, queue: string, lease: LeaseName);
  constructor({ bus, logger, leases }: Parts & Partial<Holder>, queue: string, lease?: LeaseName) {
    this.#bus = bus;
    this.#queue = queue;
    this.#onError = logFailure(logger);
    if (leases !== undefined && lease !== undefined) this.#holds = () => leases.held().includes(lease);
  }

  /** Answers requests as `serve` does, until `leave`. */
  answer<Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    handler: RequestHandler<Req, Rep>,
  ): void {
    const answer = this.#holds === undefined ? handler : handedOn(handler);
    this.#serving.push(serve(this.#bus, definition, this.#queue, answer, this.#onError, this.#holds));
  }

  /** Leaves the queue group: no further request arrives. */
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
      logger[failureLevel(error)]({ request_id, err: error }, 'a request failed');
    }
  };
}
