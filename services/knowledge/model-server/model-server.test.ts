import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { AskResponse } from '../../../events/messages/knowledge.ts';
import type { Application } from '../../application.ts';
import { QUESTION, Workspace, type Client } from '../../application.suite.ts';
import type { Environment } from '../../config.ts';
import { startScriptedServer, type Asked, type ScriptedServer, type Turn } from './scripted-server.suite.ts';

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

/** The first sentence of the best source, and that source. */
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

  test('that fails gives 503, no answer, and health that says so', async () => {
    await start(() => ({ status: 500, body: '{"error":{"message":"prompt: geheim"}}' }));
    for (let n = 0; n < 7; n++) {
      const { status, body, headers } = problem(await client.ask(QUESTION));
      expect({ status, code: body.code }).toEqual({ status: 503, code: 'MODEL_UNAVAILABLE' });
      expect(headers.get('content-type')).toContain('application/problem+json');
      expect(headers.get('retry-after')).not.toBeNull();
      expect(JSON.stringify(body)).not.toMatch(/geheim|127\.0\.0\.1|sk-the-key/u);
    }
    const health = await client.health();
    expect(health.body).toMatchObject({ status: 'unavailable', model: { name: 'scripted', ready: false } });
  });

  test('that is away may be stood in for by quoting, and the answer says who wrote it', async () => {
    await start(() => ({ status: 500 }), { PV_MODEL_FALLBACK: 'extractive' });
    expect((await client.ask(QUESTION)).body).toMatchObject({
      status: 'answered',
      verified: true,
      model: 'extractive',
    });
  });

  test('that misbehaves is never answered from', async () => {
    const wrong: Record<string, unknown>[] = [
      { text: 'Der Urlaub beträgt jährlich mindestens 30 Werktage.', source: 'S1' },
      { text: 'Der Urlaub beträgt jährlich höchstens 24 Werktage nicht.', source: 'S1' },
      { text: 'Der Urlaub beträgt jährlich mindestens 24 Werktage.', source: 'URL-1' },
      { text: 'Der Urlaub beträgt jährlich mindestens 24 Werktage. [EFZ-1]', source: 'S99' },
    ];
    await start((_, turn) => {
      const claim = wrong[Math.floor(turn / 3)]!;
      return { say: { sufficient: true, claims: [{ quote: claim['text'], ...claim }], question_back: null } };
    });
    for (const claim of wrong) {
      const { body } = await client.ask(QUESTION);
      expect({ claim, status: body.status, citations: body.citations }).toEqual({
        claim,
        status: 'uncertain',
        citations: [],
      });
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
