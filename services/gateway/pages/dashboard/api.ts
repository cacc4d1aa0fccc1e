import { sendForJson, storedKey } from '../http.ts';

const TIMEOUT_MS = 15_000;

/** Trading or read-only key. */
export const key = storedKey('beleg.trading.key');

/** Both throw `ServiceError`, or what `fetch` throws when nobody answers in time: then the outcome is not known. */
export const get = <T>(path: string): Promise<T> => read(path, { method: 'GET' });
export const post = <T>(path: string, body?: unknown, timeoutMs?: number): Promise<T> =>
  read(path, { body }, timeoutMs);

const read = <T>(path: string, sent: object, timeoutMs = TIMEOUT_MS): Promise<T> =>
  sendForJson(path, { ...sent, key: key.read(), signal: AbortSignal.timeout(timeoutMs) });

/** Whether the key opens more than reading: the metrics for machines need the same key as trading. */
export async function mayTrade(): Promise<boolean> {
  const response = await fetch('/metrics', {
    headers: { authorization: `Bearer ${key.read()}` },
    cache: 'no-store',
  });
  void response.body?.cancel();
  return response.status !== 401;
}
