const KEY = 'beleg.trading.key';
const TIMEOUT_MS = 15_000;

/** Trading or read-only key, kept in the session storage of this tab alone. */
export const key = {
  read: (): string => sessionStorage.getItem(KEY) ?? '',
  write(value: string): void {
    if (value === '') sessionStorage.removeItem(KEY);
    else sessionStorage.setItem(KEY, value);
  },
};

interface Problem {
  readonly title: string;
  readonly code: string;
  readonly detail?: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
}

/** What the service answered instead: its error body. */
export class ServiceError extends Error {
  readonly status: number;
  readonly problem: Problem;

  constructor(status: number, problem: Problem) {
    super(problem.title);
    this.status = status;
    this.problem = problem;
  }
}

export const get = <T>(path: string): Promise<T> => send('GET', path);
export const post = <T>(path: string, body?: unknown, timeoutMs?: number): Promise<T> =>
  send('POST', path, body, timeoutMs);

/** Whether the key opens more than reading: the metrics for machines need the same key as trading. */
export async function mayTrade(): Promise<boolean> {
  const response = await fetch('/metrics', { headers: authorization(), cache: 'no-store' });
  void response.body?.cancel();
  return response.status !== 401;
}

/** Throws `ServiceError`, or what `fetch` throws when nobody answers in time: then the outcome is not known. */
async function send<T>(
  method: 'GET' | 'POST',
  path: string,
  body?: unknown,
  timeoutMs = TIMEOUT_MS,
): Promise<T> {
  const response = await fetch(path, {
    method,
    headers: { ...authorization(), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    cache: 'no-store',
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (response.ok) return response.json();
  throw new ServiceError(response.status, await problemOf(response));
}

function authorization(): Record<string, string> {
  const token = key.read();
  return token === '' ? {} : { authorization: `Bearer ${token}` };
}

/** A proxy in between may answer with something else than the service would. */
async function problemOf(response: Response): Promise<Problem> {
  try {
    const body: Problem = await response.json();
    if (typeof body.title === 'string') return body;
  } catch {
    // Not JSON: what the status says has to do.
  }
  return { title: `HTTP ${response.status}`, code: '' };
}
