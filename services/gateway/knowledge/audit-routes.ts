import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/errors.ts';
import {
  Erase,
  EraseRequest,
  InteractionPage,
  InteractionQuery,
  ListInteractions,
  MakeCheckpoint,
  RebuildAuditTables,
  RebuildTradingTables,
  RecordStatus,
  ShowInteraction,
} from '../../../events/messages/audit.ts';
import { call, type RequestDefinition } from '../../../events/messages/define.ts';
import { RequestId } from '../../../events/messages/feedback.ts';
import type { Access } from './access.ts';
import { answers } from '../http/openapi.ts';
import { callAgainIfLost } from '../http/retry.ts';
import { addRoute, BEHIND, contextOf, KEYED, type Route } from '../http/route.ts';

const READING: readonly ErrorCode[] = ['UNAUTHORIZED', 'RATE_LIMITED', ...BEHIND, 'STORE_UNAVAILABLE'];
const CHANGING: readonly ErrorCode[] = [...KEYED, ...BEHIND, 'STORE_UNAVAILABLE'];
const NO_BODY = z.strictObject({}).nullish();

/** As it stands in an address, where everything is text. */
const InteractionParameters = InteractionQuery.extend({
  limit: z
    .preprocess(
      (sent) => (typeof sent === 'string' && /^\d{1,9}$/.test(sent) ? Number(sent) : sent),
      InteractionQuery.shape.limit.unwrap(),
    )
    .default(50)
    .describe('Number of answers per page. Default 50'),
  feedback: z.preprocess((sent) => (sent === 'true' ? true : sent), InteractionQuery.shape.feedback),
});

const InteractionPath = z.object({ request_id: RequestId });

/** Reading back what was asked and said, erasing it, and proving that nothing else is missing. For admins alone. */
export function addAuditRoutes(app: FastifyInstance, bus: MessageBus, access: Access): void {
  /** What is asked twice is done once. */
  const ask = <Req extends z.ZodType, Rep extends z.ZodType>(
    definition: RequestDefinition<Req, Rep>,
    payload: z.input<Req>,
    request: FastifyRequest,
  ) => callAgainIfLost(bus, definition, payload, contextOf(request), { as: 'same call' });
  const common = { tags: ['audit'], security: [{ adminKey: [] }] };

  const list: Route = {
    method: 'GET',
    path: '/v1/audit/interactions',
    guard: access.audit,
    schema: {
      ...common,
      summary: 'Questions with their answers, ratings and comments, newest first',
      querystring: InteractionParameters,
      response: answers(InteractionPage, 'One page of questions', [
        ...READING,
        'INVALID_REQUEST',
        'AUDIT_DISABLED',
      ]),
    },
    handler: (request) => ask(ListInteractions, request.query as z.output<typeof InteractionQuery>, request),
  };

  const show: Route = {
    method: 'GET',
    path: '/v1/audit/interactions/:request_id',
    guard: access.audit,
    schema: {
      ...common,
      summary: 'One request: question, answer, all its events, and whether its hash chain is intact',
      params: InteractionPath,
      response: answers(ShowInteraction.reply, 'Everything recorded about this request', [
        ...READING,
        'INVALID_REQUEST',
        'AUDIT_DISABLED',
        'UNKNOWN_REQUEST_ID',
      ]),
    },
    handler: (request) => ask(ShowInteraction, request.params as z.output<typeof InteractionPath>, request),
  };

  const record: Route = {
    method: 'GET',
    path: '/v1/audit/record',
    guard: access.audit,
    schema: {
      ...common,
      summary: 'Newest checkpoint of the record',
      response: answers(RecordStatus.reply, 'The newest checkpoint, and how many requests were erased', [
        ...READING,
        'AUDIT_DISABLED',
      ]),
    },
    handler: (request) => ask(RecordStatus, {}, request),
  };

  const erase: Route = {
    method: 'POST',
    path: '/v1/audit/erasures',
    guard: access.audit,
    schema: {
      ...common,
      summary: 'Erase the text of a request permanently; ids, figures and proofs stay',
      body: EraseRequest,
      response: answers(Erase.reply, 'The text can no longer be read anywhere', [
        ...CHANGING,
        'AUDIT_DISABLED',
        'UNKNOWN_REQUEST_ID',
        'WRONG_EXPECTED_REVISION',
      ]),
    },
    handler: (request) => ask(Erase, request.body as z.output<typeof EraseRequest>, request),
  };

  const checkpoint: Route = {
    method: 'POST',
    path: '/v1/audit/checkpoints',
    guard: access.audit,
    bodyOptional: true,
    schema: {
      ...common,
      summary: 'Make a signed checkpoint of the record now: number of events and Merkle root',
      body: NO_BODY,
      response: answers(MakeCheckpoint.reply, 'The checkpoint was made', [
        ...CHANGING,
        'WRONG_EXPECTED_REVISION',
      ]),
    },
    handler: (request) => ask(MakeCheckpoint, {}, request),
  };

  const rebuilds = { audit: RebuildAuditTables, trading: RebuildTradingTables };
  const rebuild = Object.entries(rebuilds).map(([name, definition]): Route => ({
    method: 'POST',
    path: `/v1/audit/projections/${name}/rebuild`,
    guard: access.audit,
    bodyOptional: true,
    schema: {
      ...common,
      summary: `Rebuild the ${name} tables from the first event, then replace the old ones; they stay readable meanwhile`,
      body: NO_BODY,
      response: answers(RebuildAuditTables.reply, 'The new tables are in use', [
        ...CHANGING,
        ...(name === 'audit' ? (['AUDIT_DISABLED'] as const) : []),
      ]),
    },
    // Not again where the answer is lost: it is long work, and may be under way.
    handler: (request) => call(bus, definition, {}, contextOf(request)),
  }));

  for (const route of [list, show, record, erase, checkpoint, ...rebuild]) addRoute(app, route);
}
