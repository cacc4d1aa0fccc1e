import { APIError, APIUserAbortError, OpenAIError } from 'openai';
import { z } from 'zod';

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
