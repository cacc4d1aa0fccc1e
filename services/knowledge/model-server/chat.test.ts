import pino from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import type { ChatModel } from '../../../actors/ask/model/generator.ts';
import { openChatModel } from './chat.ts';
import { startScriptedServer, type ScriptedServer, type Turn } from './scripted-server.suite.ts';

let server: ScriptedServer | undefined;

afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function open(script: (turn: number) => Turn, timeoutMs = 5_000): Promise<ChatModel> {
  server = await startScriptedServer((_, turn) => script(turn));
  const logger = pino({ level: 'silent' });
  return openChatModel({ url: server.url, name: 'scripted', key: null, timeoutMs, logger });
}

const PROMPT = {
  schema: { type: 'object' },
  system: 'Answer.',
  user: JSON.stringify({ question: 'Was?', sources: [] }),
};

const ask = (model: ChatModel, signal = new AbortController().signal) => model.complete(PROMPT, signal);

describe('a chat model behind a server', () => {
  test.each<[string, Turn]>([
    ['fails once', { status: 500 }],
    ['is busy once', { status: 429 }],
    ['breaks off once', { cut: true }],
    ['takes no schema', { status: 400 }],
  ])('that %s is asked once more', async (_, first) => {
    const model = await open((turn) => (turn === 0 ? first : { say: 'text' }));
    expect(await ask(model)).toBe('text');
    expect(server!.requests).toHaveLength(2);
  });

  test('that takes no schema is not asked for one again', async () => {
    const model = await open((turn) => (turn === 0 ? { status: 400 } : { say: 'text' }));
    await ask(model);
    await ask(model);
    expect(server!.requests.map(({ structured }) => structured)).toEqual([true, false, false]);
  });

  test.each<[string, Turn, number]>([
    ['fails', { status: 500 }, 2],
    ['is busy', { status: 429 }, 2],
    ['breaks off', { cut: true }, 2],
    ['knows no such model', { status: 404 }, 1],
    ['wants another key', { status: 401 }, 1],
    ['turns down every form of the request', { status: 400 }, 2],
  ])('that %s is unavailable', async (_, turn, requests) => {
    const model = await open(() => turn);
    await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE', status: 503 });
    expect(server!.requests).toHaveLength(requests);
  });

  test.each<[string, Turn]>([
    ['a number', { content: 5 }],
    ['an object', { content: { sufficient: true } }],
    ['nothing', { content: null }],
  ])('whose text is %s has said nothing', async (_, turn) =>
    expect(await ask(await open(() => turn))).toBe(''),
  );

  test('that never ends its reply is unavailable at once', async () => {
    const model = await open(() => ({ endless: true }), 60_000);
    await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
  });

  test('that sends elsewhere is not followed', async () => {
    const other = await startScriptedServer(() => ({ say: 'text' }));
    try {
      const model = await open(() => ({ redirect: `${other.url}/chat/completions` }));
      await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      expect(other.requests).toEqual([]);
    } finally {
      await other.close();
    }
  });

  test('that does not answer in time is unavailable, and not asked again', async () => {
    const model = await open(() => ({ hang: true }), 50);
    await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(server!.requests).toHaveLength(1);
  });

  test('is left when the ask is', async () => {
    const abort = new AbortController();
    const model = await open(() => {
      abort.abort(new Error('deadline'));
      return { hang: true };
    });
    await expect(ask(model, abort.signal)).rejects.toThrow('deadline');
    expect(model.ready).toBe(true);
  });

  test('is left alone after five faults in a row', async () => {
    const model = await open(() => ({ status: 401 }));
    for (let n = 0; n < 7; n++) {
      await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
      expect(model.ready).toBe(n < 4);
    }
    expect(server!.requests).toHaveLength(5);
  });

  test('takes nothing from the environment of another service', async () => {
    process.env['OPENAI_ORG_ID'] = 'org-secret';
    process.env['OPENAI_PROJECT_ID'] = 'project-secret';
    process.env['OPENAI_API_KEY'] = 'sk-secret';
    try {
      await ask(await open(() => ({ say: 'text' })));
    } finally {
      for (const name of ['ORG_ID', 'PROJECT_ID', 'API_KEY']) delete process.env[`OPENAI_${name}`];
    }
    expect(JSON.stringify(server!.requests[0]!.headers)).not.toContain('secret');
  });
});
