import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { z } from 'zod';

const Request = z.looseObject({
  model: z.string(),
  temperature: z.number(),
  messages: z.array(z.object({ role: z.string(), content: z.string() })),
  response_format: z.looseObject({ type: z.string() }).optional(),
});

/** The user message of our prompt. */
const Asked = z.object({
  question: z.string(),
  sources: z.array(z.object({ alias: z.string(), title: z.string(), text: z.string() })),
  rejected: z.array(z.object({ sentence: z.string(), reason: z.string() })).optional(),
});
export type Asked = z.output<typeof Asked>;

/** What the server does with a request. */
export type Turn =
  /** The model's text: an object is written as JSON. */
  | { readonly say: unknown }
  | { readonly status: number; readonly body?: string }
  /** Sends elsewhere. */
  | { readonly redirect: string }
  /** Content of a type of its own, which no model's text is. */
  | { readonly content: unknown }
  /** A reply without an end. */
  | { readonly endless: true }
  /** Accepts and never answers. */
  | { readonly hang: true }
  /** Breaks the connection in the middle of the answer. */
  | { readonly cut: true };

/** To who asks for the plan of a question. */
const NO_PARTS: Turn = { say: { parts: [] } };

export interface ScriptedServer {
  readonly url: string;
  /** What was asked, in order. */
  readonly asked: Asked[];
  readonly requests: { readonly headers: IncomingMessage['headers']; readonly structured: boolean }[];
  close(): Promise<void>;
}

/** An OpenAI-compatible chat server whose model says what a script says: for tests, and for the benchmark of our own overhead. */
export async function startScriptedServer(
  script: (asked: Asked, turn: number) => Turn,
): Promise<ScriptedServer> {
  const asked: Asked[] = [];
  const requests: ScriptedServer['requests'] = [];
  const nextTurn = (now: Asked, { headers }: IncomingMessage, body: z.output<typeof Request>): Turn => {
    requests.push({ headers, structured: body.response_format !== undefined });
    return script(now, asked.push(now) - 1);
  };
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.url !== '/v1/chat/completions') return void response.writeHead(404).end();
    const body = Request.parse(JSON.parse(await text(request)));
    const user = JSON.parse(body.messages.at(-1)!.content) as object;
    const turn = 'sources' in user ? nextTurn(Asked.parse(user), request, body) : NO_PARTS;
    if ('hang' in turn) return;
    if ('redirect' in turn) return void response.writeHead(307, { location: turn.redirect }).end();
    if ('endless' in turn) return endless(response);
    if ('status' in turn) {
      // Otherwise the client waits half a second before it tries again.
      return void response.writeHead(turn.status, { 'retry-after-ms': '1' }).end(turn.body ?? '{}');
    }
    const completion = JSON.stringify({
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 0,
      model: body.model,
      choices: [
        {
          index: 0,
          finish_reason: 'stop',
          message: {
            role: 'assistant',
            content: contentOf(turn),
          },
        },
      ],
    });
    response.writeHead(200, { 'content-type': 'application/json' });
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
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function contentOf(turn: Turn): unknown {
  if ('content' in turn) return turn.content;
  if (!('say' in turn)) return '';
  return typeof turn.say === 'string' ? turn.say : JSON.stringify(turn.say);
}

/** White space before an object that never comes, as fast as it is read. */
async function endless(response: ServerResponse): Promise<void> {
  response.writeHead(200, { 'content-type': 'application/json' });
  const blank = Buffer.alloc(1024 * 1024, ' ');
  while (!response.destroyed) {
    if (!response.write(blank)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
  }
}
