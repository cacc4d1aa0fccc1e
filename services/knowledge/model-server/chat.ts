import { BrokenCircuitError, circuitBreaker, CircuitState, ConsecutiveBreaker, handleWhen } from 'cockatiel';
import OpenAI, {
  APIConnectionError,
  APIError,
  APIUserAbortError,
  BadRequestError,
  OpenAIError,
} from 'openai';
import type { Logger } from 'pino';
import type { Asking, ChatModel } from '../../../actors/ask/model/generator.ts';
import { BelegError, isBelegError } from '../../../events/errors.ts';

export interface ModelServerOptions {
  /** Of an OpenAI-compatible server, with its version: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly name: string;
  readonly key: string | null;
  /** Milliseconds for one reply, a second try included. */
  readonly timeoutMs: number;
  readonly logger: Logger;
}

/** Faults in a row after which the server is left alone, and for how long. */
const FAULTS = 5;
const REST_MS = 10_000;

const MAX_REPLY_TOKENS = 2_000;
/** Many times what that many tokens take. */
const MAX_REPLY_BYTES = 4 * 1024 * 1024;

/**
 * A chat model behind an OpenAI-compatible server (Ollama, llama.cpp, vLLM …). Deterministic as far as the server is:
 * temperature 0 and a seed. Transport faults, 408, 409, 429 and 5xx are tried once more by the client; after five
 * faults in a row nothing is sent for ten seconds. Neither prompt nor reply is logged, nor an error that may hold one.
 */
export function openChatModel({ url, name, key, timeoutMs, logger }: ModelServerOptions): ChatModel {
  const client = new OpenAI({
    baseURL: url,
    // The client takes what is missing from OPENAI_* in the environment: nothing of this is for that company.
    apiKey: key ?? 'none',
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: 1,
    // Ours ends both tries; this one would be tried again.
    timeout: 2 * timeoutMs,
    logLevel: 'off',
    fetch: boundedFetch,
  });
  const breaker = circuitBreaker(
    handleWhen((error) => isBelegError(error, 'MODEL_UNAVAILABLE')),
    { halfOpenAfter: REST_MS, breaker: new ConsecutiveBreaker(FAULTS) },
  );
  breaker.onBreak(() => logger.warn('the model server does not answer; it is left alone for a while'));
  breaker.onReset(() => logger.info('the model server answers again'));
  // Until the server has turned it down.
  let structured = true;

  const send = async ({ system, user, schema }: Asking, signal: AbortSignal): Promise<string> => {
    const completion = await client.chat.completions.create(
      {
        model: name,
        temperature: 0,
        seed: 0,
        max_tokens: MAX_REPLY_TOKENS,
        messages: [
          { role: 'system', content: system },
          { role: 'user', content: user },
        ],
        ...(structured
          ? {
              response_format: {
                type: 'json_schema',
                json_schema: { name: 'reply', strict: true, schema: { ...schema } },
              },
            }
          : {}),
      },
      { signal },
    );
    // What a server sends is not always of the type that the client declares.
    const content: unknown = completion.choices[0]?.message.content;
    return typeof content === 'string' ? content : '';
  };

  const complete = async (prompt: Asking, signal: AbortSignal, again = false): Promise<string> => {
    try {
      return await send(prompt, signal);
    } catch (error) {
      if (signal.aborted && !isTimeout(signal.reason)) throw signal.reason;
      // Broken off after its head, which the client does not try again.
      if (!(error instanceof OpenAIError) && !again && !signal.aborted) return complete(prompt, signal, true);
      if (structured && error instanceof BadRequestError) {
        structured = false;
        logger.info('the model server takes no schema for its reply; it is asked in words');
        return complete(prompt, signal, again);
      }
      const fault = faultOf(error);
      logger.warn({ fault }, 'the model server failed');
      // Without a cause: a server may repeat the prompt in its error.
      throw new BelegError('MODEL_UNAVAILABLE', {
        detail: 'The language model does not answer',
        retryAfter: 5,
      });
    }
  };

  return {
    name,
    get ready() {
      return breaker.state !== CircuitState.Open;
    },
    async complete(prompt, signal) {
      try {
        const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
        return await breaker.execute(() => complete(prompt, limited));
      } catch (error) {
        if (!(error instanceof BrokenCircuitError)) throw error;
        throw new BelegError('MODEL_UNAVAILABLE', { retryAfter: REST_MS / 1_000 });
      }
    },
  };
}

/** Breaks off a reply without an end, and follows no redirect: the prompt goes to the configured server alone. */
async function boundedFetch(input: string | URL | Request, init?: RequestInit): Promise<Response> {
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

const isTimeout = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

/** What may be logged of it. */
function faultOf(error: unknown): string {
  if (error instanceof APIUserAbortError) return 'timeout';
  if (error instanceof APIConnectionError) return error.constructor.name;
  if (error instanceof APIError) return `HTTP ${error.status ?? 'error'}`;
  return error instanceof Error ? error.name : typeof error;
}
