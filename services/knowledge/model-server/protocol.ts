import { connect as connectTls } from 'node:tls';
import { once } from 'node:events';
import { z } from 'zod';
import { APIError, APIUserAbortError, OpenAIError } from 'openai';

const ASK_MS = 3_000;

/**
 * Whether the host of an address that does not answer speaks the other of http and https: a server mostly says nothing to
 * who speaks the wrong one.
 */
export async function otherProtocolAnswers(address: string): Promise<boolean> {
  const url = new URL(address);
  if (url.protocol === 'https:') {
    const plain = new URL(url);
    plain.protocol = 'http:';
    plain.port = url.port === '' ? '443' : url.port;
    return fetch(plain, { method: 'HEAD', redirect: 'manual', signal: AbortSignal.timeout(ASK_MS) }).then(
      () => true,
      () => false,
    );
  }
  // Whether its certificate is trusted is another question.
  const socket = connectTls({
    host: url.hostname.replace(/^\[|\]$/gu, ''),
    port: Number(url.port === '' ? 80 : url.port),
    rejectUnauthorized: false,
    timeout: ASK_MS,
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ASK_MS) });
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** What a server sends is not always of the type that the client declares. */
export const ChatCompletion = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish().catch(null),
        message: z.looseObject({
          content: z.string().nullish().catch(null),
          reasoning_content: z.string().nullish().catch(null),
          reasoning: z.string().nullish().catch(null),
        }),
      }),
    )
    .min(1)
    .catch([{ message: {} }]),
  usage: z
    .looseObject({ prompt_tokens: z.number().catch(0), completion_tokens: z.number().catch(0) })
    .nullish()
    .catch(null),
});

/** Before a second try, unless the server names a shorter time; a longer one is not waited for. */
const RETRY_MS = 250;

/** The server does not take the request as it is: its form, or its length. */
export function isRefusal(error: unknown): error is APIError {
  return error instanceof APIError && [400, 413, 422, 501].includes(error.status ?? 0);
}

const ContextFault = z.looseObject({ n_ctx: z.int().positive() });

/** Tokens of context that a server names where it refuses a prompt, as llama.cpp does. */
export function contextTold(error: APIError): number | null {
  return ContextFault.safeParse(error.error).data?.n_ctx ?? null;
}

/** How servers say that a prompt is too long. */
export function isAboutContext({ message, code, type }: APIError): boolean {
  return (
    [code, type].some((word) => /context|too_long/u.test(String(word))) ||
    /context (?:length|size|window)|maximum.*tokens|prompt is too long/iu.test(message)
  );
}

/** Milliseconds until a second try; `null` where there is none. */
export function retryAfterMs(error: unknown): number | null {
  if (error instanceof APIUserAbortError) return null;
  // A connection that fails, or breaks off, has no status.
  if (!(error instanceof APIError) || error.status === undefined) {
    return error instanceof OpenAIError || error instanceof TypeError ? RETRY_MS : null;
  }
  if (error.status < 500 && error.status !== 429) return null;
  const told = Number(
    error.headers?.get('retry-after-ms') ?? Number(error.headers?.get('retry-after') ?? NaN) * 1_000,
  );
  if (Number.isNaN(told)) return error.status === 429 ? null : RETRY_MS;
  return told <= 2 * RETRY_MS ? told : null;
}

/** Many times what the longest reply takes. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/** Breaks off a reply without an end, and follows no redirect: the prompt goes to the configured server alone. */
export async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const response = await fetch(input, { ...init, redirect: 'error' });
  let bytes = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      bytes += chunk.byteLength;
      if (bytes > MAX_REPLY_BYTES) controller.error(new RangeError('The reply is too long'));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body?.pipeThrough(counting) ?? null, { status, statusText, headers });
}
