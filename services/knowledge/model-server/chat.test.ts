import pino from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { PromptTooLong, type ChatModel } from '../../../actors/ask/model/generator.ts';
import { BelegError } from '../../../events/errors.ts';
import { openModelServer, type ModelServer } from './chat.ts';
import {
  startScriptedServer,
  type ScriptedOptions,
  type ScriptedServer,
  type Turn,
} from './scripted-server.suite.ts';
import { PATIENT } from '../../../events/patient.suite.ts';

type Opening = ScriptedOptions & { now?: () => Date; restMs?: number };

let server: ScriptedServer | undefined;
let opened: ModelServer | undefined;

afterEach(async () => {
  opened?.watch.close();
  await server?.close();
  opened = server = undefined;
});

async function open(script: (turn: number) => Turn, more: Opening = {}): Promise<ChatModel> {
  server = await startScriptedServer((_, turn) => script(turn), more);
  opened = openModelServer({
    url: server.url,
    name: 'scripted',
    key: null,
    probeMs: 5_000,
    logger: pino({ level: 'silent' }),
    ...more,
    context: null,
  });
  return opened.chat;
}

const SENTENCE = 'Der Urlaub beträgt jährlich mindestens 24 Werktage.';
const PROBE_REPLY = {
  sufficient: true,
  claims: [{ text: SENTENCE, quote: SENTENCE, source: 'S1' }],
  question_back: null,
};

const PROMPT = {
  schema: { type: 'object' },
  system: 'Answer.',
  user: JSON.stringify({ question: 'Was?', sources: [] }),
};

const complete = (model: ChatModel, signal = new AbortController().signal) => model.complete(PROMPT, signal);
const ask = async (model: ChatModel, signal?: AbortSignal) => (await complete(model, signal)).text;
/** The signal of an ask whose time is over. */
const late = (): AbortSignal => AbortSignal.abort(new BelegError('MODEL_UNAVAILABLE'));

