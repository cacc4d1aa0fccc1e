import { setTimeout as wait } from 'node:timers/promises';
import { z } from 'zod';
import { BelegError } from '../../../events/errors.ts';
import { KeyedQueue } from '../../../events/keyed-queue.ts';

/** Between two requests: Yahoo turns down who asks faster for long. */
const GAP_MS = 500;
const TIMEOUT_MS = 30_000;
/** Waited before the second, third and fourth try. */
const BACKOFF_MS = [1_000, 4_000, 15_000];
/** A longer wait is the caller's business. */
const LONGEST_WAIT_MS = 60_000;

/** What Yahoo says to a request that it has understood and will not answer, for instance `Not Found`. */
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
  /** Resolves after so many milliseconds; rejects when the signal is aborted. */
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
}

export const pause = (ms: number, signal: AbortSignal): Promise<void> => wait(ms, undefined, { signal });

/** One try in which Yahoo did not answer, or not for now. */
interface Failure {
  readonly what: string;
  readonly retryAfterMs: number | null;
  readonly cause?: unknown;
}

/**
 * Asks Yahoo one thing at a time, with a pause in between; again, later each time, after 429, 5xx and network faults. The
 * answer carries no cookies: none are kept. Rejects with `YahooRefusal`, with `SERVICE_UNAVAILABLE` when the tries are used up,
 * or as soon as the signal is aborted.
 */
export class YahooHttp {
  readonly #options: YahooHttpOptions;
  readonly #turns = new KeyedQueue();

  constructor(options: YahooHttpOptions) {
    this.#options = options;
  }

  get(url: FetchInput, init: RequestInit, signal: AbortSignal): Promise<Response> {
    return this.#turns.run('yahoo', async () => {
      for (let attempt = 0; ; attempt += 1) {
        signal.throwIfAborted();
        const answer = await this.#once(url, init, signal);
        if (answer instanceof Response) return answer;
        const backoff = BACKOFF_MS[attempt];
        const delay = Math.max(backoff ?? 0, answer.retryAfterMs ?? 0);
        if (backoff === undefined || delay > LONGEST_WAIT_MS) throw unavailable(answer);
        await this.#options.pause(delay, signal);
      }
    });
  }

  async #once(url: FetchInput, init: RequestInit, signal: AbortSignal): Promise<Response | Failure> {
    await this.#options.pause(GAP_MS, signal);
    try {
      const timeout = AbortSignal.timeout(TIMEOUT_MS);
      const response = await this.#options.fetch(url, {
        ...init,
        signal: AbortSignal.any([signal, timeout]),
      });
      const text = await response.text();
      if (response.status === 429 || response.status >= 500) {
        const what = `Yahoo answered with status ${response.status}`;
        return { what, retryAfterMs: retryAfterOf(response) };
      }
      return answerOf(response.status, text);
    } catch (error) {
      if (error instanceof YahooRefusal) throw error;
      signal.throwIfAborted();
      return { what: 'Yahoo cannot be reached', retryAfterMs: null, cause: error };
    }
  }
}

/** Only the body of an answer, nothing that came along with it. */
function answerOf(status: number, text: string): Response {
  const refusal = refusalIn(text);
  if (refusal !== null) throw refusal;
  if (status !== 200) throw new YahooRefusal(String(status), `it answered with status ${status}`);
  return new Response(text, { headers: { 'content-type': 'application/json' } });
}

/** `{"chart": {"result": null, "error": {"code": "Not Found", "description": "No data found, …"}}}` */
const Refusal = z
  .record(z.string(), z.object({ error: z.object({ code: z.string(), description: z.string() }) }))
  .transform((body) => Object.values(body)[0]?.error);

function refusalIn(text: string): YahooRefusal | null {
  try {
    const { data } = Refusal.safeParse(JSON.parse(text));
    return data === undefined ? null : new YahooRefusal(data.code, data.description);
  } catch {
    // Not JSON: a page for people, or cut off. Whoever reads it says so.
    return null;
  }
}

/** Seconds, or a date; `null` where there is neither. */
function retryAfterOf(response: Response): number | null {
  const text = response.headers.get('retry-after');
  if (text === null) return null;
  const ms = /^\d+$/.test(text) ? Number(text) * 1_000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) && ms > 0 ? ms : null;
}

function unavailable({ what, retryAfterMs, cause }: Failure): BelegError {
  return new BelegError('SERVICE_UNAVAILABLE', {
    detail: what,
    cause,
    ...(retryAfterMs === null ? {} : { retryAfter: Math.ceil(retryAfterMs / 1_000) }),
  });
}
