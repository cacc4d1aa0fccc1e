import { addressOf, sendForJson, ServiceError, storedKey } from '../http.ts';

const TIMEOUT_MS = 15_000;

/** Trading or read-only key. */
export const key = storedKey('beleg.trading.key');

/** Too many requests: nothing is read until then. */
let limited: { readonly until: number; readonly error: ServiceError } | null = null;

/** When reading may go on after too many requests, in milliseconds since 1970; `null`: now. */
export const limitedUntil = (): number | null =>
  limited !== null && Date.now() < limited.until ? limited.until : null;

/** Both throw `ServiceError`, or what `fetch` throws when nobody answers in time: then the outcome is not known. */
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

/** Whether the key opens more than reading: the metrics for machines need the same key as trading. */
export async function mayTrade(): Promise<boolean> {
  const response = await fetch(addressOf('/metrics'), {
    headers: { authorization: `Bearer ${key.read()}` },
    cache: 'no-store',
  });
  void response.body?.cancel();
  return response.status !== 401;
}