describe('a chat model behind a server', () => {
  test.each<[string, Turn]>([
    ['fails once', { status: 500 }],
    ['is busy once', { status: 429 }],
    ['breaks off once', { cut: true }],
    ['takes no schema', { refuses: 'schema' }],
  ])('that %s is asked once more', async (_, first) => {
    const model = await open((turn) => (turn === 0 ? first : { say: 'text' }));
    expect(await ask(model)).toBe('text');
    expect(server!.requests).toHaveLength(2);
  });

  test('that takes no schema is asked in words, and for a schema again ten minutes later', async () => {
    let now = new Date('2026-01-15T08:00:00Z');
    const model = await open((turn) => (turn === 0 ? { refuses: 'schema' } : { say: 'text' }), {
      now: () => now,
    });
    await ask(model);
    await ask(model);
    now = new Date('2026-01-15T08:10:00Z');
    await ask(model);
    expect(server!.requests.map(({ structured }) => structured)).toEqual([true, false, false, true]);
  });

  test.each(['context', 'context, in words'] as const)(
    'whose %s is too small says so, is asked for a schema as before, and is not left alone',
    async (refuses) => {
      const model = await open((turn) => (turn < 6 ? { refuses } : { say: 'text' }), { context: 32_768 });
      for (let n = 0; n < 6; n++) await expect(ask(model)).rejects.toThrow(PromptTooLong);
      expect(await ask(model)).toBe('text');
      expect(server!.requests.every(({ structured }) => structured)).toBe(true);
    },
  );

  test('that tells its context where it refuses a prompt is given less from then on', async () => {
    const model = await open(() => ({ refuses: 'context' }), { context: 32_768 });
    await opened!.watch.look();
    const before = model.sourceCharacters;
    await expect(ask(model)).rejects.toThrow(PromptTooLong);
    expect([before, model.sourceCharacters]).toEqual([60_000, 4_893]);
  });

  test('that refuses every form of the request is not left alone for it', async () => {
    const model = await open(() => ({ status: 400 }));
    for (let n = 0; n < 6; n++) await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(model.ready).toBe(true);
    expect(opened!.watch.figures().calls).toEqual({ request_refused: 6 });
  });

  test('whose reply breaks off says so; one that thinks until then is asked not to think from then on', async () => {
    const model = await open((turn) =>
      turn === 0 ? { breaksOff: '', thought: 'Ich denke' } : { breaksOff: '{"suff' },
    );
    expect(await complete(model)).toEqual({ text: 'Ich denke', isCut: true });
    expect(await complete(model)).toEqual({ text: '{"suff', isCut: true });
    expect(server!.requests.map(({ briefly }) => briefly)).toEqual([false, true]);
  });

  test.each<[string, Turn, number]>([
    ['fails', { status: 500 }, 2],
    ['is busy', { status: 429 }, 2],
    ['is busy for longer than anybody waits', { status: 429, retryAfter: '30' }, 1],
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
    const model = await open(() => ({ endless: true }));
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
    const over = new AbortController();
    const model = await open(() => {
      over.abort(new BelegError('MODEL_UNAVAILABLE'));
      return { hang: true };
    });
    await expect(ask(model, over.signal)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    expect(opened!.watch.figures().calls).toEqual({ timeout: 1 });
    await server!.left;
  });

  test('is left when the ask is, and nothing is held against it', async () => {
    const abort = new AbortController();
    const model = await open(() => {
      abort.abort(new Error('gone'));
      return { hang: true };
    });
    await expect(ask(model, abort.signal)).rejects.toThrow('gone');
    await server!.left;
    expect(opened!.watch.figures().calls).toEqual({ left: 1 });
  });

  test.each<[string, Turn, number, string]>([
    ['the key is wrong', { status: 401 }, 1, 'wrong_key'],
    ['the model is not known', { status: 404 }, 1, 'not_found'],
    ['it fails', { status: 500 }, 5, 'server_error'],
  ])('is left alone where %s', async (_, turn, asks, reason) => {
    const model = await open(() => turn);
    for (let n = 0; n < asks + 2; n++) {
      expect(model.ready).toBe(n < asks);
      await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    }
    expect(opened!.watch.condition()).toMatchObject({ state: 'away', reason });
    expect(opened!.watch.figures().calls).toEqual({ [reason]: asks });
  });

  test('is left alone sooner where it takes all the time', async () => {
    const model = await open(() => ({ hang: true }));
    for (let n = 0; n < 3; n++) {
      expect(model.ready).toBe(true);
      await expect(ask(model, late())).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    }
    expect(opened!.watch.condition()).toMatchObject({ state: 'away', reason: 'timeout' });
  });

  test('comes back by a small question of our own', async () => {
    let well = false;
    const model = await open(() => ({ status: 401 }), {
      restMs: 1,
      probe: () => (well ? { say: PROBE_REPLY } : { status: 503 }),
    });
    await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    await vi.waitFor(() => expect(opened!.watch.condition().reason).toBe('server_error'), PATIENT);
    well = true;
    await vi.waitFor(() => expect(model.ready).toBe(true), PATIENT);
    expect(opened!.watch.condition()).toMatchObject({ state: 'ready', reason: null });
    expect(server!.requests).toHaveLength(1);
  });

  test.each<[string, Turn, string]>([
    [
      'is wrong',
      { say: { ...PROBE_REPLY, claims: [{ text: 'x', quote: 'x', source: 'S1' }] } },
      'nothing_verified',
    ],
    ['breaks off', { breaksOff: '{' }, 'reply_cut'],
    ['cannot be read', { say: 'Gern!' }, 'reply_unreadable'],
    ['is none', { say: { ...PROBE_REPLY, sufficient: false } }, 'no_answer'],
  ])('does not come back while its answer to that %s', async (_, turn, reason) => {
    const model = await open(() => ({ status: 401 }), { restMs: 1, probe: () => turn });
    await expect(ask(model)).rejects.toMatchObject({ code: 'MODEL_UNAVAILABLE' });
    await vi.waitFor(() => expect(opened!.watch.condition().reason).toBe(reason), PATIENT);
    expect(model.ready).toBe(false);
  });

  test('is left alone where its context has room for nobody, and comes back with a larger one', async () => {
    let tokens = 1_024;
    const model = await open(() => ({ say: 'text' }), { restMs: 1, context: () => tokens });
    expect(await opened!.watch.look()).toBe('context_too_small');
    expect(opened!.watch.condition()).toMatchObject({ state: 'away', reason: 'context_too_small' });
    tokens = 8_192;
    await vi.waitFor(() => expect(model.ready).toBe(true), PATIENT);
    expect(model.sourceCharacters).toBe(15_276);
  });

  test('that is gone after its context was too small is away for that', async () => {
    await open(() => ({ say: 'text' }), { restMs: 1, context: 1_024 });
    await opened!.watch.look();
    await server!.close();
    await vi.waitFor(() => expect(opened!.watch.condition().reason).toBe('unreachable'), PATIENT);
    server = undefined;
  });

  test('is not left alone for one question that is too long', async () => {
    const model = await open(() => ({ say: 'text' }));
    model.note('context_too_small');
    expect(model.ready).toBe(true);
  });

  test.each<[string, Turn]>([
    ['nothing_verified', { say: { ...PROBE_REPLY, claims: [{ text: 'x', quote: 'x', source: 'S1' }] } }],
    ['reply_cut', { breaksOff: '{' }],
  ])('whose first look shows %s is degraded for it, until it has written an answer', async (reason, turn) => {
    const model = await open(() => ({ say: 'text' }), { probe: () => turn });
    const { watch } = opened!;
    await watch.look();
    expect(watch.condition()).toMatchObject({ state: 'degraded', reason });
    expect(model.ready).toBe(true);
    watch.asked({ written: true });
    expect(watch.condition()).toMatchObject({ state: 'ready', reason: null });
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
