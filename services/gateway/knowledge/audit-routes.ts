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
    .describe('Answers a page. Default 50'),
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
      summary: 'What was asked, answered, rated and commented, newest first',
      querystring: InteractionParameters,
      response: answers(InteractionPage, 'A page of them', [...READING, 'INVALID_REQUEST', 'AUDIT_DISABLED']),
    },
    handler: (request) => ask(ListInteractions, request.query as z.output<typeof InteractionQuery>, request),
  };

  const show: Route = {
    method: 'GET',
    path: '/v1/audit/interactions/:request_id',
    guard: access.audit,
    schema: {
      ...common,
      summary: 'One request: what was asked and said, its story, and whether its chain is whole',
      params: InteractionPath,
      response: answers(ShowInteraction.reply, 'All that is on record about it', [
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
      summary: 'How far the record is proven',
      response: answers(RecordStatus.reply, 'Its newest checkpoint', [...READING, 'AUDIT_DISABLED']),
    },
    handler: (request) => ask(RecordStatus, {}, request),
  };

  const erase: Route = {
    method: 'POST',
    path: '/v1/audit/erasures',
    guard: access.audit,
    schema: {
      ...common,
      summary: 'Erase the text of a request for good; ids, figures and proofs stay',
      body: EraseRequest,
      response: answers(Erase.reply, 'It can be read nowhere any more', [
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
      summary: 'Note now how far the record goes and what its root is, signed',
      body: NO_BODY,
      response: answers(MakeCheckpoint.reply, 'The checkpoint is on record', [
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
      summary: `Build the ${name} tables again from the first event, beside those that are read; then swap them`,
      body: NO_BODY,
      response: answers(RebuildAuditTables.reply, 'The new tables are in service', [
        ...CHANGING,
        ...(name === 'audit' ? (['AUDIT_DISABLED'] as const) : []),
      ]),
    },
    // Not again where the answer is lost: it is long work, and may be under way.
    handler: (request) => call(bus, definition, {}, contextOf(request)),
  }));

  for (const route of [list, show, record, erase, checkpoint, ...rebuild]) addRoute(app, route);
}
