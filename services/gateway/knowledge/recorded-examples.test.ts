import { expect, test, vi } from 'vitest';
import type { z } from 'zod';
import * as audit from '../../../events/messages/audit.ts';
import * as feedback from '../../../events/messages/feedback.ts';
import { deterministicId } from '../../../events/json.ts';
import * as knowledge from '../../../events/messages/knowledge.ts';
import { PATIENT } from '../../../events/patient.suite.ts';
import { Workspace, type Client } from '../../../testing/processes/application.suite.ts';
import { STARTER_BASE } from '../../knowledge/settings.ts';
import { request_id, SENT } from './example-requests.ts';
import { HealthResponse } from './health.ts';

const IDS = {
  elsewhere: '0c6a5a3e-7d4c-4a2d-8f5e-1f0a6b7c8d9e',
  planned: 'b1a7c2d4-5e6f-4a3b-8c9d-1e2f3a4b5c6d',
  review: '2148b353-1efb-47e6-8edc-8d15f589e353',
};
/** Values that differ from run to run, or change with the code: durations, lags, hashes. */
const FIGURES: Readonly<Record<string, unknown>> = {
  latency_ms: 12,
  after_ms: 12,
  duration_ms: 640,
  seconds: 0,
  events: 0,
  behind: false,
  index: '848806d9ad31b02e3973abc10f89303616391d65f68aca5c7e1676bc992ce5af',
  position: '00000000000000001000',
  root: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  note: 'beleg/1f0c2a7be6d94c35\n1000\nn4bQgYhMfWWaL+qgxVrQFaO/TxsrC4IsxV1sFbDwCgg=\nheads RBNvo1WzZ4oRRq0W9+hknpT7T8If536DEMBg9hyq/4o=\n\n',
};
/** Lists of many similar entries are cut. */
const LONG = new Set(['hits', 'topics', 'questions', 'statements']);
const SHOWN = 2;

/** Makes each run give the same: times, random ids, and `FIGURES` are replaced. */
function steady() {
  const given = new Set([request_id, ...Object.values(IDS)]);
  const drawn = new Map<string, string>();
  const idOf = (id: string): string => {
    if (given.has(id)) return id;
    if (!drawn.has(id)) drawn.set(id, deterministicId('example', drawn.size));
    return drawn.get(id)!;
  };
  return function steadyOf(value: unknown, name = ''): unknown {
    if (Object.hasOwn(FIGURES, name) && typeof value !== 'object') return FIGURES[name];
    if (typeof value === 'number') return Number.isInteger(value) ? value : Number(value.toFixed(2));
    if (typeof value === 'string') {
      if (/^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value)) return '2026-01-15T08:00:00.000Z';
      return value.replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, idOf);
    }
    if (Array.isArray(value)) {
      return (LONG.has(name) ? value.slice(0, SHOWN) : value).map((each) => steadyOf(each));
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, steadyOf(part, key)]));
  };
}

async function expected<S extends z.ZodType>(
  reply: Promise<{ status: number; body: unknown }>,
  schema: S,
  status = 200,
): Promise<z.output<S>> {
  const { status: given, body } = await reply;
  expect({ given, body: given === status ? {} : body }).toEqual({ given: status, body: {} });
  return schema.parse(body);
}

/** Sends the requests of the document and collects the replies. */
async function run(client: Client) {
  const get = <S extends z.ZodType>(path: string, schema: S) => expected(client.get(path), schema);
  const post = <S extends z.ZodType>(path: string, body: object | undefined, schema: S, status?: number) =>
    expected(client.post(path, body), schema, status);
  const ask = (body: object, id: string) =>
    expected(client.post('/v1/ask', body, { 'x-request-id': id }), knowledge.AskResponse);

  const answered = await ask(SENT.question, request_id);
  const answers = [
    answered,
    await ask(SENT.elsewhere, IDS.elsewhere),
    await ask(SENT.planned, IDS.planned),
    await ask(SENT.review, IDS.review),
  ];
  await post('/v1/ask', SENT.wide, knowledge.AskResponse);
  const steps = await fetch(`${client.url}/v1/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-request-id': request_id },
    body: JSON.stringify(SENT.question),
  });
  // Read to its end first: a rating that overtakes this answer to the same request would be of the one before.
  const stream = await steps.text();
  const rated = await post('/v1/ratings', SENT.rating, feedback.RatingResponse);
  const commented = await post('/v1/comments', SENT.comment, feedback.CommentResponse, 201);
  const source = await get(`/v1/sources/${answered.citations[0]!}`, knowledge.SourceText);
  const { quantities } = await get('/v1/review/vocabulary', knowledge.Vocabulary);
  const reindexed = await post('/v1/reindex', undefined, knowledge.ReindexResponse);
  const page = await vi.waitFor(async () => {
    const found = await get('/v1/audit/interactions?rating=up', audit.InteractionPage);
    expect(found.interactions[0]!.comments).toHaveLength(1);
    return found;
  }, PATIENT);
  const shown = await get(`/v1/audit/interactions/${request_id}`, audit.ShowInteraction.reply);
  const checkpoint = await post('/v1/audit/checkpoints', undefined, audit.MakeCheckpoint.reply);
  const record = await get('/v1/audit/record', audit.RecordStatus.reply);
  const rebuilt = await post(
    '/v1/audit/projections/audit/rebuild',
    undefined,
    audit.RebuildAuditTables.reply,
  );
  const health = await vi.waitFor(async () => {
    const found = await get('/v1/health', HealthResponse);
    expect(found).toMatchObject({ status: 'ok', audit: { keys_missing: 0 } });
    return found;
  }, PATIENT);
  const erased = await post('/v1/audit/erasures', SENT.erasure, audit.Erase.reply);
  return {
    AskResponse: answers,
    stream: stream.split(/(?<=\n\n)/).map((event) => event.replace(/(?<="latency_ms":)\d+/, '12')),
    RatingResponse: [rated],
    CommentResponse: [commented],
    SourceText: [source],
    Vocabulary: [{ quantities: quantities.filter(({ key }) => key === 'stundenlohn') }],
    ReindexResponse: [reindexed],
    Health: [health],
    Interaction: page.interactions,
    InteractionPage: [page],
    Story: [shown.story],
    ChainStatus: [shown.chain],
    InteractionDetails: [shown],
    RecordStatus: [record],
    Erased: [erased],
    Checkpoint: [checkpoint],
    RebuiltTables: [rebuilt],
  };
}

// `vitest run services/gateway/knowledge/recorded-examples.test.ts --update` records the replies anew.
test('the examples of the document are what a service says', async () => {
  const workspace = await Workspace.create();
  const { application, client } = await workspace.start({ PV_KB_PATH: STARTER_BASE, PV_REVIEW_MODE: 'true' });
  try {
    const examples = await run(client);
    expect(examples.AskResponse.map(({ status, answer_type }) => [status, answer_type])).toEqual([
      ['answered', 'specific'],
      ['refused', 'refusal'],
      ['answered', 'overview'],
      ['answered', 'review'],
    ]);
    const text = `${JSON.stringify(steady()(examples), null, 2)}\n`;
    await expect(text).toMatchFileSnapshot('recorded-examples.json');
  } finally {
    await application.close();
    await workspace.remove();
  }
});
