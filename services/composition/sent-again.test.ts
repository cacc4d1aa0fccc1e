import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Environment } from '../foundation/settings-error.ts';
import { QUESTION, Workspace, type Client } from '../../testing/processes/application.suite.ts';
import type { Application } from './running.ts';

const OTHER = 'Wie lange ist die werktägliche Arbeitszeit der Arbeitnehmer?';

let workspace: Workspace;
let application: Application;
let client: Client;

function withApplication(more: Environment = {}): void {
  beforeAll(async () => {
    workspace = await Workspace.create();
    ({ application, client } = await workspace.start(more));
  });
  afterAll(async () => {
    await application.close();
    await workspace.remove();
  });
}

async function reused(question: string, id: string): Promise<string | null> {
  const { status, headers } = await client.ask(question, id);
  expect(status).toBe(200);
  return headers.get('x-request-id-reused');
}

async function eventsOf(question: string, id: string): Promise<string> {
  const response = await fetch(`${client.url}/v1/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-request-id': id },
    body: JSON.stringify({ question }),
  });
  return response.text();
}

const erase = (id: string) => client.post('/v1/audit/erasures', { request_id: id, reason: 'asked for' });

describe('a request id that comes again', () => {
  withApplication();

  test('is no news with the same question, and said with another one, then and from then on', async () => {
    expect(await reused(QUESTION, 'a')).toBeNull();
    expect(await reused(QUESTION, 'a')).toBeNull();
    await client.rate('a', 'up');
    expect(await reused(`  ${QUESTION} `, 'a')).toBeNull();
    expect(await reused(OTHER, 'a')).toBe('true');
    expect(await reused(OTHER, 'a')).toBe('true');
  });

  test('is said before the answer in a stream of events', async () => {
    expect(await eventsOf(QUESTION, 'b')).not.toContain('reused');
    expect(await eventsOf(QUESTION, 'b')).not.toContain('reused');
    expect(await eventsOf(OTHER, 'b')).toMatch(
      /event: reused\ndata: \{"request_id":"b"\}\n\nevent: answer\n/,
    );
  });

  test('does not change the body of the answer', async () => {
    const first = await client.ask(QUESTION, 'c');
    await client.ask(OTHER, 'c');
    const again = await client.ask(QUESTION, 'c');
    expect(again.headers.get('x-request-id-reused')).toBe('true');
    expect({ ...again.body, latency_ms: 0 }).toEqual({ ...first.body, latency_ms: 0 });
  });

  test('is not said where two ask the same at once', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => reused(QUESTION, 'd')));
    expect(answers).toEqual([null, null, null]);
  });

  test('is not said to the first of several that ask something else at once', async () => {
    const questions = [QUESTION, OTHER, 'Wie hoch ist der gesetzliche Mindestlohn?', 'Was ist ein Minijob?'];
    const answers = await Promise.all(questions.map((question) => reused(question, 'e')));
    expect(answers.filter((said) => said === null)).toHaveLength(1);
  });
});

describe('without text on record', () => {
  withApplication({ PV_AUDIT_LOG_CONTENT: 'false' });

  test('nobody can say whether a request id was used for another question', async () => {
    expect(await reused(QUESTION, 'a')).toBeNull();
    expect(await reused(OTHER, 'a')).toBeNull();
  });
});

const comment = (key: string, comment: string, request_id = 'r') =>
  client.post<{ comment_id: number; code: string }>(
    '/v1/comments',
    { request_id, comment },
    key === '' ? {} : { 'idempotency-key': key },
  );

describe('a comment that is sent again under its Idempotency-Key', () => {
  withApplication();
  beforeAll(async () => {
    for (const id of ['r', 's', 'erased']) await client.ask(QUESTION, id);
  });

  test('is recorded once, and answered as the first time', async () => {
    const { status, body } = await comment('k1', 'Danke');
    expect(status).toBe(201);
    expect(await comment('k1', '  Danke ')).toMatchObject({ status: 201, body });
    const others = await Promise.all([1, 2, 3].map(() => comment('k2', 'Danke')));
    expect(new Set(others.map((each) => each.body.comment_id))).toEqual(new Set([body.comment_id + 1]));
    // Without a key, or with another key, it is another comment.
    expect((await comment('', 'Danke')).body.comment_id).toBe(body.comment_id + 2);
    expect((await comment('', 'Danke')).body.comment_id).toBe(body.comment_id + 3);
  });

  test('is 409 with another text, or of another answer', async () => {
    await comment('k3', 'Danke');
    const refused = { status: 409, body: { code: 'IDEMPOTENCY_KEY_REUSED' } };
    expect(await comment('k3', 'Doch nicht')).toMatchObject(refused);
    expect(await comment('k3', 'Danke', 's')).toMatchObject(refused);
    const both = await Promise.all([comment('k4', 'eins'), comment('k4', 'zwei')]);
    expect(new Set(both.map(({ status }) => status))).toEqual(new Set([201, 409]));
  });

  test('is 409 where its text was erased: nobody can say any more whether it is the same', async () => {
    await comment('k5', 'Danke', 'erased');
    expect((await erase('erased')).status).toBe(200);
    expect(await comment('k5', 'Danke', 'erased')).toMatchObject({
      status: 409,
      body: { code: 'IDEMPOTENCY_KEY_REUSED' },
    });
  });

  test('keeps its id over a restart', async () => {
    const first = await comment('k6', 'Danke');
    await application.close();
    ({ application, client } = await workspace.start());
    expect(await comment('k6', 'Danke')).toMatchObject({ status: 201, body: first.body });
    expect(await comment('k6', 'Bitte')).toMatchObject({ status: 409 });
  });

  test.each(['ä', 'a b', 'x'.repeat(65), 'a,b'])('is refused with the key %j', async (key) => {
    expect(await comment(key, 'x')).toMatchObject({
      status: 422,
      body: { errors: [{ path: 'idempotency-key' }] },
    });
  });
});
