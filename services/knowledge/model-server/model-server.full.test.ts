import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import type { Application } from '../../composition/running.ts';
import { QUESTION, Workspace, type Client } from '../../../testing/processes/application.suite.ts';
import type { Environment } from '../../foundation/settings-error.ts';
import { startScriptedServer, type Asked, type ScriptedServer, type Turn } from './scripted-server.suite.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

let workspace: Workspace;
let application: Application | undefined;
let server: ScriptedServer | undefined;
let client: Client;

beforeEach(async () => {
  workspace = await Workspace.create();
});

afterEach(async () => {
  await application?.close();
  await server?.close();
  await workspace.remove();
  application = server = undefined;
});

async function start(script: (asked: Asked, turn: number) => Turn, more: Environment = {}): Promise<void> {
  server = await startScriptedServer(script);
  ({ application, client } = await workspace.start({
    PV_MODEL_URL: server.url,
    PV_MODEL_NAME: 'scripted',
    PV_MODEL_KEY: 'sk-the-key',
    ...more,
  }));
}

/** Quotes the first sentence of the best source. */
function right({ sources }: Asked): Turn {
  const [{ alias, text } = { alias: '', text: '' }] = sources;
  const quote = text.slice(0, text.indexOf('.') + 1);
  return { say: { sufficient: true, claims: [{ text: quote, quote, source: alias }], question_back: null } };
}

const problem = (reply: unknown) => reply as { body: { code: string }; status: number; headers: Headers };

