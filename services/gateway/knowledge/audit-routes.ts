import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { MessageBus } from '../../../events/bus/bus.ts';
import type { ErrorCode } from '../../../events/error-codes.ts';
import * as audit from '../../../events/messages/audit.ts';
import { call } from '../../../events/messages/define.ts';
import { RequestId } from '../../../events/messages/request-id.ts';
import { LIST_LENGTHS } from '../../../events/messages/list-lengths.ts';
import type { Access } from './access.ts';
import { addRoute, asks, BEHIND, contextOf, type Route } from '../http/route.ts';

const SERVED: readonly ErrorCode[] = [...BEHIND, 'STORE_UNAVAILABLE'];

const LIMIT_RANGE = `must be a whole number from 1 to ${LIST_LENGTHS.interactions.most}`;

/** The query in the form of URL parameters, whose values are strings. */
const InteractionParameters = audit.InteractionQuery.extend({
  limit: z
    .preprocess(
      (sent) => (typeof sent === 'string' && /^-?\d{1,9}$/.test(sent) ? Number(sent) : sent),
      z.int(LIMIT_RANGE).min(1, LIMIT_RANGE).max(LIST_LENGTHS.interactions.most, LIMIT_RANGE),
    )
    .default(50)
    .describe('Number of answers per page. Default 50'),
  feedback: z.preprocess((sent) => (sent === 'true' ? true : sent), audit.InteractionQuery.shape.feedback),
});

const InteractionPath = z.object({ request_id: RequestId });

/** Adds the routes with which admins read and erase questions and answers, and prove that none is missing. */
export function addAuditRoutes(app: FastifyInstance, bus: MessageBus, access: Access): void {
  const add = <Query extends z.ZodType>(route: Omit<Route<z.ZodType, z.ZodType, Query>, 'tag'>): void =>
    addRoute(app, { ...route, tag: 'audit' }, { guard: access.audit, keys: ['adminKey'] });

  add({
    at: 'GET /v1/audit/interactions',
    summary: 'Questions with their answers, ratings and comments, newest first',
    querystring: InteractionParameters,
    means: 'One page of questions',
    codes: [...SERVED, 'AUDIT_DISABLED'],
    reply: audit.ListInteractions.reply,
    handler: (request) => call(bus, audit.ListInteractions, request.query, contextOf(request)),
  });

  add({
    at: 'GET /v1/audit/interactions/:request_id',
    summary: 'One request: question, answer, all its events, and whether its hash chain is intact',
    params: InteractionPath,
    means: 'Everything recorded about this request',
    codes: [...SERVED, 'INVALID_REQUEST', 'AUDIT_DISABLED', 'UNKNOWN_REQUEST_ID'],
    ...asks(bus, audit.ShowInteraction),
  });

  add({
    at: 'GET /v1/audit/record',
    summary: 'Newest checkpoint of the record',
    means: 'The newest checkpoint, and how many requests were erased',
    codes: [...SERVED, 'AUDIT_DISABLED'],
    ...asks(bus, audit.RecordStatus),
  });

  add({
    at: 'POST /v1/audit/erasures',
    summary: 'Erase the text of a request permanently; ids, figures and proofs stay',
    body: audit.EraseRequest,
    means: 'The text can no longer be read anywhere',
    codes: [...SERVED, 'AUDIT_DISABLED', 'UNKNOWN_REQUEST_ID', 'WRONG_EXPECTED_REVISION'],
    ...asks(bus, audit.Erase, { again: 'same call' }),
  });

  add({
    at: 'POST /v1/audit/checkpoints',
    summary: 'Make a signed checkpoint of the record now: number of events and Merkle root',
    means: 'The checkpoint was made',
    codes: [...SERVED, 'WRONG_EXPECTED_REVISION'],
    ...asks(bus, audit.MakeCheckpoint, { again: 'same call' }),
  });

  const rebuilds = { audit: audit.RebuildAuditTables, trading: audit.RebuildTradingTables };
  for (const [name, definition] of Object.entries(rebuilds)) {
    add({
      at: `POST /v1/audit/projections/${name}/rebuild`,
      summary: `Rebuild the ${name} tables from the first event, then replace the old ones; they stay readable meanwhile`,
      means: 'The new tables are in use',
      codes: name === 'audit' ? [...SERVED, 'AUDIT_DISABLED'] : SERVED,
      // The request is not repeated if the answer is lost: the work takes long, and may still be running.
      ...asks(bus, definition),
    });
  }
}
