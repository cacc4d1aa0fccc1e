import { addressOf, sendForJson, ServiceError, storedKey } from '../http.ts';

const TIMEOUT_MS = 15_000;

/** The key for trading or for reading. */
export const key = storedKey('beleg.trading.key');

/** Set after too many requests: until this time nothing is read. */
let limited: { readonly until: number; readonly error: ServiceError } | null = null;

/** The time in milliseconds since 1970 at which reads may continue after too many requests; `null` if they may now. */
export const limitedUntil = (): number | null =>
  limited !== null && Date.now() < limited.until ? limited.until : null;

/**
 * Reads from the service. Like `post`, it throws `ServiceError`, or the error of `fetch` if there is no answer in time;
 * the outcome is then unknown.
 */
export async function get<T>(path: string): Promise<T> {
  if (limited !== null && Date.now() < limited.until) throw limited.error;
  try {
    return await read<T>(path, { method: 'GET' });
  } catch (error) {
    if (error instanceof ServiceError && error.status === 429) {
      limited = { until: Date.now() + Math.max(1, error.retryAfter) * 1_000, error };
    }
    throw error;
  }
}
export const post = <T>(path: string, body?: unknown, timeoutMs?: number): Promise<T> =>
  read(path, { body }, timeoutMs);

const read = <T>(path: string, sent: object, timeoutMs = TIMEOUT_MS): Promise<T> =>
  sendForJson(path, { ...sent, key: key.read(), signal: AbortSignal.timeout(timeoutMs) });

/** Whether the key may trade. `GET /metrics` (Prometheus) needs the same key, so that path is tried. */
export async function mayTrade(): Promise<boolean> {
  const response = await fetch(addressOf('/metrics'), {
    headers: { authorization: `Bearer ${key.read()}` },
    cache: 'no-store',
  });
  void response.body?.cancel();
  return response.status !== 401;
}
