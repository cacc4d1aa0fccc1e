import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/error-codes.ts';
import { isBelegError } from '../../../events/errors.ts';
import { call } from '../../../events/messages/define.ts';
import * as knowledge from '../../../events/messages/knowledge.ts';
import type { Access } from './access.ts';
import { goneSignal } from '../http/client-gone.ts';
import { EVENT_STREAM, streamAnswer, WARNINGS, wantsEvents, type Answered } from './answer-stream.ts';
import { ANSWER_EVENTS } from './knowledge-document.ts';
import { HealthResponse, readHealth } from './health.ts';
import type { CountAsk } from './prometheus-metrics.ts';
import { success } from '../http/openapi.ts';
import { toBelegError } from '../http/problem.ts';
import { addDeprecatedRoute, addRoute, asks, BEHIND, contextOf, type Route } from '../http/route.ts';
import { personalDataIn } from '../../foundation/personal-data.ts';

const ANSWER = 'The answer, a refusal, or an uncertain draft: always look at `status` and `verified`';
const ASK_ERRORS: readonly ErrorCode[] = [
  ...BEHIND,
  'REVIEW_MODE_DISABLED',
  'CONTEXT_NOT_ALLOWED',
  'REQUEST_ERASED',
  'OVERLOADED',
  'INDEX_NOT_READY',
  'MODEL_UNAVAILABLE',
];

const PERSONAL_HEADER = {
  'x-personal-data': {
    type: 'string',
    description:
      'Warning: personal data that the question seems to contain (`iban`, `tax-id`, `insurance-number`, `name-with-salary`), ' +
      'separated by commas; absent if there is none. The question is answered anyway',
  },
};

const ANSWER_HEADERS = {
  ...PERSONAL_HEADER,
  [WARNINGS.reused]: {
    type: 'string',
    enum: ['true'],
    description:
      'Warning: under this `X-Request-ID` something else was asked before. Lists and exports show the newest question of an id, and a ' +
      'rating is one of its newest answer. Absent where the earlier question cannot be read: its text is not recorded, or erased',
  },
  [WARNINGS.not_recorded]: {
    type: 'string',
    enum: ['true'],
    description:
      'Warning: neither the event store nor the disk could keep this answer, for example on a full disk. It is in no list and no export, ' +
      'and can never be rated; health counts it as lost. Absent where it is on record, waits to be recorded, or audit is off',
  },
};

const SourcePath = z.object({
  id: z.string().min(1).max(64).describe('Id of a source, as in `sources` of an answer'),
});

