import { z } from 'zod';
import type { Headers, MessageBus, Subscription } from '../bus/bus.ts';
import { BelegError, isBelegError, isErrorCode } from '../errors.ts';

/** One request between services: its subject, and the schemas that both sides check. */
export interface RequestDefinition<Req extends z.ZodType, Rep extends z.ZodType> {
  /** `beleg.v1.cmd.<context>.<verb>` or `beleg.v1.qry.<context>.<noun>`. */
  subject: string;
  request: Req;
  reply: Rep;
  /** Milliseconds that a caller waits unless it says otherwise. */
  timeoutMs: number;
}

export function defineRequest<Req extends z.ZodType, Rep extends z.ZodType>(
  definition: RequestDefinition<Req, Rep>,
): RequestDefinition<Req, Rep> {
  return definition;
}

/** What travels beside a request. */
export interface CallContext {
  /** The request id of the HTTP request: correlates everything that it causes. */
  correlationId: string;
  /** Id of this one call; a retry keeps it, a repeated request id does not. */
  callId: string;
}

const ErrorReply = z.object({
  code: z.string(),
  detail: z.string().optional(),
  errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  retryAfter: z.number().optional(),
});

const encode = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const decode = (data: Uint8Array): unknown => JSON.parse(new TextDecoder().decode(data));

/**
 * Asks a service. Rejects with the service's `BelegError`, or with `NO_RESPONDERS`, `DEADLINE_EXCEEDED`,
 * `SERVICE_UNAVAILABLE`, `PAYLOAD_TOO_LARGE` of the bus.
 */
export async function call<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  context: CallContext,
  options: { timeoutMs?: number; signal?: AbortSignal } = {},
): Promise<z.output<Rep>> {
  const timeoutMs = options.timeoutMs ?? definition.timeoutMs;
  const headers: Headers = {
    'correlation-id': context.correlationId,
    'call-id': context.callId,
    deadline: new Date(Date.now() + timeoutMs).toISOString(),
  };
  const reply = await bus.request(definition.subject, encode(payload), {
    headers,
    timeoutMs,
    ...(options.signal === undefined ? {} : { signal: options.signal }),
  });
  if (reply.headers['error'] === undefined) return definition.reply.parse(decode(reply.data));
  const error = ErrorReply.parse(decode(reply.data));
  throw new BelegError(isErrorCode(error.code) ? error.code : 'INTERNAL', {
    ...(error.detail === undefined ? {} : { detail: error.detail }),
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...(error.retryAfter === undefined ? {} : { retryAfter: error.retryAfter }),
  });
}

/** Answers requests as one of the queue group `queue`. A handler's `BelegError` reaches the caller; others are `INTERNAL`. */
export function serve<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  queue: string,
  handler: (request: z.output<Req>, context: CallContext & { deadline: Date }) => Promise<z.input<Rep>>,
  onError: (error: unknown, context: CallContext) => void,
): Subscription {
  return bus.subscribe(
    definition.subject,
    async (message) => {
      const context = {
        correlationId: message.headers['correlation-id'] ?? '',
        callId: message.headers['call-id'] ?? '',
        deadline: new Date(message.headers['deadline'] ?? Date.now() + definition.timeoutMs),
      };
      try {
        const parsed = definition.request.safeParse(decode(message.data));
        if (!parsed.success) throw invalidRequest(parsed.error);
        return { data: encode(await handler(parsed.data, context)) };
      } catch (error) {
        if (!isBelegError(error) || error.status >= 500) onError(error, context);
        const known = isBelegError(error) ? error : new BelegError('INTERNAL', { cause: error });
        const { code, detail, errors, retryAfter } = known;
        return { data: encode({ code, detail, errors, retryAfter }), headers: { error: code } };
      }
    },
    { queue },
  );
}

/** A zod fault as the client sees it: path and message of each field, nothing of the value. */
export function invalidRequest(error: z.ZodError): BelegError {
  return new BelegError('INVALID_REQUEST', {
    errors: error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'Unknown field' }))
        : [{ path: issue.path.join('.'), message: issue.message }],
    ),
  });
}
