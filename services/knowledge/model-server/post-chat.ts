import { z } from 'zod';

const Told = z.looseObject({
  message: z.string().optional().catch(undefined),
  code: z.unknown().optional(),
  type: z.unknown().optional(),
});
/** Most servers put the error in `error`, some at the top level. */
const Refusal = z.union([z.object({ error: Told }).transform(({ error }) => error), Told]).catch({});

/** The server replied with something else than a completion. Its text may repeat the prompt: never log it. */
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

/** No answer came; the cause says why. */
export class ConnectionFailed extends Error {
  constructor(cause: unknown) {
    super('the model server cannot be reached', { cause });
    this.name = 'ConnectionFailed';
  }
}

/** The largest reply that is read, many times the size of the longest reply of a model. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/**
 * Sends one completion request to an OpenAI-compatible server and returns the JSON of its reply. Redirects are not
 * followed, because the prompt must only reach the configured server. A reply that is too long is cut off.
 *
 * Rejects with `ConnectionFailed`, with `ServerRefusal` for another status than 2xx, with the reason of `signal`, or
 * with a `TypeError`, `RangeError` or `SyntaxError` for a reply that breaks off, is too long or is not JSON.
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
    // Some servers send errors as plain text.
    return { message: text };
  }
}

/**
 * The pause before the second try, unless the server names a shorter one. If it names a longer one, there is no second
 * try.
 */
const RETRY_MS = 250;

/** Whether the server refused the form or the length of the request. */
export function isRefusal(error: unknown): error is ServerRefusal {
  return error instanceof ServerRefusal && [400, 413, 422, 501].includes(error.status);
}

const ContextFault = z.looseObject({ n_ctx: z.int().positive() });

/** The context size that a server names when it refuses a prompt, as llama.cpp does. */
export function contextTold(error: ServerRefusal): number | null {
  return ContextFault.safeParse(error.told).data?.n_ctx ?? null;
}

/** Whether the server says that the prompt is too long. */
export function isAboutContext({ told }: ServerRefusal): boolean {
  return (
    [told.code, told.type].some((word) => /context|too_long/u.test(String(word))) ||
    /context (?:length|size|window)|maximum.*tokens|prompt is too long/iu.test(told.message ?? '')
  );
}

/** Milliseconds until the second try; `null` if there is none. */
export function retryAfterMs(error: unknown): number | null {
  // The connection failed, or broke off within a reply.
  if (error instanceof ConnectionFailed || error instanceof TypeError) return RETRY_MS;
  if (!(error instanceof ServerRefusal) || (error.status < 500 && error.status !== 429)) return null;
  const told = Number(
    error.headers.get('retry-after-ms') ?? Number(error.headers.get('retry-after') ?? NaN) * 1_000,
  );
  if (Number.isNaN(told)) return error.status === 429 ? null : RETRY_MS;
  return told <= 2 * RETRY_MS ? told : null;
}