/** Adds the routes for asking, sources, reindexing and health. Each handler turns HTTP into a call on the bus. */
export function addKnowledgeRoutes(
  app: FastifyInstance,
  bus: MessageBus,
  access: Access,
  countAsk: CountAsk,
): void {
  /** Answers the question of a request; `progress` is the token under which its steps are published. */
  const answering = (
    request: FastifyRequest<{ Body: z.output<typeof knowledge.AskRequest> }>,
    reply: FastifyReply,
  ): ((progress?: string) => Promise<Answered>) => {
    const { body } = request;
    const personal = personalDataIn(body.question);
    if (personal.length > 0) void reply.header('x-personal-data', personal.join(', '));
    const signal = goneSignal(reply);
    return async (progress) => {
      const question = { ...body, request_id: request.id, ...(progress === undefined ? {} : { progress }) };
      try {
        const response = await call(bus, knowledge.Ask, question, contextOf(request), {
          again: 'same call',
          signal,
        });
        countAsk(response.status);
        const { request_id_reused: reused = false, not_recorded = false, ...body } = response;
        return {
          body,
          warnings: [
            ...(reused ? (['reused'] as const) : []),
            ...(not_recorded ? (['not_recorded'] as const) : []),
          ],
        };
      } catch (error) {
        countAsk(signal.aborted && !isBelegError(error) ? 'CLIENT_CLOSED_REQUEST' : toBelegError(error).code);
        throw error;
      }
    };
  };

  const ask: Route<typeof knowledge.AskRequest> = {
    at: 'POST /v1/ask',
    tag: 'knowledge',
    summary: 'Answer a question from the knowledge base, or review facts and a computation against it',
    body: knowledge.AskRequest,
    reply: knowledge.AskResponse,
    means: ANSWER,
    others: {
      200: {
        description: `${ANSWER}. To a client that accepts \`text/event-stream\` the events of \`POST /v1/ask/stream\` are sent instead`,
        headers: ANSWER_HEADERS,
        content: { 'application/json': { schema: knowledge.AskResponse } },
      },
    },
    codes: ASK_ERRORS,
    handler: async (request, reply) => {
      const answer = answering(request, reply);
      if (wantsEvents(request)) return streamAnswer(bus, request, reply, answer);
      const { body: response, warnings } = await answer();
      for (const warning of warnings) void reply.header(WARNINGS[warning], 'true');
      return response;
    },
  };

  // This is a path of its own, because generated clients have one type for each status of a path.
  const askForEvents: Route<typeof knowledge.AskRequest> = {
    ...ask,
    at: 'POST /v1/ask/stream',
    summary: 'Answer a question, or review, as `POST /v1/ask` does, and tell each step as it is done',
    others: {
      200: { description: ANSWER, headers: PERSONAL_HEADER, content: { [EVENT_STREAM]: ANSWER_EVENTS } },
    },
    handler: (request, reply) => streamAnswer(bus, request, reply, answering(request, reply)),
  };

  const source: Route = {
    at: 'GET /v1/sources/:id',
    tag: 'knowledge',
    summary: 'The text of a source that answers quote from',
    params: SourcePath,
    means: 'The source',
    codes: [...BEHIND, 'INVALID_REQUEST', 'UNKNOWN_SOURCE'],
    ...asks(bus, knowledge.ShowSource),
  };

  const vocabulary: Route = {
    at: 'GET /v1/review/vocabulary',
    tag: 'knowledge',
    summary: 'The keys that a review understands, and their meaning',
    means: 'The vocabulary; empty if the knowledge base has none',
    codes: BEHIND,
    ...asks(bus, knowledge.ShowVocabulary),
  };

  const reindex: Route = {
    at: 'POST /v1/reindex',
    tag: 'operation',
    summary: 'Rebuild the index after the knowledge base has changed',
    means: 'The new index is in use',
    codes: [...BEHIND, 'KB_INVALID', 'REINDEX_RUNNING'],
    ...asks(bus, knowledge.Reindex, { payload: ({ id }) => ({ request_id: id }) }),
  };

  const health: Route = {
    at: 'GET /v1/health',
    tag: 'operation',
    summary: 'Whether the service is ready; 503 with the same body while no questions can be answered',
    reply: HealthResponse,
    means: 'Ready',
    others: { 503: success(HealthResponse, 'Not ready; the same body') },
    codes: [],
    handler: async (request, reply) => {
      const { health } = await readHealth(bus, contextOf(request));
      void reply.code(health.status === 'unavailable' ? 503 : 200);
      // Everybody may read health, but names of files are only for callers who may ask questions.
      const mayAsk = await access.service(request).then(
        () => true,
        () => false,
      );
      return mayAsk ? health : withoutFileNames(health);
    },
  };

  const service = { guard: access.service, keys: ['serviceKey'] };
  const admin = { guard: access.admin, keys: ['adminKey'] };
  const anybody = { keys: [] };
  for (const route of [ask, askForEvents, source, vocabulary]) addRoute(app, route, service);
  addRoute(app, reindex, admin);
  addRoute(app, health, anybody);
  addDeprecatedRoute(app, ask, service);
  addDeprecatedRoute(app, reindex, admin);
  addDeprecatedRoute(app, health, anybody);
}

function withoutFileNames(health: HealthResponse): HealthResponse {
  const files = { ...health.index.files, left_out_files: [] };
  return { ...health, index: { ...health.index, files } };
}
