import { randomUUID } from 'node:crypto';
import { SpanKind } from '@opentelemetry/api';
import { z } from 'zod';
import type { Headers, Message, MessageBus, ReplyMessage, Subscription } from '../bus/bus.ts';
import { fromBytes, toBytes } from '../bus/json-bytes.ts';
import { errorReply, replyError } from '../bus/reply.ts';
import { BelegError, isBelegError } from '../errors.ts';
import { noteFailure, readTrace, startSpan, traceOf, type SpanPlace, type TraceContext } from '../trace.ts';

/** One request between services: its subject, and the schemas that both sides check. */
export interface RequestDefinition<Req extends z.ZodType, Rep extends z.ZodType> {
  /** `beleg.v1.cmd.<context>.<verb>` or `beleg.v1.qry.<context>.<noun>`. */
  subject: string;
  request: Req;
  reply: Rep;
  /** Milliseconds that a caller waits by default. */
  timeoutMs: number;
  /** Whether the service is told when the caller has left, and may stop. */
  endsWithCaller?: boolean;
  /**
   * Set if the request goes to every process that answers it. It merges the replies that arrive within `timeoutMs` into
   * one.
   */
  merge?: (replies: readonly z.output<Rep>[]) => z.output<Rep>;
}

/**
 * The subject on which it is announced that the caller of a request has left. Every process hears it; the process that
 * works on the call stops.
 */
const leftSubject = ({ subject }: { subject: string }): string => `${subject}.left`;
const Left = z.object({ call_id: z.string() });

const NOTHING = z.strictObject({});

export function defineRequest<Rep extends z.ZodType, Req extends z.ZodType = typeof NOTHING>(definition: {
  subject: string;
  /** The schema of the request. By default the request is empty. */
  request?: Req;
  reply: Rep;
  timeoutMs?: number;
  endsWithCaller?: boolean;
  merge?: (replies: readonly z.output<Rep>[]) => z.output<Rep>;
}): RequestDefinition<Req, Rep> {
  return { request: NOTHING as z.ZodType as Req, timeoutMs: 10_000, ...definition };
}

/** The request to one process instead of any of its kind: `….<verb>.<instance>`. */
export function toInstance<Req extends z.ZodType, Rep extends z.ZodType>(
  definition: RequestDefinition<Req, Rep>,
  instance: string,
): RequestDefinition<Req, Rep> {
  return { ...definition, subject: `${definition.subject}.${instance}` };
}

/** The context of a request. */
export interface CallContext {
  /** The request id of the HTTP request: correlates everything that it causes. */
  correlationId: string;
  /** The id of this one call. A retry keeps it; a new request with a repeated request id gets a new one. */
  callId: string;
  /** The place of the call in a trace. Each hop passes its own place on. */
  trace?: TraceContext | undefined;
  /** The time until which the caller waits, by this process's clock. Absent if nobody waits. */
  deadline?: Date | undefined;
}

/**
 * Creates the context of work that a process starts by itself, without a request. Work with an equal id gives events
 * with equal ids.
 */
export const newCall = (id: string = randomUUID()): CallContext => ({ correlationId: id, callId: id });

export interface CallOptions {
  timeoutMs?: number;
  signal?: AbortSignal;
  /**
   * Set if a command may be sent twice. As the `same call` it is sent again under its call id, by which the service
   * recognises it and does the work once. As `another call` the work is done again, and both attempts are on record.
   */
  again?: 'same call' | 'another call';
}

/**
 * Sends a request to a service. If the responder is gone (`RESPONDER_LOST`), the request is sent once more within the
 * same time, although it may have been carried out: a query always, a command only if `again` is given. Rejects with
 * the service's `BelegError`, with `INVALID_REQUEST` before anything is sent, with `NO_RESPONDERS`,
 * `DEADLINE_EXCEEDED`, `SERVICE_UNAVAILABLE` or `PAYLOAD_TOO_LARGE` of the bus, with `INTERNAL` if the reply does not
 * match the definition, and with the signal's reason if that aborts.
 */
export async function call<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  payload: z.input<Req>,
  context: CallContext,
  { timeoutMs = definition.timeoutMs, signal, again }: CallOptions = {},
): Promise<z.output<Rep>> {
  const request = definition.request.safeParse(payload);
  if (!request.success) throw invalidRequest(request.error);
  const data = toBytes(payload);
  const start = performance.now();
  try {
    return await callOnce(bus, definition, data, context, timeoutMs, signal);
  } catch (error) {
    const leftMs = Math.floor(timeoutMs - (performance.now() - start));
    const mayRepeat = again !== undefined || definition.subject.includes('.qry.');
    if (!mayRepeat || !isBelegError(error, 'RESPONDER_LOST') || leftMs <= 0) throw error;
    const callId = again === 'another call' ? randomUUID() : context.callId;
    return callOnce(bus, definition, data, { ...context, callId }, leftMs, signal);
  }
}

async function callOnce<Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<z.ZodType, Rep>,
  data: Uint8Array,
  context: CallContext,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<z.output<Rep>> {
  const tellLeft = (): void => {
    // While the bus is being closed nobody waits for an answer.
    if (bus.status().state === 'closed') return;
    bus.publish(leftSubject(definition), toBytes({ call_id: context.callId } satisfies z.input<typeof Left>));
  };
  const left = definition.endsWithCaller === true ? signal : undefined;
  left?.addEventListener('abort', tellLeft, { once: true });
  const span = startSpan(definition.subject, hop(SpanKind.CLIENT, definition, context.trace));
  try {
    const options = {
      headers: {
        'correlation-id': context.correlationId,
        'call-id': context.callId,
        deadline: new Date(Date.now() + timeoutMs).toISOString(),
        ...traceOf(span),
      },
      timeoutMs,
      signal,
    };
    const { subject, merge } = definition;
    if (merge === undefined) return readReply(definition, await bus.request(subject, data, options));
    const replies = await bus.requestMany(subject, data, options);
    return merge(replies.map((reply) => readReply(definition, reply)));
  } catch (error) {
    noteFailure(span, error);
    throw error;
  } finally {
    span.end();
    left?.removeEventListener('abort', tellLeft);
  }
}

