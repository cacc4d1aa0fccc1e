import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { PROBE_QUESTION } from './probe.ts';

const Request = z.looseObject({
  model: z.string(),
  temperature: z.number(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.looseObject({ type: z.string() }).optional(),
  chat_template_kwargs: z.looseObject({ enable_thinking: z.boolean() }).optional(),
});

/** The user message of the prompt. */
const Asked = z.object({
  question: z.string(),
  sources: z.array(z.object({ alias: z.string(), title: z.string(), text: z.string() })),
  rejected: z.array(z.object({ sentence: z.string(), reason: z.string() })).optional(),
});
export type Asked = z.output<typeof Asked>;

/** What the server does with a request. */
export type Turn =
  /** The model's text; an object is sent as JSON. */
  | { readonly say: unknown }
  | { readonly status: number; readonly body?: string; readonly retryAfter?: string }
  /** Refuses the request with the words of llama.cpp and vLLM. */
  | { readonly refuses: keyof typeof REFUSALS }
  /** A reply that was cut at its greatest length, with the thoughts of a reasoning model. */
  | { readonly breaksOff: string; readonly thought?: string }
  /** Redirects to another address. */
  | { readonly redirect: string }
  /** Content of a wrong type. */
  | { readonly content: unknown }
  /** A reply without an end. */
  | { readonly endless: true }
  /** Accepts the request and never answers. */
  | { readonly hang: true }
  /** Breaks the connection within the reply. */
  | { readonly cut: true };

const REFUSALS = {
  context: {
    status: 400,
    error: {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 5_000,
      n_ctx: 4_096,
    },
  },
  'tiny context': {
    status: 400,
    error: {
      code: 400,
      message: 'the request exceeds the available context size, try increasing it',
      type: 'exceed_context_size_error',
      n_prompt_tokens: 5_000,
      n_ctx: 1_024,
    },
  },
  'context, in words': {
    status: 400,
    error: {
      message: "This model's maximum context length is 4096 tokens. Your prompt has 5000.",
      code: 400,
    },
  },
  schema: {
    status: 400,
    error: { message: 'response_format is not supported', type: 'invalid_request_error' },
  },
} as const;

/** The reply to a request for the plan of a question. */
const NO_PARTS: Turn = { say: { parts: [] } };

/** The right reply to a probe. */
const SENTENCE = 'Der Urlaub beträgt jährlich mindestens 24 Werktage.';
const RIGHT: Turn = {
  say: { sufficient: true, claims: [{ text: SENTENCE, quote: SENTENCE, source: 'S1' }], question_back: null },
};
const JSON_TYPE = { 'content-type': 'application/json' };

interface Asking {
  readonly headers: IncomingMessage['headers'];
  readonly structured: boolean;
  /** Whether thinking is turned off. */
  readonly briefly: boolean;
  readonly system: string;
}

export interface ScriptedOptions {
  /** The reply to a probe; by default the right one. */
  readonly probe?: () => Turn;
  /** The context size that `/props` reports. */
  readonly context?: number | (() => number);
}

export interface ScriptedServer {
  readonly url: string;
  /** The questions, in order. */
  readonly asked: Asked[];
  readonly requests: Asking[];
  /** The number of probes. */
  readonly probes: number;
  /** Resolves when a client leaves before its reply. */
  readonly left: Promise<void>;
  close(): Promise<void>;
}

/** An OpenAI-compatible chat server that follows a script, for tests and to measure our own overhead. */
export async function startScriptedServer(
  script: (asked: Asked, turn: number) => Turn,
  { probe = () => RIGHT, context }: ScriptedOptions = {},
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const requests: Asking[] = [];
  let probes = 0;
  const left = Promise.withResolvers<void>();
  const nextTurn = (now: Asked, { headers }: IncomingMessage, body: z.output<typeof Request>): Turn => {
    if (now.question === PROBE_QUESTION) {
      probes += 1;
      return probe();
    }
    requests.push({
      headers,
      structured: body.response_format !== undefined,
      briefly: body.chat_template_kwargs?.enable_thinking === false,
      system: body.messages[0]!.content,
    });
    return script(now, asked.push(now) - 1);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url === '/props' && context !== undefined) {
      const tokens = typeof context === 'function' ? context() : context;
      return void response.end(JSON.stringify({ default_generation_settings: { n_ctx: tokens } }));
    }
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
    const body = Request.parse(JSON.parse(await text(request)));
    const user = JSON.parse(body.messages.at(-1)!.content) as object;
    const turn = 'sources' in user ? nextTurn(Asked.parse(user), request, body) : NO_PARTS;
    response.once('close', () => {
      if (!response.writableFinished) left.resolve();
    });
    if ('hang' in turn) return;
    if ('refuses' in turn) {
      const { status, error } = REFUSALS[turn.refuses];
      return void response.writeHead(status, JSON_TYPE).end(JSON.stringify({ error }));
    }
    if ('redirect' in turn) return void response.writeHead(307, { location: turn.redirect }).end();
    if ('endless' in turn) return endless(response);
    if ('status' in turn) {
      // Without this header the client waits before it retries.
      const wait =
        turn.retryAfter === undefined ? { 'retry-after-ms': '1' } : { 'retry-after': turn.retryAfter };
      return void response.writeHead(turn.status, wait).end(turn.body ?? '{}');
    }
    const completion = JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: body.model,
      choices: [
        {
          index: 0,
          finish_reason: 'breaksOff' in turn ? 'length' : 'stop',
          message: {
            role: 'assistant',
            content: contentOf(turn),
            ...('breaksOff' in turn && turn.thought !== undefined ? { reasoning_content: turn.thought } : {}),
          },
        },
      ],
      usage: { prompt_tokens: 100, completion_tokens: 20, total_tokens: 120 },
    });
    response.writeHead(200, JSON_TYPE);
    if ('cut' in turn) {
      response.write(completion.slice(0, 20), () => response.destroy());
      return;
    }
    response.end(completion);
  };
  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    asked,
    requests,
    get probes() {
      return probes;
    },
    left: left.promise,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function contentOf(turn: Turn): unknown {
  if ('breaksOff' in turn) return turn.breaksOff;
  if ('content' in turn) return turn.content;
  if (!('say' in turn)) return '';
  return typeof turn.say === 'string' ? turn.say : JSON.stringify(turn.say);
}

/** Sends white space before an object that never comes, as fast as it is read. */
async function endless(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const blank = Buffer.alloc(1024 * 1024, ' ');
  while (!response.destroyed) {
    if (!response.write(blank)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
}
