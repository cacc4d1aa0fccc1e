import { randomBytes } from 'node:crypto';
import { PassThrough } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MessageBus } from '../../../events/bus/bus.ts';
import { fromBytes } from '../../../events/bus/json-bytes.ts';
import { AskProgress, progressSubject, type AskResponse } from '../../../events/messages/knowledge.ts';
import { problemOf, toBelegError } from '../http/problem.ts';

export const EVENT_STREAM = 'text/event-stream';

/**
 * Warnings that a client gets with the answer: as a header with this name (`x-…: true`), or as an event of a stream.
 */
export const WARNINGS = {
  /** The request id was used before for another question. */
  reused: 'x-request-id-reused',
  /** Neither the store nor the spool has kept the answer. */
  not_recorded: 'x-answer-not-recorded',
} as const;

export interface Answered {
  readonly body: AskResponse;
  readonly warnings: readonly (keyof typeof WARNINGS)[];
}

/** Whether a client prefers events to JSON: it names them, and gives JSON no greater weight (RFC 9110, 12.5.1). */
export function wantsEvents(request: FastifyRequest): boolean {
  const weights = new Map(
    (request.headers.accept ?? '').split(',').map((range) => {
      const [type = '', ...parameters] = range.toLowerCase().split(';');
      const weight = parameters
        .map((each) => /^\s*q=(?<q>[\d.]+)\s*$/u.exec(each)?.groups!['q'])
        .find(Boolean);
      return [type.trim(), Number(weight ?? 1)];
    }),
  );
  const ofEvents = weights.get(EVENT_STREAM) ?? 0;
  const ofJson = ['application/json', 'application/*', '*/*']
    .map((type) => weights.get(type))
    .find((q) => q !== undefined);
  return ofEvents > 0 && ofEvents >= (ofJson ?? 0);
}

/**
 * An answer as server-sent events: `planned`, `retrieved`, `drafted`, `verified` as each step is done, then its
 * warnings, and at the end `answer` with the whole response, or `problem` with an error body. Nothing of a draft is
 * sent before it is verified. A failure before the first step is an ordinary error with its status.
 *
 * @param ask asks the question; its progress is published under the given token.
 */
export async function streamAnswer(
  bus: MessageBus,
  request: FastifyRequest,
  reply: FastifyReply,
  ask: (token: string) => Promise<Answered>,
): Promise<FastifyReply> {
  const token = randomBytes(16).toString('hex');
  const stream = new PassThrough();
  const send = (event: string, data: unknown): void => {
    if (stream.writable) stream.write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
  };
  const begun = Promise.withResolvers<'begun'>();
  const steps = bus.subscribe(progressSubject(token), ({ data }) => {
    const { stage, ...progress } = AskProgress.parse(fromBytes(data));
    send(stage, progress);
    begun.resolve('begun');
  });
  const answered = (async () => {
    try {
      const { body, warnings } = await ask(token);
      // The response headers were sent already, so warnings are sent as events.
      for (const warning of warnings) send(warning, { request_id: body.request_id });
      send('answer', body);
    } finally {
      await steps.unsubscribe();
    }
  })();
  try {
    await Promise.race([begun.promise, answered]);
  } catch (error) {
    stream.destroy();
    throw error;
  }
  answered
    .catch((error: unknown) => {
      const problem = toBelegError(error);
      request.log.warn({ code: problem.code }, 'answering a question failed after the first step');
      send('problem', problemOf(problem, request.id));
    })
    .finally(() => stream.end());
  return reply.type(EVENT_STREAM).header('x-accel-buffering', 'no').send(stream);
}
