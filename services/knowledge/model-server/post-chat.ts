import { z } from 'zod';

const Told = z.looseObject({
  message: z.string().optional().catch(undefined),
  code: z.unknown().optional(),
  type: z.unknown().optional(),
});
/** Most servers put what is wrong below `error`, some at the top. */
const Refusal = z.union([z.object({ error: Told }).transform(({ error }) => error), Told]).catch({});

/** The server has answered, and not with a completion. What it tells may repeat the prompt: it reaches no log. */
export class ServerRefusal extends Error {
  readonly status: number;
  readonly headers: Headers;
  readonly told: z.output<typeof Told>;

  constructor(status: number, headers: Headers, told: z.output<typeof Told>) {
    super(`HTTP ${status}`);
    this.name = 'ServerRefusal';
    this.status = status;
    this.headers = headers;
    this.told = told;
  }
}

/** No answer came at all; the cause says why. */
export class ConnectionFailed extends Error {
  constructor(cause: unknown) {
    super('the model server cannot be reached', { cause });
    this.name = 'ConnectionFailed';
  }
}

/** Many times what the longest reply takes. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/**
 * Sends one request for a completion to an OpenAI-compatible server, and returns the JSON that it answers. No redirect is
 * followed: the prompt goes to the configured server alone. A reply without an end is broken off.
 *
 * Rejects with `ConnectionFailed`, with `ServerRefusal` for another status than 2xx, with what `signal` was aborted
 * with, or with a `TypeError`, `RangeError` or `SyntaxError` for a reply that breaks off, is too long or is no JSON.
 */
export async function postChat(
  { url, key }: { readonly url: string; readonly key: string | null },
  request: object,
  signal: AbortSignal,
): Promise<unknown> {
  const response = await fetch(`${url.replace(/\/+$/u, '')}/chat/completions`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify(request),
    redirect: 'error',
    signal,
  }).catch((error: unknown) => {
    throw signal.aborted ? error : new ConnectionFailed(error);
  });
  const text = await readBounded(response);
  if (response.ok) return JSON.parse(text);
  throw new ServerRefusal(response.status, response.headers, Refusal.parse(parsedOrEmpty(text)));
}

async function readBounded({ body }: Response): Promise<string> {
  const decoder = new TextDecoder();
  let bytes = 0;
  let text = '';
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > MAX_REPLY_BYTES) throw new RangeError('The reply is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

function parsedOrEmpty(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Some servers answer in plain words.
    return { message: text };
  }
}

/** Pause before a second try, unless the server names a shorter one. A longer one is not waited for. */
const RETRY_MS = 250;

/** The server does not take the request as it is: its form, or its length. */
export function isRefusal(error: unknown): error is ServerRefusal {
  return error instanceof ServerRefusal && [400, 413, 422, 501].includes(error.status);
}

const ContextFault = z.looseObject({ n_ctx: z.int().positive() });

/** Tokens of context that a server names where it refuses a prompt, as llama.cpp does. */
export function contextTold(error: ServerRefusal): number | null {
  return ContextFault.safeParse(error.told).data?.n_ctx ?? null;
}

/** How servers say that a prompt is too long. */
export function isAboutContext({ told }: ServerRefusal): boolean {
  return (
    [told.code, told.type].some((word) => /context|too_long/u.test(String(word))) ||
    /context (?:length|size|window)|maximum.*tokens|prompt is too long/iu.test(told.message ?? '')
  );
}

/** Milliseconds until a second try; `null` where there is none. */
export function retryAfterMs(error: unknown): number | null {
  // A connection that fails, or breaks off within a reply.
  if (error instanceof ConnectionFailed || error instanceof TypeError) return RETRY_MS;
  if (!(error instanceof ServerRefusal) || (error.status < 500 && error.status !== 429)) return null;
  const told = Number(
    error.headers.get('retry-after-ms') ?? Number(error.headers.get('retry-after') ?? NaN) * 1_000,
  );
  if (Number.isNaN(told)) return error.status === 429 ? null : RETRY_MS;
  return told <= 2 * RETRY_MS ? told : null;
}