describe('a model server', () => {
  test('writes an answer that is verified, under its own name', async () => {
    await start(right);
    const { body } = await client.ask(QUESTION);
    expect(body).toMatchObject({
      status: 'answered',
      verified: true,
      citations: ['URL-1'],
      model: 'scripted',
    });
    expect(server!.requests[0]!.headers['authorization']).toBe('Bearer sk-the-key');
    expect(server!.requests[0]!.structured).toBe(true);
    const health = await fetch(`${client.url}/v1/health`);
    expect(await health.json()).toMatchObject({ status: 'ok', model: { name: 'scripted', ready: true } });
  });

  test('that fails, and nobody stands in, gives 503, no answer, and health that says so', async () => {
    await start(() => ({ status: 500, body: '{"error":{"message":"prompt: geheim"}}' }), {
      PV_MODEL_FALLBACK: 'none',
    });
    for (let n = 0; n < 7; n++) {
      const { status, body, headers } = problem(await client.ask(QUESTION));
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'MODEL_UNAVAILABLE' });
      expect(headers.get('content-type')).toContain('application/problem+json');
      expect(headers.get('retry-after')).not.toBeNull();
      expect(JSON.stringify(body)).not.toMatch(/geheim|127\.0\.0\.1|sk-the-key/u);
    }
    expect((await client.health()).body).toMatchObject({
      status: 'unavailable',
      model: { name: 'scripted', ready: false, state: 'away', reason: 'server_error' },
    });
    const figures = await (await fetch(`${client.url}/metrics`)).text();
    for (const line of [
      'beleg_asks_total{status="MODEL_UNAVAILABLE"} 7',
      'beleg_model_calls_total{outcome="server_error"} 5',
      'beleg_model_asks_total{outcome="server_error"} 7',
      'beleg_model_tokens_total{kind="prompt"} 100',
    ]) {
      expect(figures).toContain(line);
    }
  });

  test.each([
    ['none', { status: 503, code: 'MODEL_UNAVAILABLE' }],
    ['extractive', { status: 200, model: 'extractive' }],
  ])('whose context has room for nobody is away: with %s as fallback', async (fallback, reply) => {
    const told: Turn = { refuses: 'tiny context' };
    await start(() => told, { PV_MODEL_FALLBACK: fallback });
    for (let n = 0; n < 2; n++) {
      const { status, body } = await client.ask(QUESTION);
      expect({ ...body, status }).toMatchObject(reply);
    }
    expect(server!.requests).toHaveLength(1);
    expect((await client.health()).body).toMatchObject({
      model: { ready: false, state: 'away', reason: 'context_too_small' },
    });
  });

  test('that fails is stood in for by quoting; the answer says who wrote it, and health how the model is', async () => {
    await start(() => ({ status: 401 }));
    expect((await client.ask(QUESTION)).body).toMatchObject({
      status: 'answered',
      verified: true,
      model: 'extractive',
    });
    const { status, body } = await client.health();
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'degraded',
      model: { name: 'scripted', ready: false, state: 'away', reason: 'wrong_key' },
    });
    expect(JSON.stringify(body)).not.toContain('127.0.0.1');
  });

  // A server that hangs for the whole time of an ask is covered by time-budget.test.ts.
  test('that does not answer is stood in for', async () => {
    // A quarter of the time is left for quoting.
    await start(() => ({ hang: true }), { PV_ASK_SECONDS: '4' });
    expect((await client.ask(QUESTION)).body).toMatchObject({ status: 'answered', model: 'extractive' });
    await server!.left;
  });

  test('that is of no use is known for it after some asks', async () => {
    await start(() => ({ breaksOff: '{"suff' }));
    for (let n = 0; n < 4; n++) expect((await client.ask(QUESTION)).body.model).toBe('extractive');
    expect((await client.health()).body).toMatchObject({
      status: 'degraded',
      model: { ready: true, state: 'degraded', reason: 'reply_cut' },
    });
    await client.ask(QUESTION);
    expect((await client.health()).body).toMatchObject({ model: { ready: false, state: 'away' } });
  });

  test('holds nobody up who needs no model', async () => {
    await start(() => ({ hang: true }), { PV_MAX_CONCURRENT_ASKS: '1' });
    let isHanging = true;
    const hanging = client.ask(QUESTION).finally(() => (isHanging = false));
    await vi.waitFor(() => expect(server!.requests).toHaveLength(1), PATIENT);
    expect((await client.ask('Wie hoch ist der Eiffelturm?')).body).toMatchObject({ status: 'refused' });
    expect(isHanging).toBe(true);
    await server!.close();
    server = undefined;
    expect((await hanging).body).toMatchObject({ status: 'answered', model: 'extractive' });
  });

  test('is stopped when who asked leaves', async () => {
    await start(() => ({ hang: true }));
    const leaving = new AbortController();
    const asking = fetch(`${client.url}/v1/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ question: QUESTION }),
      signal: leaving.signal,
    });
    await vi.waitFor(() => expect(server!.requests).toHaveLength(1), PATIENT);
    leaving.abort();
    await expect(asking).rejects.toThrow('aborted');
    await server!.left;
  });

  test('that misbehaves is never answered from', async () => {
    const wrong: Record<string, unknown>[] = [
      { text: 'Der Urlaub beträgt jährlich mindestens 30 Werktage.', source: 'S1' },
      { text: 'Der Urlaub beträgt jährlich höchstens 24 Werktage nicht.', source: 'S1' },
      { text: 'Der Urlaub beträgt jährlich mindestens 24 Werktage.', source: 'URL-1' },
      { text: 'Der Urlaub beträgt jährlich mindestens 24 Werktage. [EFZ-1]', source: 'S99' },
    ];
    let n = 0;
    await start(() => {
      const claim = wrong[n]!;
      return { say: { sufficient: true, claims: [{ quote: claim['text'], ...claim }], question_back: null } };
    });
    for (; n < wrong.length; n++) {
      const { body } = await client.ask(QUESTION);
      expect({ claim: wrong[n], status: body.status, model: body.model, citations: body.citations }).toEqual({
        claim: wrong[n],
        status: 'answered',
        model: 'extractive',
        citations: ['URL-1'],
      });
      expect(body.answer).not.toMatch(/30|höchstens|EFZ/u);
    }
  });
});

test('without content on record, nothing of question, prompt, reply or key is in a store, a line or a log', async () => {
  const written: string[] = [];
  const outputs = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((chunk) => {
      written.push(String(chunk));
      return true;
    }),
  );
  try {
    let fails = true;
    await start((asked) => (fails ? { status: 500, body: JSON.stringify(asked) } : right(asked)), {
      PV_AUDIT_LOG_CONTENT: 'false',
      PV_AUDIT_STDOUT: 'true',
      LOG_LEVEL: 'debug',
    });
    await client.ask(QUESTION);
    fails = false;
    const answered = await client.ask(QUESTION);
    expect((answered.body satisfies AskResponse).status).toBe('answered');
    await application!.close();
  } finally {
    for (const output of outputs) output.mockRestore();
  }
  const files = await readdir(workspace.data, { recursive: true, withFileTypes: true });
  const contents = await Promise.all(
    files
      .filter((file) => file.isFile() && !file.parentPath.includes(join(workspace.data, 'index')))
      .map((file) => readFile(join(file.parentPath, file.name), 'latin1')),
  );
  expect(contents.length).toBeGreaterThan(2);
  expect(written.join('')).toContain('AnswerGiven');
  for (const secret of ['Werktage Urlaub', 'jährlich mindestens', 'sufficient', 'sk-the-key']) {
    const bytes = Buffer.from(secret).toString('latin1');
    expect({ secret, logged: written.some((text) => text.includes(secret)) }).toEqual({
      secret,
      logged: false,
    });
    expect({ secret, stored: contents.some((text) => text.includes(bytes)) }).toEqual({
      secret,
      stored: false,
    });
  }
});
