import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { BelegError } from '../../../events/errors.ts';
import { readJson } from '../../../events/json.ts';
import { KeyedQueue } from '../../../events/keyed-queue.ts';

/** The pause between two requests. Yahoo blocks clients that are faster for a longer time. */
const GAP_MS = 500;
const TIMEOUT_MS = 30_000;

/** Yahoo's refusal of a valid request, for instance `Not Found`. */
export class YahooRefusal extends Error {
  readonly code: string;

  constructor(code: string, description: string) {
    super(description);
    this.name = 'YahooRefusal';
    this.code = code;
  }
}

type FetchInput = Parameters<typeof fetch>[0];

export interface YahooHttpOptions {
  readonly fetch: typeof fetch;
  /** Resolves after `ms` milliseconds. Rejects when the signal aborts. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal });

/**
 * Sends Yahoo one request at a time, with a pause in between. No cookies are kept. Rejects with `YahooRefusal`, with
 * `SERVICE_UNAVAILABLE` after 429, 5xx and network faults, which the caller may retry, or as soon as the signal aborts.
 */
export function yahooHttp(options: YahooHttpOptions) {
  const { fetch, pause } = options;
  const turns = new KeyedQueue();

  async function ask(url: FetchInput, init: RequestInit, signal: AbortSignal) {
    try {
      const inTime = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
      const response = await fetch(url, { ...init, signal: inTime });
      return { response, text: await response.text() };
    } catch (cause) {
      signal.throwIfAborted();
      throw new BelegError('SERVICE_UNAVAILABLE', { detail: 'Yahoo cannot be reached', cause });
    }
  }

  return {
    get(url: FetchInput, init: RequestInit, signal: AbortSignal): Promise<Response> {
      return turns.run('yahoo', async () => {
        signal.throwIfAborted();
        await pause(GAP_MS, signal);
        const { response, text } = await ask(url, init, signal);
        if (response.status !== 429 && response.status < 500) return answerOf(response.status, text);
        throw new BelegError('SERVICE_UNAVAILABLE', {
          detail: `Yahoo answered with status ${response.status}`,
          ...retryAfterOf(response),
        });
      });
    },
  };
}

/** A response with the body only, without headers. */
function answerOf(status: number, text: string): Response {
  const refusal = refusalIn(text);
  if (refusal !== null) throw refusal;
  if (status !== 200) throw new YahooRefusal(String(status), `it answered with status ${status}`);
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

/**
 * The form of a refusal: `{"chart": {"result": null, "error": {"code": "Not Found", "description": "No data found,
 * …"}}}`.
 */
const Refusal = z
  .record(z.string(), z.object({ error: z.object({ code: z.string(), description: z.string() }) }))
  .transform((body) => Object.values(body)[0]?.error);

function refusalIn(text: string): YahooRefusal | null {
  // A body that is not valid JSON, such as an HTML page, is reported by its reader.
  const refused = readJson(Refusal, text);
  return refused === undefined ? null : new YahooRefusal(refused.code, refused.description);
}

/** Reads seconds or a date; `undefined` without either. */
function retryAfterOf({ headers }: Response): { retryAfter?: number } {
  const text = headers.get('retry-after') ?? '';
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - Date.now()) / 1_000;
  return seconds > 0 ? { retryAfter: Math.ceil(seconds) } : {};
}