/**
 * Reads a reply.
 *
 * @throws {BelegError} the error that was replied; `INTERNAL` if the reply does not fit the definition.
 */
function readReply<Rep extends z.ZodType>(
  definition: RequestDefinition<z.ZodType, Rep>,
  reply: Message,
): z.output<Rep> {
  const error = replyError(reply);
  if (error !== undefined) throw error;
  try {
    return definition.reply.parse(fromBytes(reply.data));
  } catch (error) {
    throw new BelegError('INTERNAL', { cause: error });
  }
}

/**
 * Handles a request. For a request with `endsWithCaller`, `left` aborts with `CLIENT_CLOSED_REQUEST` when the caller
 * has left.
 */
export type RequestHandler<Req extends z.ZodType, Rep extends z.ZodType> = (
  request: z.output<Req>,
  call: CallContext & { deadline: Date; left: AbortSignal },
) => Promise<z.input<Rep>>;

interface Serving extends Subscription {
  /** Resolves when every accepted request is answered. */
  rest(): Promise<void>;
}

/**
 * Answers requests as a member of the queue group `queue`; requests that go to every process are answered by all
 * members. With `mayAnswer`, each member gets every request, and stays silent if `mayAnswer` is false when the request
 * arrives. A handler's `BelegError` reaches the caller with its code and detail. Any other error, or a reply that does
 * not match the definition, is `INTERNAL` for the caller. `onError` is called for every fault that is not the caller's
 * own.
 */
export function serve<Req extends z.ZodType, Rep extends z.ZodType>(
  bus: MessageBus,
  definition: RequestDefinition<Req, Rep>,
  queue: string,
  handler: RequestHandler<Req, Rep>,
  onError: (error: unknown, context: CallContext) => void,
  mayAnswer?: () => boolean,
): Serving {
  const running = new Map<string, AbortController>();
  const answering = new Set<Promise<unknown>>();
  const leaving = definition.endsWithCaller
    ? bus.subscribe(leftSubject(definition), ({ data }) => {
        const { call_id } = Left.parse(fromBytes(data));
        running.get(call_id)?.abort(new BelegError('CLIENT_CLOSED_REQUEST'));
      })
    : undefined;
  async function answer({ headers, data }: Message): Promise<ReplyMessage> {
    const span = startSpan(definition.subject, hop(SpanKind.SERVER, definition, readTrace(headers)));
    const left = new AbortController();
    const context = {
      correlationId: headers['correlation-id'] ?? '',
      callId: headers['call-id'] ?? '',
      deadline: deadlineOf(headers, definition.timeoutMs),
      trace: traceOf(span),
      left: left.signal,
    };
    running.set(context.callId, left);
    try {
      const request = definition.request.safeParse(decodeRequest(data));
      if (!request.success) throw invalidRequest(request.error);
      return { data: toBytes(definition.reply.parse(await handler(request.data, context))) };
    } catch (error) {
      noteFailure(span, error);
      if (!isBelegError(error) || error.status >= 500) onError(error, context);
      return errorReply(isBelegError(error) ? error : new BelegError('INTERNAL'));
    } finally {
      span.end();
      // Another attempt of the same call may have arrived meanwhile.
      if (running.get(context.callId) === left) running.delete(context.callId);
    }
  }
  const serving = bus.subscribe(
    definition.subject,
    (message) => {
      if (mayAnswer?.() === false) return undefined;
      const answered = answer(message).finally(() => answering.delete(answered));
      answering.add(answered);
      return answered;
    },
    definition.merge === undefined ? { queue, getsAll: mayAnswer !== undefined } : {},
  );
  return {
    unsubscribe: async () => {
      await Promise.all([serving.unsubscribe(), leaving?.unsubscribe()]);
    },
    rest: async () => void (await Promise.all(answering)),
  };
}

/** A span of a remote procedure call, by OpenTelemetry's semantic conventions. */
function hop(kind: SpanKind, { subject }: { subject: string }, parent: TraceContext | undefined): SpanPlace {
  return { kind, parent, attributes: { 'rpc.system.name': 'beleg', 'rpc.method': subject } };
}

/** The caller's own deadline. If it cannot be read, the definition's timeout counts. */
function deadlineOf(headers: Headers, timeoutMs: number): Date {
  const deadline = new Date(headers['deadline'] ?? Number.NaN);
  return Number.isNaN(deadline.getTime()) ? new Date(Date.now() + timeoutMs) : deadline;
}

function decodeRequest(data: Uint8Array): unknown {
  try {
    return fromBytes(data);
  } catch (error) {
    throw new BelegError('INVALID_JSON', { cause: error });
  }
}

/** A zod error for the client: path and message of each field, without any values. */
export function invalidRequest(error: z.ZodError): BelegError {
  return new BelegError('INVALID_REQUEST', {
    errors: error.issues.flatMap((issue) =>
      issue.code === 'unrecognized_keys'
        ? issue.keys.map((key) => ({ path: [...issue.path, key].join('.'), message: 'Unknown field' }))
        : [{ path: issue.path.join('.'), message: issue.message }],
    ),
  });
}
